// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of two rules: after how many tasks a worker looks at the shared queues (WEFT_FAIR_MOST, docs/DESIGN.md
// 4.6), and at whom a random round of victims begins (WEFT_RANDOM_VICTIMS, 4.5).
#include "harness.hpp"

#if WEFT_FAIR_MOST || WEFT_RANDOM_VICTIMS

namespace unit {
namespace {

#if WEFT_FAIR_MOST
using weft::detail::FairTurn;

constexpr uint32_t per_ms = 1000000;
constexpr uint32_t target = per_ms * WEFT_FAIR_MS;  // the ticks between two looks

constexpr uint32_t most_doublings() {
    uint32_t count = 0;
    while ((uint32_t{WEFT_FAIR_INTERVAL} << (count + 1)) <= WEFT_FAIR_MOST) ++count;
    return count;
}

// An average in which every WEFT_FAIR_INTERVAL tasks took so long.
uint32_t settled(uint32_t ticks, uint32_t from) {
    uint32_t average = from;
    for (uint32_t i = 0; i < 200; ++i) average = FairTurn::averaged(average, ticks);
    return average;
}

void V4_the_average_settles_at_what_is_measured() {
    for (uint32_t ticks : {0u, 1u, 7u, 1000u, 123456789u, FairTurn::longest}) {
        const uint32_t from_below = settled(ticks, 0) / 4;
        const uint32_t from_above = settled(ticks, 4 * FairTurn::longest) / 4;
        CHECK_EQ(from_below, ticks);
        CHECK(from_above == ticks || from_above == ticks + 1);
    }
}

void V4_one_measure_in_four_counts() {
    // A single stretch of another length moves the average by a fourth of the difference.
    CHECK_EQ(FairTurn::averaged(4000, 2000), 5000);
    CHECK_EQ(FairTurn::averaged(4000, 0), 3000);
    CHECK_EQ(FairTurn::averaged(0, 2000), 8000);  // the first one is all that is known
    CHECK_EQ(FairTurn::averaged(4 * FairTurn::longest, 0xffffffffu), 4 * FairTurn::longest);
}

void V4_the_interval_is_the_longest_one_within_the_time() {
    CHECK_EQ(FairTurn::doublings(0, per_ms), most_doublings());
    for (uint32_t count = 0; count < most_doublings(); ++count) {
        const uint32_t border = target >> (count + 1);  // so many ticks, and one doubling more is allowed
        CHECK(FairTurn::doublings(border * 4, per_ms) >= count + 1);
        CHECK(FairTurn::doublings((border + 1) * 4, per_ms) <= count);
    }
}

void V4_the_interval_stays_inside_its_clamps() {
    for (uint32_t ticks = 1; ticks < FairTurn::longest; ticks *= 2) {
        const uint32_t interval = WEFT_FAIR_INTERVAL << FairTurn::doublings(ticks * 4, per_ms);
        CHECK(interval >= WEFT_FAIR_INTERVAL && interval <= WEFT_FAIR_MOST);
    }
    CHECK_EQ(FairTurn::doublings(0xffffffffu, per_ms), 0);
    CHECK_EQ(FairTurn::doublings(0xffffffffu, 1), 0);
}
#endif

#if WEFT_RANDOM_VICTIMS
using weft::detail::Victims;

void B8_random_rounds_begin_at_each_victim() {
    for (uint32_t others : {1u, 2u, 3u, 7u, 31u}) {
        Victims victims(0);
        uint32_t begun[31] = {};
        const uint32_t rounds = 200 * others;
        for (uint32_t i = 0; i < rounds; ++i) {
            const uint32_t last = victims.last(others);
            if (!CHECK(last < others)) return;
            ++begun[last];
        }
        // A share of 200 each; this seed is fixed, so this holds or does not.
        for (uint32_t i = 0; i < others; ++i) CHECK(begun[i] >= 100 && begun[i] <= 300);
    }
}

void B8_random_rounds_of_two_cores_differ() {
    Victims one(1), again(1), other(2);
    uint32_t same = 0;
    for (uint32_t i = 0; i < 1000; ++i) {
        const uint32_t last = one.last(16);
        CHECK_EQ(again.last(16), last);
        if (other.last(16) == last) ++same;
    }
    CHECK(same < 200);
}

void B8_no_random_sequence_is_stuck() {
    for (uint32_t core = 0; core < 1000; ++core) CHECK(Victims::begin(core) != 0);
    CHECK_EQ(Victims::next(1), 270369);  // the first of the paper's sequences
}
#endif

constexpr tap::Test tests[] = {
#if WEFT_FAIR_MOST
    TEST(V4_the_average_settles_at_what_is_measured),
    TEST(V4_one_measure_in_four_counts),
    TEST(V4_the_interval_is_the_longest_one_within_the_time),
    TEST(V4_the_interval_stays_inside_its_clamps),
#endif
#if WEFT_RANDOM_VICTIMS
    TEST(B8_random_rounds_begin_at_each_victim),
    TEST(B8_random_rounds_of_two_cores_differ),
    TEST(B8_no_random_sequence_is_stuck),
#endif
};

}  // namespace

extern const tap::Tests turns_tests{tests};

}  // namespace unit

#endif
