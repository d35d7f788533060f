// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: SearchLength, how many rounds a core searches before it sleeps. docs/IDLE.md, 1.
#pragma once

#include <weft/config.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

#if WEFT_SEARCH_MOST

// Of one search, which may have several sleeps in it.
class SearchLength {
public:
    static constexpr uint32_t least = WEFT_SEARCH_ROUNDS + 1;
    static constexpr uint32_t most = WEFT_SEARCH_MOST + 1;

    // What follows upon `rounds`, of which `made` found nothing in `searched` ticks, and a sleep of `slept`. The rule
    // is the one by which hosts poll for virtual processors (Linux, halt polling: grow and shrink): twice as many if
    // the longest search would have lasted until the wake, half as many if not.
    static constexpr uint32_t next(uint32_t rounds, uint32_t made, uint32_t searched, uint32_t slept) {
        const bool in_reach = uint64_t{slept} * made <= uint64_t{searched} * (most - made);
        const uint32_t changed = in_reach ? rounds * 2 : rounds / 2;
        return changed < least ? least : changed > most ? most : changed;
    }

    explicit SearchLength(Plain<uint16_t>& rounds) : rounds_(rounds), since_(Port::now()) {}

    uint32_t rounds() const { return rounds_.get(); }
    // How many of them it has made when it sleeps.
    uint32_t made() const { return rounds() - spared_; }
    // In the last but `left - 1` of its rounds: it makes no more.
    void cut(uint32_t left) { spared_ = left - 1; }
    void sleeps() {
        const uint32_t now = Port::now();
        searched_ = now - since_;
        since_ = now;
    }
    void wakes() {
        const uint32_t now = Port::now();
        rounds_.set(static_cast<uint16_t>(next(rounds(), made(), searched_, now - since_)));
        spared_ = 0;
        since_ = now;
    }

private:
    Plain<uint16_t>& rounds_;  // of this core, from search to search
    uint32_t since_;           // now() when the search began, or the sleep
    uint32_t searched_ = 0;
    uint32_t spared_ = 0;  // how many of the rounds were not made
};

#else

class SearchLength {
public:
    explicit SearchLength(int) {}
    static constexpr uint32_t rounds() { return WEFT_SEARCH_ROUNDS + 1; }
    static void cut(uint32_t) {}
    static void sleeps() {}
    static void wakes() {}
};

#endif

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
