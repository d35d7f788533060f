// SPDX-License-Identifier: MIT OR Apache-2.0
// Stress tests: waits within waits, over two pools. A task of one pool waits for a task of either, which does the same,
// a few levels deep; each of them forks as well, for the pool that it belongs to. So a core is in one pool, within it
// in the other, and within that in the first one again.
#include "program.hpp"
#include "rounds.hpp"

namespace stress {
namespace {

using weft::acquire;
using weft::Atomic;
using weft::Port;
using weft::relaxed;
using weft::release;
using weft::Scheduler;
using weft::Status;

constexpr uint32_t deepest = 5;
constexpr uint32_t most_tasks = 12;

// Each index once, whoever runs it.
void loop(tap::Random& random) {
    constexpr uint32_t most = 32;
    Atomic<uint32_t> runs[most];
    const uint32_t count = random.below(most + 1);
    const uint32_t noise = random.below(4) == 0 ? 40 : 0;
    weft::parallel_for(0u, count, 1 + random.below(3), [&](uint32_t i) {
        for (uint32_t left = noise; left != 0; --left) Port::relax();
        runs[i].fetch_add(1, relaxed);
    });
    for (uint32_t i = 0; i < count; ++i) CHECK_EQ(runs[i].load(relaxed), 1);
    Watch::progress();
}

// In a task of pools[own].
void descend(Scheduler* const (&pools)[2], uint32_t own, uint32_t seed, uint32_t depth) {
    tap::Random random(seed);
    if (random.below(2) == 0) loop(random);
    if (depth != deepest && random.below(3) != 0) {
        const uint32_t next = random.below(4) == 0 ? own : 1 - own;
        const uint32_t below = random.next();
        weft::Work work(*pools[next], [&, next, below, depth] { descend(pools, next, below, depth + 1); });
        CHECK_EQ(pools[next]->submit(work), Status::ok);
        CHECK_EQ(work.wait(), Status::ok);
    }
    if (random.below(2) == 0) loop(random);
}

struct Root : weft::TaskOf<Root> {
    Root() = default;
    void run() {
        descend(*pools, own, seed, 0);
        left->fetch_sub(1, release);
    }
    Scheduler* const (*pools)[2] = nullptr;
    Atomic<uint32_t>* left = nullptr;
    uint32_t own = 0;
    uint32_t seed = 0;
};

template <uint32_t cores>
void run_round(uint32_t seed, Watch& watch) {
    tap::Random random(seed);
    weft::Pool<cores, 4> first{};
    weft::Pool<cores, 4> second{};
    Scheduler* const pools[2] = {&first, &second};
    watch.watched(&first, &second);
    static Root roots[most_tasks];
    for (uint32_t waves = 1 + random.below(8); waves != 0; --waves) {
        const uint32_t count = 1 + random.below(most_tasks);
        Atomic<uint32_t> left(count);
        for (uint32_t i = 0; i < count; ++i) {
            roots[i].pools = &pools, roots[i].left = &left;
            roots[i].own = random.below(2), roots[i].seed = random.next();
            CHECK_EQ(pools[roots[i].own]->submit(roots[i]), Status::ok);
        }
        // Core 0 works for either; cores that one pool has are not there for the other.
        while (left.load(acquire) != 0) {
            for (Scheduler* const pool : pools) CHECK_EQ(pool->poll(1).status, Status::ok);
            Port::relax();
        }
    }
    for (Scheduler* const pool : pools) pool->shutdown();
    for (Scheduler* const pool : pools) CHECK_EQ(pool->join(), Status::ok);
    watch.watched(nullptr, nullptr);
}

}  // namespace

void run_waits(const char* name, uint32_t seed, uint32_t milliseconds) {
    const uint32_t rounds = run_rounds(name, seed, milliseconds, [](uint32_t seed_of_round, Watch& watch) {
        seed_of_round % 3 == 0 ? run_round<2>(seed_of_round, watch) : run_round<4>(seed_of_round, watch);
    });
    tap::note(rounds, " rounds");
}

}  // namespace stress
