// SPDX-License-Identifier: MIT OR Apache-2.0
// Equal coarse parts, one for each core of a pool whose other cores sleep: how many instructions core 0 executes from
// the first fork (or submit) to the moment when all parts are done. check_parts.py counts what stands between the marks
// with the counting plugin; here nothing is judged.
//     form=0 (submits), 1 (group), 2 (loop), 3 (forks)   cores=2, 4 or 8
#include <weft/weft.hpp>

#include "board.hpp"
#include "tap.hpp"

namespace parts {
namespace {

constexpr uint32_t most_cores = 8;
constexpr uint32_t rounds = 10;
constexpr uint32_t turns_until_asleep = 1000;

// 4600 instructions. Under -icount a core has the machine to itself until it sleeps or yields: so that the cores
// advance side by side, the part hands its turn on once in 46 of them.
[[gnu::noinline]] void part() {
    uint32_t left = 100;
    uint32_t inner;
    asm volatile(
        "1:\n\tmov %w1, #21\n"
        "2:\n\tsubs %w1, %w1, #1\n\tb.ne 2b\n\t"
        "yield\n\t"
        "subs %w0, %w0, #1\n\tb.ne 1b"
        : "+r"(left), "=&r"(inner)
        :
        : "cc");
}

[[gnu::always_inline]] inline void begin_counting() { asm volatile("mov x27, x27" ::: "memory"); }
[[gnu::always_inline]] inline void end_counting() { asm volatile("mov x28, x28" ::: "memory"); }

weft::Atomic<uint32_t> done;

struct Part : weft::Task {
    constexpr Part() : Task(&Part::run) {}
    static void run(weft::Task&) {
        part();
        done.fetch_add(1, weft::release);
    }
};
Part tasks[most_cores];

// What one writes by hand: a task for each other core, and a spin.
void by_submits(weft::Scheduler& pool) {
    const uint32_t others = pool.cores() - 1;
    for (uint32_t i = 0; i != others; ++i) static_cast<void>(pool.submit(tasks[i]));
    part();
    while (done.load(weft::acquire) != others) weft::Port::relax();
}

template <uint32_t children>
void group_of() {
    static constexpr auto body = [] { part(); };
    struct Child : weft::GroupTask<decltype(body)> {
        Child() : weft::GroupTask<decltype(body)>(body) {}
    } child[children];
    weft::TaskGroup group;
    for (auto& one : child) group.run(one);
    part();
}

void by_group(weft::Scheduler& pool) {
    switch (pool.cores()) {
        case 2: return group_of<1>();
        case 4: return group_of<3>();
        default: return group_of<7>();
    }
}

void by_loop(weft::Scheduler& pool) {
    weft::parallel_for(0u, pool.cores(), 1, [](uint32_t) { part(); });
}

void by_forks(weft::Scheduler& pool) {
    switch (pool.cores()) {
        case 2: return weft::fork_join(&part, &part);
        case 4: return weft::fork_join(&part, &part, &part, &part);
        default: return weft::fork_join(&part, &part, &part, &part, &part, &part, &part, &part);
    }
}

constexpr void (*forms[])(weft::Scheduler&) = {by_submits, by_group, by_loop, by_forks};

void measure(weft::Scheduler& pool, void (*form)(weft::Scheduler&)) {
    for (uint32_t round = 0; round != 2 * rounds; ++round) {  // the first half: cores are started, and meet
        for (uint32_t i = 0; i != turns_until_asleep; ++i) weft::Port::relax();
        done.store(0, weft::relaxed);
        if (round >= rounds) begin_counting();
        form(pool);
        if (round >= rounds) end_counting();
    }
    pool.shutdown();
}

WEFT_CONSTINIT weft::Pool<2> pool_of_2{};
WEFT_CONSTINIT weft::Pool<4> pool_of_4{};
WEFT_CONSTINIT weft::Pool<8> pool_of_8{};

}  // namespace
}  // namespace parts

extern "C" int board_main() {
    using namespace parts;
    const uint32_t cores = tap::option("cores", 4);
    weft::Scheduler& pool = cores == 2   ? static_cast<weft::Scheduler&>(pool_of_2)
                            : cores == 4 ? static_cast<weft::Scheduler&>(pool_of_4)
                                         : static_cast<weft::Scheduler&>(pool_of_8);
    const uint32_t form = tap::option("form", 0) % 4;
    weft::Job all([&] { measure(pool, forms[form]); });
    if (pool.submit_on(0, all) != weft::Status::ok || pool.run() != weft::Status::ok) return 1;
    return pool.join() == weft::Status::ok ? 0 : 1;
}
