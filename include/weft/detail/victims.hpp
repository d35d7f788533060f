// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Victims, where a round of victims begins. docs/DESIGN.md 4.5.
#pragma once

#include <weft/config.hpp>
#include <weft/port.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

// Distances: how many cores behind this one a victim is, round: 1 .. others. A round begins behind the one that is
// returned here, and goes on to all of them. Used by its own core only.
#if WEFT_RANDOM_VICTIMS

// Marsaglia, "Xorshift RNGs" (2003): a word with a period of 2^32 - 1, and three shifts for the next one.
class Victims {
public:
    constexpr explicit Victims(uint32_t core) : random_(begin(core)) {}

    uint32_t last(uint32_t others) {
        random_.set(next(random_.get()));
        return scaled(random_.get(), others);
    }
    static void found(uint32_t) {}

    // Each core has its own sequence of the seed. Zero would stay zero.
    static constexpr uint32_t begin(uint32_t core) {
        const uint32_t word = uint32_t{WEFT_RANDOM_VICTIMS} + core * 0x9e3779b9u;
        return word != 0 ? word : 1;
    }
    static constexpr uint32_t next(uint32_t word) {
        word ^= word << 13;
        word ^= word >> 17;
        word ^= word << 5;
        return word;
    }
    // 0 .. others - 1. Of the upper half; 16 bits are enough for 65536 others, without a division.
    static constexpr uint32_t scaled(uint32_t word, uint32_t others) { return (word >> 16) * others >> 16; }

private:
    Plain<uint32_t> random_;
};

#else

class Victims {
public:
    constexpr explicit Victims(uint32_t) {}
    uint32_t last(uint32_t) const { return last_.get(); }
    void found(uint32_t distance) { last_.set(distance); }

private:
    Plain<uint32_t> last_{};  // the last success; 0: none yet
};

#endif

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
