// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of the rule by which the length of searches adapts (WEFT_SEARCH_MOST, docs/IDLE.md).
#include "harness.hpp"

#if WEFT_SEARCH_MOST

namespace unit {
namespace {

using weft::detail::SearchLength;

constexpr uint32_t least = SearchLength::least;
constexpr uint32_t most = SearchLength::most;
constexpr uint32_t long_sleep = 0xffffffffu;

// A round takes ten ticks: the longest search bridges ten times its rounds.
uint32_t behind(uint32_t rounds, uint32_t slept) { return SearchLength::next(rounds, rounds * 10, slept); }

void B9_short_sleeps_make_searches_longer() {
    uint32_t rounds = least;
    for (uint32_t sleeps = 0; rounds != most; ++sleeps) {
        if (!CHECK(sleeps < 32)) return;
        const uint32_t longer = behind(rounds, 1);
        CHECK_EQ(longer, rounds * 2 < most ? rounds * 2 : most);
        rounds = longer;
    }
}

void B9_long_sleeps_make_searches_shorter() {
    uint32_t rounds = most;
    for (uint32_t sleeps = 0; rounds != least; ++sleeps) {
        if (!CHECK(sleeps < 32)) return;
        const uint32_t shorter = behind(rounds, long_sleep);
        CHECK_EQ(shorter, rounds / 2 > least ? rounds / 2 : least);
        rounds = shorter;
    }
    CHECK_EQ(behind(least, long_sleep), least);
}

// The longest search would have lasted just so long, or one tick less.
void B9_the_border_is_the_longest_search() {
    for (uint32_t rounds = least; rounds < most; ++rounds) {
        const uint32_t left = (most - rounds) * 10;
        CHECK(behind(rounds, left) > rounds);
        CHECK(behind(rounds, left + 1) < rounds || rounds == least);
    }
}

// Who has searched as long as may be, and slept nevertheless, has done it in vain.
void B9_the_longest_search_in_vain() {
    CHECK_EQ(behind(most, 1), most / 2 > least ? most / 2 : least);
    CHECK_EQ(behind(most, 0), most);
}

// A clock that is slower than a search, and times of half a turn and more.
void B9_times_at_their_ends() {
    CHECK_EQ(SearchLength::next(least, 0, 0), least * 2 < most ? least * 2 : most);
    CHECK_EQ(SearchLength::next(least, 0, 1), least);
    CHECK_EQ(SearchLength::next(least, long_sleep, long_sleep), least * 2 < most ? least * 2 : most);
    CHECK_EQ(SearchLength::next(most, long_sleep, long_sleep), most / 2 > least ? most / 2 : least);
}

constexpr tap::Test tests[] = {
    TEST(B9_short_sleeps_make_searches_longer),
    TEST(B9_long_sleeps_make_searches_shorter),
    TEST(B9_the_border_is_the_longest_search),
    TEST(B9_the_longest_search_in_vain),
    TEST(B9_times_at_their_ends),
};

}  // namespace

extern const tap::Tests search_length_tests{tests};

}  // namespace unit

#endif
