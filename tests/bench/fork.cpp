// SPDX-License-Identifier: MIT OR Apache-2.0
// bench: a fork and its join where no core is idle, over plain calls: Fibonacci numbers without a cut-off.
#include "bench.hpp"

#include <weft/parallel.hpp>

#include "figures.hpp"
#include "machine.hpp"

namespace bench {
namespace {

constexpr int32_t n = 15;

WEFT_CONSTINIT weft::Pool<1> pool{};

[[gnu::noinline]] int32_t plain(int32_t of) {
    if (of < 2) return of;
    const int32_t first = plain(of - 1);
    int32_t second = plain(of - 2);
    asm volatile("" : "+r"(second));  // a call, not a loop around the other one
    return first + second;
}

[[gnu::noinline]] int32_t forked(int32_t of) {
    if (of < 2) return of;
    int32_t first = 0;
    int32_t second = 0;
    weft::fork_join([&, of] { first = forked(of - 1); }, [&, of] { second = forked(of - 2); });
    return first + second;
}

[[gnu::noinline]] int32_t forked_here(weft::Here here, int32_t of) {
    if (of < 2) return of;
    int32_t first = 0;
    int32_t second = 0;
    weft::fork_join(
        here, [&, of](weft::Here there) { first = forked_here(there, of - 1); },
        [&, of](weft::Here there) { second = forked_here(there, of - 2); });
    return first + second;
}

// A group of two, as fork_join() with two callables, but both are children.
[[gnu::noinline]] int32_t grouped(int32_t of) {
    if (of < 2) return of;
    int32_t first = 0;
    int32_t second = 0;
    weft::GroupTask one([&, of] { first = grouped(of - 1); });
    weft::GroupTask two([&, of] { second = grouped(of - 2); });
    weft::TaskGroup group;
    group.run(one);
    group.run(two);
    group.wait();
    return first + second;
}

int32_t forks(int32_t of) { return of < 2 ? 0 : 1 + forks(of - 1) + forks(of - 2); }

template <class Function>
[[gnu::always_inline]] inline Tenths count(const char* name, Function function) {
    static Samples samples;
    samples.clear();
    for (uint32_t i = 0; i != 10; ++i) {
        start_anywhere();
        const uint32_t begin = counter();
        const int32_t result = function();
        const uint32_t end = counter(name);
        if (result != 610) fail("a Fibonacci number is wrong");
        samples.add(end - begin);
    }
    return samples.typical();
}

void run() {
    static_cast<void>(forked(2));  // the first fork of a worker makes an offer: somebody might be idle
    const Tenths calls = count("fib", [] { return plain(n); });
    print("fork_join", (count("fib_fork_join", [] { return forked(n); }) - calls) / forks(n));
    print("task_group", (count("fib_task_group", [] { return grouped(n); }) - calls) / forks(n));
    print("fork_join_here",
          (count("fib_fork_join_here", [] { return forked_here(weft::Here(), n); }) - calls) / forks(n));
}

}  // namespace

void measure_fork() {
    auto measurement = [] { run(); };
    weft::fork_join(pool, measurement, [] {});
}

}  // namespace bench
