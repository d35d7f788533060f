// SPDX-License-Identifier: MIT OR Apache-2.0
// Workloads: two trees that nobody has in memory. How many ways there are to place n queens; and an unbalanced tree.
#include "workloads.hpp"

namespace workloads {
namespace {

// ---- Queens, a row at a time. A set of columns is a word; a fork for each column but the last.

constexpr uint32_t fewest_queens = 4;
constexpr uint32_t most_queens = size(12, 10);
constexpr uint32_t solutions[] = {2,   10,  4,    40,   92,
                                  352, 724, 2680, 14200};  // for 4 queens and more: OEIS A000170

struct Attacked {
    uint32_t columns;
    uint32_t falling;  // diagonals, as the next row sees them
    uint32_t rising;
};

uint32_t place(Here here, uint32_t board, Attacked attacked);

uint32_t place_in(Here here, uint32_t board, Attacked attacked, uint32_t free) {
    const uint32_t queen = free & (0 - free);
    const Attacked next = {attacked.columns | queen, (attacked.falling | queen) << 1,
                           (attacked.rising | queen) >> 1};
    const uint32_t others = free ^ queen;
    if (others == 0) return place(here, board, next);
    uint32_t with = 0;
    uint32_t without = 0;
    fork_join(
        here, [&](Here there) { with = place(there, board, next); },
        [&](Here there) { without = place_in(there, board, attacked, others); });
    return with + without;
}

// The number of solutions from here on.
uint32_t place(Here here, uint32_t board, Attacked attacked) {
    if (attacked.columns == board) return 1;
    const uint32_t free = board & ~(attacked.columns | attacked.falling | attacked.rising);
    return free == 0 ? 0 : place_in(here, board, attacked, free);
}

// ---- After "UTS: An Unbalanced Tree Search Benchmark" (Olivier et al., 2006), the geometric kind of fixed depth: each
// child follows from its parent's state, so nobody knows a subtree's size before it has been there. States by the
// generator of Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (2014).

constexpr uint32_t tree_depth = size(8, 5);
constexpr uint32_t most_children = 100;
constexpr uint32_t one_more = 3435973836u;  // 2^32 times the probability of a further child: 4 on average

struct Count {
    uint32_t nodes = 0;
    uint32_t leaves = 0;
    uint32_t deepest = 0;
};
Count operator+(Count a, Count b) {
    return {a.nodes + b.nodes, a.leaves + b.leaves, a.deepest > b.deepest ? a.deepest : b.deepest};
}
bool operator==(Count a, Count b) {
    return a.nodes == b.nodes && a.leaves == b.leaves && a.deepest == b.deepest;
}

uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t child_of(uint64_t state, uint32_t index) { return mix(state + (index + 1) * 0x9e3779b97f4a7c15u); }

uint32_t children_of(uint64_t state, uint32_t depth) {
    if (depth == tree_depth) return 0;
    uint32_t children = 0;
    while (children < most_children && child_of(~state, children) >> 32 < one_more) ++children;
    return children;
}

Count count_serially(uint64_t state, uint32_t depth) {
    const uint32_t children = children_of(state, depth);
    Count count = {1, children == 0 ? 1u : 0u, depth};
    for (uint32_t i = 0; i < children; ++i) count = count + count_serially(child_of(state, i), depth + 1);
    return count;
}

Count count_in_parallel(uint64_t state, uint32_t depth) {
    const uint32_t children = children_of(state, depth);
    const Count itself = {1, children == 0 ? 1u : 0u, depth};
    return itself + parallel_reduce(
                        uint32_t(0), children, 1, Count(),
                        [=](uint32_t i) { return count_in_parallel(child_of(state, i), depth + 1); },
                        [](Count a, Count b) { return a + b; });
}

void B7_queens() {
    on_each_crew([](Scheduler& pool) {
        for (uint32_t queens = fewest_queens; queens <= most_queens; ++queens) {
            uint32_t found = 0;
            in(pool, [&](Here here) { found = place(here, (1u << queens) - 1, {0, 0, 0}); });
            CHECK_EQ(found, solutions[queens - fewest_queens]);
        }
    });
}

// How much others take is chance where an emulator's cores share few processors. Of something large they take a part.
void B7_queens_are_shared() {
    on_each_crew([](Scheduler& pool) {
        const auto others_took_some = [&] {
            in(pool, [](Here here) {
                CHECK_EQ(place(here, (1u << most_queens) - 1, {0, 0, 0}),
                         solutions[most_queens - fewest_queens]);
            });
            return pool.total().stolen != 0;
        };
        if (pool.cores() > 1) CHECK(tap::eventually(others_took_some));
    });
}

void B7_unbalanced_tree() {
    constexpr uint64_t seeds[] = {19, 34, 57};
    Count expected[sizeof seeds / sizeof seeds[0]];
    uint32_t nodes = 0;
    for (uint32_t i = 0; i < sizeof seeds / sizeof seeds[0]; ++i) {
        expected[i] = count_serially(mix(seeds[i]), 0);
        nodes += expected[i].nodes;
    }
    if (tap::option("show", 0) != 0) tap::note(nodes, " nodes");
    on_each_crew([&](Scheduler& pool) {
        for (uint32_t i = 0; i < sizeof seeds / sizeof seeds[0]; ++i) {
            Count found;
            in(pool, [&](Here) { found = count_in_parallel(mix(seeds[i]), 0); });
            CHECK(found == expected[i]);
        }
    });
}

constexpr tap::Test tests[] = {
    TEST(B7_queens),
    TEST(B7_queens_are_shared),
    TEST(B7_unbalanced_tree),
};

}  // namespace

extern const tap::Tests search_tests{tests};

}  // namespace workloads
