// SPDX-License-Identifier: MIT OR Apache-2.0
//! bench/host: harness.hpp and allocations.cpp, in Rust.
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};

pub struct Arguments {
    pub workload: String,
    pub workers: usize,
    pub size: u64,
    budget: i64, // ns
}

impl Arguments {
    pub fn from_command_line() -> Self {
        let words: Vec<String> = std::env::args().collect();
        assert_eq!(words.len(), 5, "arguments: workload workers size milliseconds");
        let number = |index: usize| words[index].parse::<u64>().expect("not a number");
        unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1, 0, 0, 0) };
        let budget = number(4) as i64 * 1_000_000;
        Arguments { workload: words[1].clone(), workers: number(2) as usize, size: number(3), budget }
    }
}

fn read(clock: libc::clockid_t) -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

pub fn now() -> i64 {
    read(libc::CLOCK_MONOTONIC)
}

fn sleep(ns: i64) {
    let time = libc::timespec { tv_sec: ns / 1_000_000_000, tv_nsec: ns % 1_000_000_000 };
    unsafe { libc::nanosleep(&time, std::ptr::null_mut()) };
}

/// A machine without that processor is measured as it is.
fn pin(thread: libc::pid_t, cpu: usize) {
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(cpu, &mut set);
        libc::sched_setaffinity(thread, std::mem::size_of_val(&set), &set);
    }
}

/// See pin_workers() in harness.hpp. The main thread is no worker here.
fn pin_workers(arguments: &Arguments) {
    if arguments.workers < 2 {
        return;
    }
    let folder = std::fs::read_dir("/proc/self/task").expect("no list of threads");
    let number = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().parse().expect("not a thread");
    let mut threads: Vec<libc::pid_t> = folder.flatten().map(number).collect();
    threads.sort_unstable();
    threads.iter().skip(1).enumerate().for_each(|(cpu, thread)| pin(*thread, cpu));
}

fn print(name: &str, value: f64) {
    println!("{} {}", name, value);
}

// ---- Numbers that each thread counts in a line of its own.

#[repr(align(64))]
struct Line(AtomicU64);
#[allow(clippy::declare_interior_mutable_const)]
const ZERO: Line = Line(AtomicU64::new(0));
const MOST_THREADS: usize = 64;

static TALLIES: [Line; MOST_THREADS] = [ZERO; MOST_THREADS];
static ALLOCATIONS: [Line; MOST_THREADS] = [ZERO; MOST_THREADS];
static THREADS: AtomicUsize = AtomicUsize::new(0);
thread_local!(static INDEX: Cell<usize> = const { Cell::new(usize::MAX) });

#[inline]
fn count(lines: &[Line; MOST_THREADS]) {
    let index = INDEX.with(|index| {
        if index.get() == usize::MAX {
            index.set(THREADS.fetch_add(1, Ordering::Relaxed) % MOST_THREADS);
        }
        index.get()
    });
    let line = &lines[index].0;
    line.store(line.load(Ordering::Relaxed) + 1, Ordering::Release);
}

fn sum(lines: &[Line; MOST_THREADS]) -> u64 {
    lines.iter().map(|line| line.0.load(Ordering::Acquire)).sum()
}

/// One task ran.
#[inline]
pub fn tick() {
    count(&TALLIES);
}

pub fn ticks() -> u64 {
    sum(&TALLIES)
}

struct Counting;

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(&ALLOCATIONS);
        System.alloc(layout)
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        System.dealloc(memory, layout)
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// See Watch in harness.hpp.
#[derive(Default)]
pub struct Watch {
    usual: i64,
}

impl Watch {
    pub fn wait(&mut self, until: u64) {
        const LOOK_AGAIN: i64 = 5000;
        let begin = now();
        if self.usual > 0 {
            sleep(self.usual - self.usual / 16);
        }
        while ticks() != until {
            sleep(LOOK_AGAIN + self.usual / 256);
        }
        let took = now() - begin;
        if self.usual == 0 || took < self.usual {
            self.usual = took;
        }
    }
}

// ---- Samples

fn quantile(samples: &mut [f64], of_one: f64) -> f64 {
    samples.sort_by(|a, b| a.partial_cmp(b).expect("not a number"));
    samples[(of_one * (samples.len() - 1) as f64 + 0.5) as usize]
}

pub fn measure(arguments: &Arguments, operations: f64, mut sample: impl FnMut()) {
    let begin = now();
    sample();
    let once = now() - begin;
    pin_workers(arguments);
    let end = now() + arguments.budget;
    let mut samples = Vec::with_capacity(100_000);
    let before = sum(&ALLOCATIONS);
    loop {
        let from = now();
        sample();
        samples.push((now() - from) as f64 / operations);
        if now() >= end && (samples.len() >= 3 || once >= arguments.budget) {
            break;
        }
    }
    print("allocations", (sum(&ALLOCATIONS) - before) as f64 / samples.len() as f64 / operations);
    print("ns", quantile(&mut samples, 0.5));
    print("least", quantile(&mut samples, 0.0));
    print("samples", samples.len() as f64);
}

// ---- Wakes

static WOKEN_AT: AtomicI64 = AtomicI64::new(0);
static WOKEN: AtomicU64 = AtomicU64::new(0);

pub fn woken() {
    WOKEN_AT.store(now(), Ordering::Relaxed);
    WOKEN.store(WOKEN.load(Ordering::Relaxed) + 1, Ordering::Release);
}

pub fn pinned_and_woken() {
    pin(0, 1);
    woken();
}

fn wait_for_wake(ran: u64) {
    while WOKEN.load(Ordering::Acquire) != ran {
        std::hint::spin_loop();
    }
}

pub fn measure_wakes(arguments: &Arguments, rest: i64, first: impl Fn(), submit: impl Fn()) {
    pin(0, 0);
    first();
    wait_for_wake(1);
    let mut delays = Vec::with_capacity(arguments.size as usize);
    let mut trips = Vec::with_capacity(arguments.size as usize);
    let before = sum(&ALLOCATIONS);
    for i in 0..arguments.size {
        if rest != 0 {
            sleep(rest);
        }
        let from = now();
        submit();
        wait_for_wake(i + 2);
        trips.push((now() - from) as f64);
        delays.push((WOKEN_AT.load(Ordering::Relaxed) - from) as f64);
    }
    print("allocations", (sum(&ALLOCATIONS) - before) as f64 / arguments.size as f64);
    print("ns", quantile(&mut delays, 0.5));
    print("high", quantile(&mut delays, 0.99));
    print("least", quantile(&mut delays, 0.0));
    print("round_trip", quantile(&mut trips, 0.5));
    print("samples", delays.len() as f64);
}

/// What the workers use while they have nothing to do: ns per second.
pub fn measure_idle(arguments: &Arguments) {
    let others = || read(libc::CLOCK_PROCESS_CPUTIME_ID) - read(libc::CLOCK_THREAD_CPUTIME_ID);
    sleep(50_000_000);
    let begin = now();
    let used = others();
    sleep(arguments.size as i64 * 1_000_000);
    let used = (others() - used).max(0); // two clocks
    let share = used as f64 / (now() - begin) as f64;
    print("ns", share * 1e9);
    print("least", share * 1e9);
    print("samples", 1.0);
}
