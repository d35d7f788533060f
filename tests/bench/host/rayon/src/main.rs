// SPDX-License-Identifier: MIT OR Apache-2.0
//! bench/host: Rayon. The main thread waits outside, as Rayon wants it; the pool has all the workers.
mod harness;
mod workloads;

use harness::{measure, measure_idle, measure_wakes, pinned_and_woken, tick, ticks, woken, Arguments, Watch};
use rayon::prelude::*;
use rayon::ThreadPool;
use workloads::{array, fib, fib_forks, fib_serial, queens, run_load, uts, Array, Binomial, Geometric, Node};

const UNTIL_ASLEEP: i64 = 1_000_000; // ns: longer than anybody here searches

fn pool(arguments: &Arguments) -> ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(arguments.workers).build().expect("no pool")
}

fn measure_fib(arguments: &Arguments) {
    let pool = pool(arguments);
    let n = arguments.size as u32;
    measure(arguments, fib_forks(n), || {
        pool.install(|| assert_eq!(fib(n), fib_serial(n), "fib is wrong"));
    });
}

fn measure_uts<N: Node>(arguments: &Arguments) {
    let pool = pool(arguments);
    let nodes = N::nodes(arguments.size);
    measure(arguments, nodes as f64, || {
        pool.install(|| assert_eq!(uts(&N::root(arguments.size)), nodes, "the tree has another size"));
    });
}

fn measure_queens(arguments: &Arguments) {
    let pool = pool(arguments);
    let n = arguments.size as u32;
    let solutions = workloads::queens_solutions(n);
    measure(arguments, solutions as f64, || {
        pool.install(|| assert_eq!(queens(&workloads::Board::default(), n, 0), solutions, "queens are wrong"));
    });
}

fn measure_for(arguments: &Arguments) {
    let pool = pool(arguments);
    let mut values = array();
    let mut changed = 0;
    measure(arguments, Array::OPERATIONS, || {
        for _ in 0..Array::PASSES {
            pool.install(|| {
                values.par_iter_mut().enumerate().with_min_len(arguments.size as usize).for_each(Array::change)
            });
        }
        changed += Array::PASSES;
    });
    Array::check(&values, changed);
}

fn measure_reduce(arguments: &Arguments) {
    let pool = pool(arguments);
    let values = array();
    let right = Array::sum(&values);
    measure(arguments, Array::OPERATIONS, || {
        for _ in 0..Array::PASSES {
            let sum = pool.install(|| {
                values
                    .par_iter()
                    .enumerate()
                    .with_min_len(arguments.size as usize)
                    .map(Array::map)
                    .reduce(|| 0, u64::wrapping_add)
            });
            assert_eq!(sum, right, "the sum is wrong");
        }
    });
}

fn measure_outside(arguments: &Arguments) {
    let pool = pool(arguments);
    let mut watch = Watch::default();
    let mut expected = 0;
    measure(arguments, arguments.size as f64, || {
        for _ in 0..arguments.size {
            pool.spawn(tick);
        }
        expected += arguments.size;
        watch.wait(expected);
    });
}

/// One task submits all others.
fn measure_from_one(arguments: &Arguments, submit: impl Fn(u64) + Sync) {
    let pool = pool(arguments);
    let mut watch = Watch::default();
    let mut expected = 0;
    measure(arguments, arguments.size as f64, || {
        pool.install(|| (0..arguments.size).for_each(&submit));
        expected += arguments.size;
        watch.wait(expected);
    });
    assert_eq!(ticks(), expected, "not all tasks ran");
}

fn measure_chain(arguments: &Arguments) {
    fn next(left: u64, over: std::sync::mpsc::SyncSender<()>) {
        if left == 0 {
            over.send(()).expect("nobody waits");
        } else {
            rayon::spawn(move || next(left - 1, over));
        }
    }
    let pool = pool(arguments);
    measure(arguments, arguments.size as f64, || {
        let (over, wait) = std::sync::mpsc::sync_channel(1);
        let left = arguments.size - 1;
        pool.spawn(move || next(left, over));
        wait.recv().expect("the chain broke");
    });
}

fn measure_wake(arguments: &Arguments, rest: i64) {
    let pool = pool(arguments);
    measure_wakes(arguments, rest, || pool.spawn(pinned_and_woken), || pool.spawn(woken));
}

fn measure_rest(arguments: &Arguments) {
    let pool = pool(arguments);
    pool.install(|| rayon::join(tick, tick));
    measure_idle(arguments);
}

fn main() {
    let arguments = Arguments::from_command_line();
    match arguments.workload.as_str() {
        "fib" => measure_fib(&arguments),
        "uts" => measure_uts::<Binomial>(&arguments),
        "uts_sha1" => measure_uts::<Geometric>(&arguments),
        "queens" => measure_queens(&arguments),
        "for" => measure_for(&arguments),
        "reduce" => measure_reduce(&arguments),
        "outside" => measure_outside(&arguments),
        "inside" => measure_from_one(&arguments, |_| rayon::spawn(tick)),
        "chain" => measure_chain(&arguments),
        "producer" => measure_from_one(&arguments, |i| rayon::spawn(move || run_load(i))),
        "asleep" => measure_wake(&arguments, UNTIL_ASLEEP),
        "awake" => measure_wake(&arguments, 0),
        "idle" => measure_rest(&arguments),
        _ => println!("absent 1"),
    }
}
