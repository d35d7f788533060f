// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: numbers by chance, the same for the same seed everywhere.
#pragma once

#include <stdint.h>

#include <initializer_list>

namespace fuzz {

class Random {
public:
    explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du) {}

    // splitmix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
    uint64_t next() {
        state_ += 0x9e3779b97f4a7c15u;
        uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    uint32_t below(uint32_t limit) { return limit == 0 ? 0 : static_cast<uint32_t>((next() >> 32) % limit); }
    bool chance(unsigned percent) { return below(100) < percent; }
    // The number of a weight, in proportion.
    unsigned weighed(std::initializer_list<unsigned> weights) {
        unsigned sum = 0;
        for (const unsigned weight : weights) sum += weight;
        unsigned at = below(sum);
        unsigned index = 0;
        for (const unsigned weight : weights) {
            if (at < weight) break;
            at -= weight;
            ++index;
        }
        return index;
    }
    template <class T>
    T one_of(std::initializer_list<T> values) {
        return values.begin()[below(static_cast<uint32_t>(values.size()))];
    }

private:
    uint64_t state_;
};

}  // namespace fuzz
