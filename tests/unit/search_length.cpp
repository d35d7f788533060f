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
uint32_t behind(uint32_t rounds, uint32_t slept) {
    return SearchLength::next(rounds, rounds, rounds * 10, slept);
}

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

// Where others search one round is made, not all (WEFT_FEW_SEARCHERS): how far the longest search reaches follows from
// that one.
void B9_a_search_that_was_cut_short() {
    const uint32_t reach = (most - 1) * 10;
    CHECK(SearchLength::next(most, 1, 10, reach) == most);
    CHECK(SearchLength::next(most, 1, 10, reach + 1) < most || most == least);

    weft::Port::Plain<uint16_t> rounds(most);
    SearchLength length(rounds);
    CHECK_EQ(length.made(), most);
    length.cut(length.rounds());  // in the first of them
    CHECK_EQ(length.made(), 1u);
    length.cut(2);  // in the last but one
    CHECK_EQ(length.made(), most - 1);
    length.sleeps();
    length.wakes();  // the next one is whole, however long
    CHECK_EQ(length.made(), length.rounds());
}

// A clock that is slower than a search, and times of half a turn and more.
void B9_times_at_their_ends() {
    CHECK_EQ(SearchLength::next(least, least, 0, 0), least * 2 < most ? least * 2 : most);
    CHECK_EQ(SearchLength::next(least, least, 0, 1), least);
    CHECK_EQ(SearchLength::next(least, least, long_sleep, long_sleep), least * 2 < most ? least * 2 : most);
    CHECK_EQ(SearchLength::next(most, most, long_sleep, long_sleep), most / 2 > least ? most / 2 : least);
}

constexpr tap::Test tests[] = {
    TEST(B9_short_sleeps_make_searches_longer), TEST(B9_long_sleeps_make_searches_shorter),
    TEST(B9_the_border_is_the_longest_search),  TEST(B9_the_longest_search_in_vain),
    TEST(B9_a_search_that_was_cut_short),       TEST(B9_times_at_their_ends),
};

}  // namespace

extern const tap::Tests search_length_tests{tests};

}  // namespace unit

#endif
