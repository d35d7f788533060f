// SPDX-License-Identifier: MIT OR Apache-2.0
// For tests: repeatable random numbers (xorshift32, Marsaglia 2003).
#pragma once

#include <stdint.h>

namespace tap {

class Random {
public:
    explicit constexpr Random(uint32_t seed) : state_(seed * 2654435769u | 1u) {}  // never zero

    constexpr uint32_t next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 17;
        state_ ^= state_ << 5;
        return state_;
    }

    // 0 .. limit-1; limit is not 0.
    constexpr uint32_t below(uint32_t limit) { return next() % limit; }

private:
    uint32_t state_;
};

}  // namespace tap
