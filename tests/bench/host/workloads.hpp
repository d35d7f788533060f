// SPDX-License-Identifier: MIT OR Apache-2.0
// bench/host: the work itself, the same for every scheduler. `join(f, g)` calls both, in parallel if it can.
// rayon/src/workloads.rs says the same in Rust.
#pragma once

#include <math.h>
#include <string.h>

#include "harness.hpp"

namespace bench {

// ---- fib, a fork at every call: nothing but forks. fib(n) forks fib(n + 1) - 1 times.

inline uint64_t fib_serial(uint32_t n) {
    uint64_t a = 0;
    uint64_t b = 1;
    for (; n != 0; --n) {
        const uint64_t next = a + b;
        a = b;
        b = next;
    }
    return a;
}

template <class Join>
[[gnu::noinline]] uint64_t fib(const Join& join, uint32_t n) {
    if (n < 2) return n;
    uint64_t a = 0;
    uint64_t b = 0;
    join([&] { a = fib(join, n - 1); }, [&] { b = fib(join, n - 2); });
    return a + b;
}

inline double fib_forks(uint32_t n) { return static_cast<double>(fib_serial(n + 1) - 1); }

// ---- Splittable random numbers: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014.

constexpr uint64_t golden_gamma = 0x9e3779b97f4a7c15u;

inline uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// ---- Unbalanced tree search: Olivier et al., "UTS: An Unbalanced Tree Search Benchmark", 2006. A node is a random
// state, from which its children follow; the root's comes from a seed. Two kinds of tree:
//   uts        binomial, small nodes: states by the generator above. The root has 2000 children, another node 8 with
//              probability q just under 1/8.
//   uts_sha1   the published tree T1: geometric, fixed shape, depth 10, branching 4, seed 19; states by SHA-1. It has
//              4130071 nodes.

struct BinomialNode {
    static constexpr uint32_t root_children = 2000;
    static constexpr uint32_t inner_children = 8;
    static constexpr uint32_t q = 536333517;  // 0.124875 * 2^32

    uint64_t state;
    uint32_t children;

    // How many nodes the tree of this seed has: a large and a small tree.
    static uint64_t nodes(uint64_t seed) { return seed == 35 ? 2073305 : seed == 23 ? 118953 : 0; }
    static BinomialNode root(uint64_t seed) { return {mix(seed), root_children}; }
    BinomialNode child(uint32_t index) const {
        const uint64_t state_of_child = mix(state + (index + 1) * golden_gamma);
        return {state_of_child, state_of_child >> 32 < q ? inner_children : 0};
    }
};

// The hash of one block of at most 55 bytes: FIPS 180-4, section 6.1.
void sha1(const uint8_t* message, uint32_t size, uint8_t digest[20]);

struct GeometricNode {
    static constexpr uint32_t depth_limit = 10;
    static constexpr uint32_t most_children = 100;

    uint8_t state[20];
    uint32_t depth;
    uint32_t children;

    static uint64_t nodes(uint64_t seed) { return seed == 19 ? 4130071 : 0; }
    static GeometricNode root(uint64_t seed);
    GeometricNode child(uint32_t index) const;

private:
    void count_children();
};

template <class Node>
uint64_t count_serial(const Node& node) {
    uint64_t count = 1;
    for (uint32_t i = 0; i != node.children; ++i) count += count_serial(node.child(i));
    return count;
}

template <class Join, class Node>
uint64_t count(const Join& join, const Node& node);

// The subtrees of the children first..last of a node, of which there is at least one.
template <class Join, class Node>
uint64_t count_children(const Join& join, const Node& node, uint32_t first, uint32_t last) {
    if (last - first == 1) return count(join, node.child(first));
    const uint32_t middle = first + (last - first) / 2;
    uint64_t a = 0;
    uint64_t b = 0;
    join([&] { a = count_children(join, node, first, middle); },
         [&] { b = count_children(join, node, middle, last); });
    return a + b;
}

template <class Join, class Node>
uint64_t count(const Join& join, const Node& node) {
    return node.children == 0 ? 1 : 1 + count_children(join, node, 0, node.children);
}

// ---- n-queens, all solutions: a fork between any two legal columns of a row, no cut-off.

struct Board {
    static constexpr uint32_t most = 16;

    uint8_t columns[most];

