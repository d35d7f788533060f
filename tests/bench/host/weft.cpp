// SPDX-License-Identifier: MIT OR Apache-2.0
// bench/host: weft on the host port. Forks: the main thread is core 0 and takes part. Tasks: it stays outside, and
// cores 1 and up do the work.
#include <weft/weft.hpp>

#include <memory>

#include "workloads.hpp"

namespace bench {
namespace {

constexpr uint32_t ring_size = 256;

void must(weft::Status status) { expect(status == weft::Status::ok, weft::describe(status)); }

// ---- Tasks

WEFT_CONSTINIT weft::Pool<2, ring_size> pool_of_one{};
WEFT_CONSTINIT weft::Pool<3, ring_size> pool_of_two{};

// The pool whose workers are cores 1 to `workers`, all of them there.
weft::Scheduler& workers_outside(const Arguments& arguments) {
    weft::Scheduler& pool = arguments.workers == 1 ? static_cast<weft::Scheduler&>(pool_of_one) : pool_of_two;
    expect(arguments.workers + 1 == pool.cores(), "one or two workers");
    static Signal here;
    static weft::Job announce([] { here.set(); });
    must(pool.submit(announce));  // tells the pool that this core has something else to do
    here.wait();
    for (uint32_t core = 1; core <= arguments.workers; ++core) {
        must(pool.submit_on(core, announce));
        here.wait();
    }
    return pool;
}

void end(weft::Scheduler& pool) {
    pool.shutdown();
    must(pool.join());
}

struct Empty : weft::Task {
    Empty() : Task(&Empty::run) {}
    static void run(weft::Task&) { tick(); }
};

struct Loaded : weft::Task {
    Loaded() : Task(&Loaded::run) {}
    static void run(weft::Task& self) { run_load(reinterpret_cast<uintptr_t>(&self)); }
};

// All in one batch; linking them is part of it.
void batch(const Arguments& arguments) {
    weft::Scheduler& pool = workers_outside(arguments);
    const std::unique_ptr<Empty[]> tasks(new Empty[arguments.size]);
    Watch watch;
    uint64_t expected = 0;
    measure(arguments, static_cast<double>(arguments.size), [&] {
        weft::Batch all;
        for (uint64_t i = 0; i != arguments.size; ++i) must(all.push(tasks[i]));
        must(pool.submit(all));
        watch.wait(expected += arguments.size);
    });
    end(pool);
}

void outside(const Arguments& arguments) {
    weft::Scheduler& pool = workers_outside(arguments);
    const std::unique_ptr<Empty[]> tasks(new Empty[arguments.size]);
    Watch watch;
    uint64_t expected = 0;
    measure(arguments, static_cast<double>(arguments.size), [&] {
        for (uint64_t i = 0; i != arguments.size; ++i) must(pool.submit(tasks[i]));
        watch.wait(expected += arguments.size);
    });
    end(pool);
}

// One task submits all others.
template <class Kind>
void from_one(const Arguments& arguments) {
    weft::Scheduler& pool = workers_outside(arguments);
    const std::unique_ptr<Kind[]> tasks(new Kind[arguments.size]);
    weft::Job first([&] {
        for (uint64_t i = 0; i != arguments.size; ++i) must(pool.submit(tasks[i]));
    });
    Watch watch;
    uint64_t expected = 0;
    measure(arguments, static_cast<double>(arguments.size), [&] {
        must(pool.submit(first));
        watch.wait(expected += arguments.size);
    });
    end(pool);
}

struct Chain : weft::Task {
    explicit Chain(weft::Scheduler& in) : Task(&Chain::run), pool(in) {}
    static void run(weft::Task& self) {
        Chain& chain = static_cast<Chain&>(self);
        if (--chain.left != 0) {
            must(chain.pool.submit(chain));
        } else {
            chain.over.set();
        }
    }

