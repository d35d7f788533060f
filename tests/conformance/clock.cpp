// SPDX-License-Identifier: MIT OR Apache-2.0
// Conformance of a port: the clock, and the fence.
#include "crew.hpp"

namespace conformance {
namespace {

// ---- clock_is_shared: a core reads the clock between two reads of core 0, in an order that words enforce.

Atomic<uint32_t> asked;
Atomic<uint32_t> answered;
Plain<uint32_t> answer;
constexpr uint32_t stop = UINT32_MAX;

void tell_time(uint32_t) {
    for (uint32_t last = 0;;) {
        uint32_t question = last;
        tap::wait_for([&] { return (question = asked.load(acquire)) != last; }, "a question for the time");
        if (question == stop) return;
        last = question;
        answer.set(Port::now());
        answered.store(question, release);
    }
}

int32_t later_by(uint32_t later, uint32_t earlier) { return static_cast<int32_t>(later - earlier); }

// ---- fence_orders_store_before_load: two cores store to a flag each and load the other's. With a fence
// between, at least one of them sees the other's store. To meet within the few cycles that count, both go
// along a row of flags; a batch is one row, and its number is what they store.

constexpr uint32_t row = 128;

// Stores to lines that the other side has just written stand before each store to a flag: it waits behind them, and the
// load has time to pass it.
constexpr uint32_t words_per_line = 16;
constexpr uint32_t clutter_lines = 16;
constexpr uint32_t clutter_per_round = 8;
Atomic<uint32_t> clutter[clutter_lines * words_per_line];

struct alignas(Port::cache_line) Side {
    Lone arrived;
    Lone left;
    Atomic<uint32_t> flags[row];
    Plain<uint32_t> seen[row];  // what this side saw of the other's flags; published with `left`
};
Side sides[2];
Lone last_batch;  // UINT32_MAX while it is not known
bool fences = true;

void wait_for_side(uint32_t side, Lone Side::*word, uint32_t batch) {
    const auto there = [=] { return (sides[side].*word).word.load(acquire) >= batch; };
    for (uint32_t i = 0; i < 1000; ++i) {  // without a relax(): so the two go on as close together as can be
        if (there()) return;
    }
    tap::wait_for(there, "the other side of a fence test");
}

// The sides do not pass the meeting point at the same cycle: shift them against each other, a little more
// each batch.
void shift(uint32_t me, uint32_t batch) {
    if (batch % 2 == me) hesitate(batch / 2 % 32);
}

void go_along(uint32_t me, uint32_t batch) {
    Side& mine = sides[me];
    const Side& other = sides[1 - me];
    mine.arrived.word.store(batch, release);
    wait_for_side(1 - me, &Side::arrived, batch);
    shift(me, batch);
    uint32_t line = batch * row * clutter_per_round;
    for (uint32_t i = 0; i < row; ++i) {
        for (uint32_t n = 0; n < clutter_per_round; ++n) {
            clutter[line++ % clutter_lines * words_per_line + me].store(batch, relaxed);
        }
        mine.flags[i].store(batch, relaxed);
        if (fences) Port::fence();
        mine.seen[i].set(other.flags[i].load(relaxed));
    }
}

// Core 0 decides about the end in `last_batch` before it leaves a batch, so that the other knows before the
// next.
void other_side(uint32_t) {
    work_for_a_while();
    for (uint32_t batch = 1; batch <= last_batch.word.load(relaxed); ++batch) {
        go_along(1, batch);
        sides[1].left.word.store(batch, release);
        wait_for_side(0, &Side::left, batch);
    }
}

uint32_t count_both_missed(uint32_t batch) {
    uint32_t both = 0;
    for (uint32_t i = 0; i < row; ++i) {
        if (sides[0].seen[i].get() < batch && sides[1].seen[i].get() < batch) ++both;
    }
    return both;
}

// How often both sides missed the other's store.
uint32_t store_buffering(uint32_t core, bool with_fences, Rounds& batches) {
    for (Side& side : sides) {
        side.arrived.word.store(0, relaxed);
        side.left.word.store(0, relaxed);
        for (Atomic<uint32_t>& flag : side.flags) flag.store(0, relaxed);
    }
    last_batch.word.store(UINT32_MAX, relaxed);
    fences = with_fences;
    start(core, other_side);
    work_for_a_while();
    uint32_t both_missed = 0;
    bool more = batches.next();
    while (more) {
        const uint32_t batch = batches.done();
        go_along(0, batch);
        wait_for_side(1, &Side::left, batch);
        both_missed += count_both_missed(batch);
        more = batches.next();
        if (!more) last_batch.word.store(batch, relaxed);  // published by the next store
        sides[0].left.word.store(batch, release);
    }
    join("a fence test");
    return both_missed;
}

// First without fences, until the reordering has been seen: else the test could not fail, whatever the fence does. Then
// with fences, for at least as many rounds.
bool fence_is_seen_to_order(uint32_t core, uint32_t patience) {
    constexpr uint32_t fence_ms =
        300;  // whatever `ms=` says: in less time a reordering may not be seen, and it skips
    constexpr uint32_t wanted = 20;  // sightings
    uint32_t shown = 0;
    uint32_t batches = 0;
    for (uint32_t tries = 0; tries < patience && shown < wanted; ++tries) {
        Rounds without(2000, fence_ms);
        shown += store_buffering(core, false, without);
        batches += without.done();
    }
    if (shown == 0) {
        tap::note("core ", core, ": no reordering in ", batches * row, " rounds without fences");
        return false;
    }
    uint32_t fenced = 0;
    while (fenced < batches) {
        Rounds with(batches - fenced, fence_ms);
        CHECK_EQ(store_buffering(core, true, with), 0);
        fenced += with.done();
    }
    tap::note("core ", core, ": never in ", fenced * row, " rounds with fences; without fences ", shown,
              " times in ", batches * row);
    return true;
}

void clock_runs_forward() {
    CHECK(Port::ticks_per_ms() != 0);
    tap::note("ticks_per_ms is ", Port::ticks_per_ms());
    CHECK(Port::ticks_per_ms() < (1u << 24));  // else the clock wraps several times a second
    on_all("reading the clock", [](uint32_t core) {
        CHECK_EQ(Port::ticks_per_ms() == 0, false);
        uint32_t backwards = 0;
        uint32_t last = Port::now();
        const uint32_t first = last;
        for (uint32_t i = 0; i < 20000; ++i) {
            const uint32_t now = Port::now();
            if (later_by(now, last) < 0) ++backwards;
            last = now;
        }
        CHECK_EQ(backwards, 0);
        CHECK(tap::eventually([=] { return Port::now() != first; }));
        if (core == 0) tap::note("20000 looks at the clock took ", last - first, " ticks");
    });
}

void clock_is_shared() {
    if (crew() < 2) return tap::skip("not on this board: a second core");
    // The clocks of two cores may differ a little; a millisecond is a lot.
    const int32_t tolerance = static_cast<int32_t>(Port::ticks_per_ms());
    for (uint32_t i = 1; i < crew(); ++i) {
        asked.store(0, relaxed);
        answered.store(0, relaxed);
        start(member(i), tell_time);
        int32_t worst = 0;  // how far a later read lies before an earlier one
        for (Rounds rounds(200); rounds.next();) {
            const uint32_t question = rounds.done();
            const uint32_t before = Port::now();
            asked.store(question, release);
            tap::wait_for([=] { return answered.load(acquire) == question; }, "the time of another core");
            const uint32_t after = Port::now();
            const int32_t there = later_by(answer.get(), before);
            const int32_t back = later_by(after, answer.get());
            if (there < worst) worst = there;
            if (back < worst) worst = back;
        }
        asked.store(stop, release);
        join("telling the time");
        CHECK(worst >= -tolerance);
        tap::note("core ", member(i), ": its clock differs from that of core 0 by at least ", -worst,
                  " ticks");
    }
}

void fence_orders_store_before_load() {
    if (crew() < 2) return tap::skip("not on this board: a second core");
    bool seen = false;
    for (uint32_t i = 1; i < crew(); ++i) seen |= fence_is_seen_to_order(member(i), seen ? 2 : 10);
    if (!seen) tap::skip("not on this board: a store that passes a later load, so nothing was shown");
}

constexpr tap::Test tests[] = {
    TEST(clock_runs_forward),
    TEST(clock_is_shared),
    TEST(fence_orders_store_before_load),
};

}  // namespace

extern const tap::Tests clock_tests{tests};

}  // namespace conformance
