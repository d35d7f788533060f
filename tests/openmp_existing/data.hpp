// SPDX-License-Identifier: MIT OR Apache-2.0
// What the kernels work on, and the functions that they hand to an algorithm.
#pragma once

#include <algorithm>
#include <numeric>

#include "kernels.hpp"

namespace existing {

inline constexpr uint32_t count = 20000;
using Numbers = uint32_t[count];

// The same numbers each time, below `end`.
inline void fill(Numbers& numbers, uint32_t end, uint32_t seed = 1) {
    for (uint32_t& number : numbers) {
        seed = seed * 1664525u + 1013904223u;
        number = (seed >> 8) % end;
    }
}
template <class Value, size_t size>
bool same(const Value (&left)[size], const Value (&right)[size]) {
    return std::equal(left, left + size, right);
}

inline constexpr uint32_t is_wide = 1u << 24;

struct Less {
    bool operator()(uint32_t left, uint32_t right) const {
        witness.see();
        return left < right;
    }
};
struct Add {
    uint32_t operator()(uint32_t left, uint32_t right) const {
        witness.see();
        return left + right;
    }
};

}  // namespace existing