    bool legal(uint32_t row, uint32_t column) const {
        for (uint32_t i = 0; i != row; ++i) {
            const uint32_t other = columns[i];
            const uint32_t distance = row - i;
            if (other == column || other + distance == column || column + distance == other) return false;
        }
        return true;
    }
    Board with(uint32_t row, uint32_t column) const {
        Board next = *this;
        next.columns[row] = static_cast<uint8_t>(column);
        return next;
    }
    uint32_t legal_columns(uint32_t size, uint32_t row, uint8_t* found) const {
        uint32_t count = 0;
        for (uint32_t column = 0; column != size; ++column) {
            if (legal(row, column)) found[count++] = static_cast<uint8_t>(column);
        }
        return count;
    }
};

inline uint64_t queens_solutions(uint32_t size) {
    constexpr uint64_t known[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712};
    return known[size];
}

inline uint64_t queens_serial(const Board& board, uint32_t size, uint32_t row) {
    if (row == size) return 1;
    uint8_t columns[Board::most];
    const uint32_t count = board.legal_columns(size, row, columns);
    uint64_t solutions = 0;
    for (uint32_t i = 0; i != count; ++i)
        solutions += queens_serial(board.with(row, columns[i]), size, row + 1);
    return solutions;
}

template <class Join>
uint64_t queens(const Join& join, const Board& board, uint32_t size, uint32_t row);

template <class Join>
uint64_t queens_between(const Join& join, const Board& board, uint32_t size, uint32_t row,
                        const uint8_t* first, const uint8_t* last) {
    if (last - first == 1) return queens(join, board.with(row, *first), size, row + 1);
    const uint8_t* const middle = first + (last - first) / 2;
    uint64_t a = 0;
    uint64_t b = 0;
    join([&] { a = queens_between(join, board, size, row, first, middle); },
         [&] { b = queens_between(join, board, size, row, middle, last); });
    return a + b;
}

template <class Join>
uint64_t queens(const Join& join, const Board& board, uint32_t size, uint32_t row) {
    if (row == size) return 1;
    uint8_t columns[Board::most];
    const uint32_t count = board.legal_columns(size, row, columns);
    return count == 0 ? 0 : queens_between(join, board, size, row, columns, columns + count);
}

// ---- Loops over an array that fits into a core's cache, a few instructions per element.

class Array {
public:
    static constexpr uint32_t size = 1u << 18;  // of 4 bytes
    static constexpr uint32_t passes = 4;       // in one sample
    static constexpr uint32_t grain = 64;
    static constexpr double operations = static_cast<double>(size) * passes;

    void change(uint32_t index) { values_[index] = static_cast<uint32_t>(mix(index ^ values_[index])); }
    uint64_t map(uint32_t index) const { return mix(index ^ values_[index]); }

    // After so many passes of change() over all elements.
    void check(uint32_t changed) const;
    uint64_t sum() const {
        uint64_t sum = 0;
        for (uint32_t i = 0; i != size; ++i) sum += map(i);
        return sum;
    }

private:
    uint32_t values_[size] = {};
};
extern Array array;

// ---- Tasks that do something, about a tenth of a microsecond: for one producer and many consumers.

inline uint64_t load(uint64_t x) {
    for (uint32_t i = 0; i != 32; ++i) x = mix(x);
    return x;
}
inline void run_load(uint64_t seed) {
    uint64_t result = load(seed);
    asm volatile("" : "+r"(result));
    tick();
}

// ---- The samples of all workloads that only fork. `enter(f)` calls f where join() may be called.

template <class Enter, class Join>
void measure_fib(const Arguments& arguments, const Enter& enter, const Join& join) {
    const uint32_t n = static_cast<uint32_t>(arguments.size);
    measure(arguments, fib_forks(n),
            [&] { enter([&] { expect(fib(join, n) == fib_serial(n), "fib is wrong"); }); });
}

template <class Node, class Enter, class Join>
void measure_uts(const Arguments& arguments, const Enter& enter, const Join& join) {
    const uint64_t nodes = Node::nodes(arguments.size);
    measure(arguments, static_cast<double>(nodes), [&] {
        enter([&] { expect(count(join, Node::root(arguments.size)) == nodes, "the tree has another size"); });
    });
}

template <class Enter, class Join>
void measure_queens(const Arguments& arguments, const Enter& enter, const Join& join) {
    const uint32_t n = static_cast<uint32_t>(arguments.size);
    measure(arguments, static_cast<double>(queens_solutions(n)), [&] {
        enter([&] { expect(queens(join, Board(), n, 0) == queens_solutions(n), "queens are wrong"); });
    });
}

// `loop(change)` calls change(i) for all indices of the array.
template <class Loop>
void measure_for(const Arguments& arguments, const Loop& loop) {
    uint32_t changed = 0;
    measure(arguments, Array::operations, [&] {
        for (uint32_t i = 0; i != Array::passes; ++i) loop([](uint32_t index) { array.change(index); });
        changed += Array::passes;
    });
    array.check(changed);
}

// `sum(map)` adds up map(i) over all indices.
template <class Sum>
void measure_reduce(const Arguments& arguments, const Sum& sum) {
    const uint64_t right = array.sum();
    measure(arguments, Array::operations, [&] {
        for (uint32_t i = 0; i != Array::passes; ++i) {
            expect(sum([](uint32_t index) { return array.map(index); }) == right, "the sum is wrong");
        }
    });
}

}  // namespace bench
