// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: States, how many different states of the memory have been seen: linear counting (Whang et al., "A
// Linear-Time Probabilistic Counting Algorithm for Database Applications", 1990) over the newest values of all words.
#pragma once

#include <stdint.h>

#include <cmath>
#include <vector>

namespace weft {
namespace model {

class States {
public:
    States() : seen_(bits / 64) {}

    // What is seen from now on belongs to another program.
    void begin_program(uint64_t salt) { salt_ = mixed(salt, ~salt); }
    void begin_execution() { state_ = salt_; }
    // Most executions begin alike; a bit for each state costs less than to find that out.
    void add(uint64_t change) {
        state_ ^= change;
        const uint64_t at = mixed(state_, 0) % bits;
        seen_[at / 64] |= uint64_t{1} << (at % 64);
    }
    template <class Copy>
    void each_part(Copy& copy) {
        copy(state_);
    }
    double count() const {
        uint64_t empty = 0;
        for (const uint64_t part : seen_) empty += 64u - static_cast<unsigned>(__builtin_popcountll(part));
        if (empty == 0) empty = 1;
        return static_cast<double>(bits) * std::log(static_cast<double>(bits) / static_cast<double>(empty));
    }

    // splitmix64's mixer (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
    static uint64_t mixed(uint64_t a, uint64_t b) {
        uint64_t z = a * 0x9e3779b97f4a7c15u + b;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

private:
    static constexpr uint64_t bits = uint64_t{1} << 26;

    std::vector<uint64_t> seen_;
    uint64_t salt_ = 0;
    uint64_t state_ = 0;
};

}  // namespace model
}  // namespace weft