    weft::Scheduler& pool;
    uint64_t left = 0;
    Signal over;
};

void chain(const Arguments& arguments) {
    weft::Scheduler& pool = workers_outside(arguments);
    Chain link(pool);
    measure(arguments, static_cast<double>(arguments.size), [&] {
        link.left = arguments.size;
        must(pool.submit(link));
        link.over.wait();
    });
    end(pool);
}

void wakes(const Arguments& arguments, int64_t rest) {
    weft::Scheduler& pool = workers_outside(arguments);
    weft::Job first(pinned_and_woken);
    weft::Job task(woken);
    measure_wakes(
        arguments, rest, [&] { must(pool.submit(first)); }, [&] { must(pool.submit(task)); });
    end(pool);
}
void asleep(const Arguments& arguments) { wakes(arguments, until_asleep); }
void awake(const Arguments& arguments) { wakes(arguments, 0); }

void idle(const Arguments& arguments) {
    weft::Scheduler& pool = workers_outside(arguments);
    measure_idle(arguments);
    end(pool);
}

// ---- Everything on the main thread, which calls poll(): for counting instructions. The last task ends it.

WEFT_CONSTINIT weft::Pool<1, ring_size> pool_alone{};

template <class First>
void alone(const Arguments& arguments, uint64_t tasks, First first) {
    uint64_t ran = 0;
    first();
    while (ran != tasks) ran += pool_alone.poll(UINT32_MAX).tasks;
    print("tasks", static_cast<double>(arguments.size));
}

void alone_inside(const Arguments& arguments) {
    const std::unique_ptr<Empty[]> tasks(new Empty[arguments.size]);
    weft::Job root([&] {
        for (uint64_t i = 0; i != arguments.size; ++i) must(pool_alone.submit(tasks[i]));
    });
    alone(arguments, arguments.size + 1, [&] { must(pool_alone.submit(root)); });
}

// The ring is never full: this many are submitted, and the task that submits them comes behind them again.
void alone_near(const Arguments& arguments) {
    constexpr uint32_t at_once = ring_size / 2;
    const std::unique_ptr<Empty[]> tasks(new Empty[at_once]);
    const uint64_t turns = arguments.size / at_once;
    uint64_t turn = 0;
    weft::Task* again = nullptr;
    weft::Job root([&] {
        for (uint32_t i = 0; i != at_once; ++i) must(pool_alone.submit(tasks[i]));
        if (++turn != turns) must(pool_alone.submit(*again));
    });
    again = &root;
    alone(arguments, turns * (at_once + 1), [&] { must(pool_alone.submit(root)); });
}

void alone_batch(const Arguments& arguments) {
    const std::unique_ptr<Empty[]> tasks(new Empty[arguments.size]);
    alone(arguments, arguments.size, [&] {
        weft::Batch all;
        for (uint64_t i = 0; i != arguments.size; ++i) must(all.push(tasks[i]));
        must(pool_alone.submit(all));
    });
}

void alone_chain(const Arguments& arguments) {
    Chain link(pool_alone);
    link.left = arguments.size;
    alone(arguments, arguments.size, [&] { must(pool_alone.submit(link)); });
}

// ---- Forks

WEFT_CONSTINIT weft::Pool<2, ring_size> pair{};

weft::Scheduler& workers_inside(const Arguments& arguments) {
    return arguments.workers == 1 ? static_cast<weft::Scheduler&>(pool_alone) : pair;
}

const auto join = [](const auto& f, const auto& g) { weft::fork_join(f, g); };

template <class Measure>
void in_pool(const Arguments& arguments, const Measure& measure_it) {
    weft::Scheduler& pool = workers_inside(arguments);
    measure_it([&pool](const auto& f) { weft::fork_join(pool, f, [] {}); });
    end(pool);
}

void fib(const Arguments& arguments) {
    in_pool(arguments, [&](const auto& enter) { measure_fib(arguments, enter, join); });
}

// The same with the worker handed down, which spares looking it up in every fork.
uint64_t fib_here_from(weft::Here here, uint32_t n) {
    if (n < 2) return n;
    uint64_t a = 0;
    uint64_t b = 0;
    weft::fork_join(
        here, [&](weft::Here mine) { a = fib_here_from(mine, n - 1); },
        [&](weft::Here mine) { b = fib_here_from(mine, n - 2); });
    return a + b;
}

void fib_here(const Arguments& arguments) {
    const uint32_t n = static_cast<uint32_t>(arguments.size);
    in_pool(arguments, [&](const auto& enter) {
        measure(arguments, fib_forks(n), [&] {
            enter([&] { expect(fib_here_from(weft::Here(), n) == fib_serial(n), "fib is wrong"); });
        });
    });
}

template <class Node>
void uts(const Arguments& arguments) {
    in_pool(arguments, [&](const auto& enter) { measure_uts<Node>(arguments, enter, join); });
}

void queens(const Arguments& arguments) {
    in_pool(arguments, [&](const auto& enter) { measure_queens(arguments, enter, join); });
}

void loop_for(const Arguments& arguments) {
    weft::Scheduler& pool = workers_inside(arguments);
    const uint32_t grain = static_cast<uint32_t>(arguments.size);
    measure_for(arguments,
                [&](const auto& change) { weft::parallel_for(pool, 0u, Array::size, grain, change); });
    end(pool);
}

void loop_reduce(const Arguments& arguments) {
    weft::Scheduler& pool = workers_inside(arguments);
    const uint32_t grain = static_cast<uint32_t>(arguments.size);
    measure_reduce(arguments, [&](const auto& map) {
        return weft::parallel_reduce(pool, 0u, Array::size, grain, uint64_t{0}, map,
                                     [](uint64_t a, uint64_t b) { return a + b; });
    });
    end(pool);
}

// `fork(n)` is fib(n).
template <class Fork>
void alone_forks(const Arguments& arguments, const Fork& fork) {
    const uint32_t n = static_cast<uint32_t>(arguments.size);
    uint64_t result = 0;
    weft::fork_join(
        pool_alone, [&] { result = fork(n); }, [] {});
    expect(result == fib_serial(n), "fib is wrong");
    print("tasks", fib_forks(n));
}

void alone_fib(const Arguments& arguments) {
    alone_forks(arguments, [](uint32_t n) { return bench::fib(join, n); });
}

void alone_fib_here(const Arguments& arguments) {
    alone_forks(arguments, [](uint32_t n) { return fib_here_from(weft::Here(), n); });
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    using namespace bench;
    return dispatch(argc, argv,
                    {{"fib", fib},
                     {"fib_here", fib_here},
                     {"uts", uts<BinomialNode>},
                     {"uts_sha1", uts<GeometricNode>},
                     {"queens", queens},
                     {"for", loop_for},
                     {"reduce", loop_reduce},
                     {"batch", batch},
                     {"outside", outside},
                     {"inside", from_one<Empty>},
                     {"chain", chain},
                     {"producer", from_one<Loaded>},
                     {"asleep", asleep},
                     {"awake", awake},
                     {"idle", idle},
                     {"alone_near", alone_near},
                     {"alone_inside", alone_inside},
                     {"alone_batch", alone_batch},
                     {"alone_chain", alone_chain},
                     {"alone_fib", alone_fib},
                     {"alone_fib_here", alone_fib_here}});
}
