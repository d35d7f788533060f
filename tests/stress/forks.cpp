// SPDX-License-Identifier: MIT OR Apache-2.0
// Stress tests: waves of forks. A wave is a handful of random trees of fork_join, TaskGroup, parallel_for and
// parallel_reduce, grown at the same time by tasks, by core 0 and by threads that are no cores; each gives the number
// that it gives serially. As with the other waves, nobody shuts the pool down before everything has come to its end.
#include <thread>
#include <vector>

#include "program.hpp"
#include "rounds.hpp"

namespace stress {
namespace {

using weft::acquire;
using weft::Atomic;
using weft::fork_join;
using weft::GroupTask;
using weft::Port;
using weft::relaxed;
using weft::release;
using weft::Scheduler;
using weft::Status;
using weft::Task;

constexpr Shape shapes[] = {shape<2, 4>, shape<3, 4>, shape<4, 4>, shape<6, 4>, shape<8, 4>};

uint32_t leaf(tap::Random& random) {
    Watch::progress();
    const uint32_t number = random.next();
    if (random.below(8) == 0) dawdle(random, random.below(8) == 0 ? 500 : 30);
    return number;
}

uint32_t grow(uint32_t seed, uint32_t depth);

uint32_t grow_group(uint32_t seed, uint32_t depth, uint32_t count) {
    uint32_t of[4] = {};
    GroupTask first([&] { of[0] = grow(seed, depth); });
    GroupTask second([&] { of[1] = grow(seed + 1, depth); });
    GroupTask third([&] { of[2] = grow(seed + 2, depth); });
    weft::TaskGroup group;
    if (count > 0) group.run(first);
    if (count > 1) group.run(second);
    if (count > 2) group.run(third);
    of[3] = grow(seed + 3, depth);
    group.wait();
    return of[0] + 3 * of[1] + 5 * of[2] + 7 * of[3];
}

uint32_t grow_loop(uint32_t seed, uint32_t depth, uint32_t count, uint32_t grain) {
    constexpr uint32_t most = 24;
    uint32_t of[most] = {};
    weft::parallel_for(0u, count % most, grain, [&](uint32_t i) { of[i] = grow(seed + i, depth); });
    uint32_t sum = 0;
    for (const uint32_t one : of) sum = sum * 3 + one;
    return sum;
}

// The same number wherever it is grown, in a pool or outside of all pools.
uint32_t grow(uint32_t seed, uint32_t depth) {
    tap::Random random(seed);
    if (depth == 0 || random.below(5) == 0) return leaf(random);
    const uint32_t below = depth - 1;
    const uint32_t next = random.next();
    const uint32_t far = below == 0 ? 0 : below - 1;  // loops have more branches
    uint32_t a = 0;
    uint32_t b = 0;
    uint32_t c = 0;
    switch (random.below(5)) {
        case 0: fork_join([&] { a = grow(next, below); }, [&] { b = grow(next + 1, below); }); break;
        case 1:
            fork_join([&] { a = grow(next, below); }, [&](weft::Here) { b = grow(next + 1, below); },
                      [&] { c = grow(next + 2, below); });
            break;
        case 2: a = grow_group(next, below, random.below(4)); break;
        case 3: a = grow_loop(next, far, random.next() >> 8, random.below(4)); break;
        default:
            a = weft::parallel_reduce(
                0u, random.below(40), random.below(5), 0u, [&](uint32_t i) { return grow(next + i, far); },
                [](uint32_t x, uint32_t y) { return x + y; });
    }
    return a + 3 * b + 7 * c;
}

struct Tree : Task {
    constexpr Tree() : Task(&Tree::run) {}
    static void run(Task& self) {
        Tree& tree = static_cast<Tree&>(self);
        tree.number = grow(tree.seed, tree.depth);
        tree.grown.store(1, release);
    }
    Atomic<uint32_t> grown{};
    uint32_t seed = 0;
    uint32_t depth = 0;
    uint32_t number = 0;  // with `grown`
};
constexpr uint32_t most_trees = 4;
Tree trees[most_trees];

// From outside, on core 0 or on a thread that is none.
void grow_outside(Scheduler& pool, uint32_t seed, uint32_t depth, uint32_t expected) {
    uint32_t a = 0;
    uint32_t b = 0;
    fork_join(
        pool, [&] { a = grow(seed, depth); }, [&] { b = grow(seed, depth); });
    CHECK_EQ(a, expected);
    CHECK_EQ(b, expected);
}

void run_wave(Scheduler& pool, tap::Random& random, uint32_t) {
    const uint32_t depth = 1 + random.below(6);
    const uint32_t count = random.below(most_trees + 1);
    const uint32_t outside = random.next();
    const uint32_t expected = grow(outside, depth);
    std::vector<std::thread> threads;
    for (uint32_t left = random.below(4) == 0 ? 1 + random.below(2) : 0; left != 0; --left) {
        threads.emplace_back(
            [&pool, outside, depth, expected] { grow_outside(pool, outside, depth, expected); });
    }
    for (uint32_t i = 0; i < count; ++i) {
        trees[i].grown.store(0, relaxed);
        trees[i].seed = random.next();
        trees[i].depth = depth;
        CHECK_EQ(pool.submit(trees[i]), Status::ok);
    }
    if (random.below(3) == 0) grow_outside(pool, outside, depth, expected);
    for (uint32_t i = 0; i < count; ++i) {
        while (trees[i].grown.load(acquire) == 0) Port::relax();  // the watch ends it if it does not end
        CHECK_EQ(trees[i].number, grow(trees[i].seed, depth));
    }
    for (std::thread& thread : threads) thread.join();
    if (random.below(2) == 0) dawdle(random, 1u << random.below(13));
}

}  // namespace

void run_forks(const char* name, uint32_t seed, uint32_t milliseconds) {
    run_rounds_of_waves(name, seed, milliseconds, shapes, 20, run_wave);
}

}  // namespace stress
