// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests: timers, on a pool of one core that polls, with a clock that stands where the test sets it.
#include <algorithm>
#include <new>

#include "../kit/reveal.hpp"
#include "harness.hpp"
#include "weft_host_faults.hpp"

#if WEFT_TIMERS

namespace tap {
namespace portrait {

struct Left {
    friend constexpr auto reveal(Left);
};
struct Right {
    friend constexpr auto reveal(Right);
};
struct Rank {
    friend constexpr auto reveal(Rank);
};
template struct Reveal<Left, &weft::Timer::left_>;
template struct Reveal<Right, &weft::Timer::right_>;
template struct Reveal<Rank, &weft::Timer::rank_>;

}  // namespace portrait
}  // namespace tap

namespace unit {
namespace {

using weft::CancelResult;
using weft::Timer;
using weft::host::set_clock;

// The clock, until the test ends. It wraps soon.
class Clock {
public:
    Clock() { pass(0); }
    ~Clock() { weft::host::clear_faults(); }
    uint32_t now() const { return now_; }
    void pass(uint32_t ticks) { set_clock(now_ += ticks); }

private:
    uint32_t now_ = 0xfffffff0u;
};

// How many runs until now.
uint32_t poll(weft::Scheduler& pool) { return pool.poll(1000).tasks; }

// At its time, not before, once; by each of the three starts; also across the wrap of the clock.
void V12_one_shot() {
    Clock clock;
    Pool<1> pool;
    Count beat;
    Timer timer{pool, beat};
    for (const uint32_t delay : {1u, 15u, 16u, 17u, 1000u, 0x7fffffffu}) {
        for (const bool at : {false, true}) {
            CHECK_EQ(at ? timer.start_at(clock.now() + delay) : timer.start_after_from_isr(delay),
                     Status::ok);
            CHECK(timer.is_armed());
            clock.pass(delay - 1);
            CHECK_EQ(poll(pool), 0);
            clock.pass(1);
            CHECK_EQ(poll(pool), 1);
            CHECK(!timer.is_armed());
            CHECK_EQ(poll(pool), 0);
        }
    }
    CHECK_EQ(beat.runs, 12);
    CHECK_EQ(timer.missed(), 0);
}

// What has passed runs at once, however long it has passed.
void V12_past_deadlines_run_at_once() {
    Clock clock;
    Pool<1> pool;
    Count beat;
    Timer timer{pool, beat};
    for (const uint32_t ago : {0u, 1u, 1000u, 0x7fffffffu}) {
        CHECK_EQ(timer.start_at(clock.now() - ago), Status::ok);
        CHECK_EQ(poll(pool), 1);
    }
}

// A pool that nobody has looked at for nearly half a turn of the clock fires what is due, and no more.
void V12_long_neglected() {
    Clock clock;
    Pool<1> pool;
    Count beat, late;
    Timer timer{pool, beat}, far{pool, late};
    CHECK_EQ(timer.start_after(10), Status::ok);
    clock.pass(0x7ffffff0u);
    CHECK_EQ(far.start_after(0x7fffffffu), Status::ok);
    CHECK_EQ(poll(pool), 1);
    CHECK_EQ(beat.runs, 1);
    clock.pass(0x7ffffffeu);
    CHECK_EQ(poll(pool), 0);
    clock.pass(1);
    CHECK_EQ(poll(pool), 1);
}

// Many timers, started, started again and cancelled at random: they fire in the order of their times.
void V12_order_of_many() {
    constexpr unsigned count = 300;
    struct Listed : weft::TaskOf<Listed> {
        void run() { list->push_back(place); }
        std::vector<unsigned>* list = nullptr;
        unsigned place = 0;
    };
    tap::Random random(7);
    std::vector<unsigned> list;
    std::vector<Listed> beats(count);
    for (unsigned round = 0; round != 40; ++round) {
        Clock clock;
        Pool<1> pool;
        std::vector<std::unique_ptr<Timer>> timers;
        std::vector<uint32_t> when(count, 0);  // behind now; 0: not armed
        for (unsigned i = 0; i != count; ++i) {
            beats[i].list = &list, beats[i].place = i;
            timers.push_back(std::make_unique<Timer>(pool, beats[i]));
        }
        const uint32_t range = 1u << (1 + round % 31);
        for (unsigned step = 0; step != 3 * count; ++step) {
            const unsigned i = random.below(count);
            if (random.below(3) == 0) {
                CHECK_EQ(timers[i]->cancel(),
                         when[i] != 0 ? CancelResult::cancelled : CancelResult::not_armed);
                when[i] = 0;
            } else {
                when[i] = 1 + random.below(range - 1);
                CHECK_EQ(timers[i]->start_after(when[i]), Status::ok);
            }
        }
        list.clear();
        uint32_t passed = 0;
        while (passed < range) {
            const uint32_t step = range < 8 ? 1 : std::min(range - passed, 1 + random.below(range / 4));
            clock.pass(step);
            passed += step;
            const size_t before = list.size();
            poll(pool);
            for (size_t i = before; i != list.size(); ++i) {
                CHECK(when[list[i]] <= passed && when[list[i]] > passed - step);
                CHECK(i == before || when[list[i - 1]] <= when[list[i]]);
            }
        }
        CHECK_EQ(list.size(), count - static_cast<size_t>(std::count(when.begin(), when.end(), 0u)));
    }
}

// The queue's promise of O(log n) steps: each node's right branch is no longer than its left one, also when timers are
// taken out of the middle. (What fires, and in which order, would be the same without.)
void V12_the_tree_stays_leftist() {
    using namespace tap::portrait;
    constexpr unsigned count = 100;
    tap::Random random(11);
    Clock clock;
    Pool<1> pool;
    Count beat;
    std::vector<std::unique_ptr<Timer>> timers;
    for (unsigned i = 0; i != count; ++i) timers.push_back(std::make_unique<Timer>(pool, beat));
    const auto rank_of = [](const Timer* timer) {
        return timer != nullptr ? (timer->*reveal(Rank())).get() : 0;
    };
    for (unsigned step = 0; step != 20 * count; ++step) {
        Timer& one = *timers[random.below(count)];
        if (random.below(3) == 0) {
            static_cast<void>(one.cancel());
        } else {
            CHECK_EQ(one.start_after(1 + random.below(1000)), Status::ok);
        }
        for (const auto& each : timers) {
            const uint32_t rank = rank_of(each.get());
            if (rank == 0) continue;  // not armed
            const uint32_t right = rank_of((each.get()->*reveal(Right())).get());
            CHECK_EQ(rank, right + 1);
            CHECK(rank_of((each.get()->*reveal(Left())).get()) >= right);
        }
    }
    for (const auto& each : timers) static_cast<void>(each->cancel());
}

// The times of a periodic timer are whole periods behind its start. What passes while nobody looks is left out.
void V12_periods_neither_drift_nor_bunch() {
    Clock clock;
    Pool<1> pool;
    Count beat;
    Timer timer{pool, beat};
    CHECK_EQ(timer.start_every(10), Status::ok);
    for (unsigned beats = 1; beats != 5; ++beats) {
        clock.pass(9);
        CHECK_EQ(poll(pool), 0);
        clock.pass(1);
        CHECK_EQ(poll(pool), 1);
    }
    clock.pass(57);  // five periods, and seven ticks
    CHECK_EQ(poll(pool), 1);
    CHECK_EQ(poll(pool), 0);
    CHECK_EQ(timer.missed(), 4);
    clock.pass(2);
    CHECK_EQ(poll(pool), 0);
    clock.pass(1);
    CHECK_EQ(poll(pool), 1);
    CHECK_EQ(beat.runs, 6);
    CHECK_EQ(timer.cancel(), CancelResult::cancelled);
    clock.pass(1000);
    CHECK_EQ(poll(pool), 0);
}

// Many periods that passed during a run: each is counted.
void V12_what_passes_during_a_run_is_counted() {
    for (const uint32_t lasts : {5u, 10u, 25u, 47u}) {
        Clock clock;
        Pool<1> pool;
        uint32_t runs = 0;
        Job beat([&] {
            ++runs;
            clock.pass(lasts);
        });
        Timer timer{pool, beat};
        CHECK_EQ(timer.start_every(10), Status::ok);
        const uint32_t begin = clock.now();
        while (runs != 50) {
            clock.pass(1);
            CHECK_EQ(pool.poll(1).status, Status::ok);
        }
        const uint32_t periods = (clock.now() - lasts - begin) / 10;  // until the last run began
        CHECK_EQ(runs + timer.missed(), periods);
        CHECK_EQ(timer.cancel(), CancelResult::cancelled);
    }
}

// Periodic timers alone, over some turns of the clock: the first one is always the next one.
void V12_periods_keep_their_order_for_turns_of_the_clock() {
    Clock clock;
    Pool<1> pool;
    Count beats[3];
    Timer timers[3] = {{pool, beats[0]}, {pool, beats[1]}, {pool, beats[2]}};
    constexpr uint32_t periods[] = {0x10000000u, 0x18000001u, 0x30000003u};
    for (uint32_t i = 0; i != 3; ++i) CHECK_EQ(timers[i].start_every(periods[i]), Status::ok);
    uint64_t passed = 0;
    for (uint32_t step = 0; step != 400; ++step) {
        clock.pass(0x04000000u);
        passed += 0x04000000u;
        poll(pool);
        for (uint32_t i = 0; i != 3; ++i) CHECK_EQ(beats[i].runs, passed / periods[i]);
    }
    for (Timer& timer : timers) CHECK_EQ(timer.missed(), 0);
    for (Timer& timer : timers) CHECK_EQ(timer.cancel(), CancelResult::cancelled);
}

// A start for what has passed, while others are overdue, is due as they are: it is not behind those to come.
void V12_a_start_in_the_past_is_due_beside_others() {
    Clock clock;
    Pool<1> pool;
    Count beat, other, far;
    Timer first{pool, other}, late{pool, beat}, last{pool, far};
    CHECK_EQ(first.start_after(10), Status::ok);
    CHECK_EQ(last.start_after(1000), Status::ok);
    clock.pass(20);
    CHECK_EQ(late.start_at(clock.now() - 500), Status::ok);
    CHECK_EQ(poll(pool), 2);
    CHECK_EQ(beat.runs, 1);
    CHECK_EQ(far.runs, 0);
    CHECK_EQ(last.cancel(), CancelResult::cancelled);
}

// A run that has not begun, or not ended, when the next one is due.
void V12_runs_do_not_overlap() {
    Clock clock;
    Pool<1> pool;
    Timer* its = nullptr;
    unsigned runs = 0;
    Job beat([&] {
        ++runs;
        clock.pass(10);
        CHECK_EQ(pool.poll(1).status, Status::wrong_context);
        CHECK(its->is_armed());
        if (runs == 2) CHECK_EQ(its->cancel(), CancelResult::too_late);
        if (runs == 2) CHECK_EQ(its->cancel(), CancelResult::too_late);  // it runs
    });
    Timer timer{pool, beat};
    its = &timer;
    CHECK_EQ(timer.start_every(10), Status::ok);
    clock.pass(10);
    CHECK_EQ(pool.poll(1).tasks, 1);
    CHECK_EQ(pool.poll(1).tasks, 1);
    clock.pass(1000);
    CHECK_EQ(poll(pool), 0);
    CHECK_EQ(runs, 2);
    CHECK_EQ(timer.cancel(), CancelResult::not_armed);

    // A one-shot that is queued, and is started and due again: each start runs, or is counted.
    Count other;
    Timer once{pool, other};
    Job again([&] { CHECK_EQ(once.start_after(0), Status::ok); });
    Timer before{pool, again};
    CHECK_EQ(before.start_after(1), Status::ok);
    CHECK_EQ(once.start_after(2), Status::ok);
    clock.pass(2);
    poll(pool);
    CHECK_EQ(other.runs + once.missed(), 2);
}

// The answers of cancel(), each of them twice.
void V12_cancel_says_what_becomes_of_it() {
    Clock clock;
    Pool<1> pool;
    Count beat;
    Timer timer{pool, beat};
    CHECK_EQ(timer.cancel(), CancelResult::not_armed);
    CHECK_EQ(timer.start_after(5), Status::ok);
    CHECK_EQ(timer.cancel(), CancelResult::cancelled);
    CHECK_EQ(timer.cancel(), CancelResult::not_armed);
    CHECK_EQ(timer.start_every(5), Status::ok);
    CHECK_EQ(timer.cancel_from_isr(), CancelResult::cancelled);
    CHECK_EQ(timer.cancel_from_isr(), CancelResult::not_armed);
    clock.pass(5);
    CHECK_EQ(poll(pool), 0);
    // In the queue: a task before it looks.
    CHECK_EQ(timer.start_after(2), Status::ok);
    Job before([&] {
        CHECK_EQ(timer.cancel(), CancelResult::too_late);
        CHECK_EQ(timer.cancel(), CancelResult::too_late);
    });
    Timer first{pool, before};
    CHECK_EQ(first.start_after(1), Status::ok);
    clock.pass(2);
    CHECK_EQ(poll(pool), 2);
    CHECK_EQ(beat.runs, 1);
    CHECK_EQ(timer.cancel(), CancelResult::not_armed);
}

void V12_out_of_range() {
    Clock clock;
    Pool<1> pool;
    Count beat;
    Timer timer{pool, beat};
    CHECK_EQ(timer.start_after(0x80000000u), Status::out_of_range);
    CHECK_EQ(timer.start_after(0x7fffffffu, 1), Status::out_of_range);
    CHECK_EQ(timer.start_after(0, 0x80000000u), Status::out_of_range);
    CHECK_EQ(timer.start_every(0), Status::out_of_range);
    CHECK_EQ(timer.start_every(5, 5), Status::out_of_range);
    CHECK_EQ(timer.start_every_from_isr(0x80000000u), Status::out_of_range);
    CHECK(!timer.is_armed());
    CHECK_EQ(weft::milliseconds(7), 7 * weft::Port::ticks_per_ms());
    CHECK_EQ(weft::milliseconds(~0u), ~0u);
    CHECK_EQ(timer.start_after(weft::milliseconds(~0u)), Status::out_of_range);
}

// Timers whose times lie within each other's slack are served together; none is early, none later than its slack.
void V12_slack_brings_timers_together() {
    tap::Random random(3);
    for (unsigned round = 0; round != 2000; ++round) {
        Clock clock;
        Pool<1> pool;
        Count beats[2];
        Timer timers[2] = {{pool, beats[0]}, {pool, beats[1]}};
        const uint32_t slack = random.below(100);
        const uint32_t at = clock.now() + 1 + random.below(100);
        CHECK_EQ(timers[0].start_at(at, slack), Status::ok);
        CHECK_EQ(timers[1].start_at(at), Status::ok);
        while (beats[0].runs == 0) {
            clock.pass(1);
            poll(pool);
            CHECK_EQ(beats[1].runs, clock.now() - at < 1000 ? 1 : 0);
        }
        CHECK(clock.now() - at <= slack);
    }
    Clock clock;
    Pool<1> pool;
    Count beats[8];
    Timer timers[8] = {{pool, beats[0]}, {pool, beats[1]}, {pool, beats[2]}, {pool, beats[3]},
                       {pool, beats[4]}, {pool, beats[5]}, {pool, beats[6]}, {pool, beats[7]}};
    for (uint32_t i = 0; i != 8; ++i) CHECK_EQ(timers[i].start_after(33 + 2 * i, 20), Status::ok);
    unsigned wakes = 0;
    for (unsigned i = 0; i != 100; ++i) {
        clock.pass(1);
        if (poll(pool) != 0) ++wakes;
    }
    CHECK_EQ(wakes, 1);
}

// An armed timer does not keep its pool, and does not run behind the shutdown.
void V12_armed_timers_do_not_keep_a_pool() {
    Clock clock;
    Count beat;
    Pool<1> pool;
    Timer timer{pool, beat}, other{pool, beat};
    CHECK_EQ(timer.start_after(5), Status::ok);
    clock.pass(5);
    pool.shutdown();
    CHECK_EQ(other.start_after(5), Status::closed);
    CHECK_EQ(other.start_every_from_isr(5), Status::closed);
    CHECK_EQ(pool.run(), Status::ok);
    CHECK_EQ(pool.join(), Status::ok);
    CHECK_EQ(beat.runs, 0);
    CHECK_EQ(timer.cancel(), CancelResult::cancelled);
}

// Of a timer that was due twice before its first run, that run abandons the pool, at the joiner: the second one does
// not come. (Found by a generated program.)
void V12_abandoned_in_its_own_run() {
    Clock clock;
    Pool<1> pool;
    unsigned runs = 0;
    Job end([&] { ++runs, pool.shutdown(weft::Shutdown::abandon); });
    Timer timer{pool, end};
    Count pinned, injected;  // taken first, one by each look
    CHECK_EQ(pool.submit_on(0, pinned), Status::ok);
    CHECK_EQ(pool.submit(injected), Status::ok);
    for (unsigned due = 0; due != 2; ++due) {
        CHECK_EQ(timer.start_after(0), Status::ok);
        while (timer.is_armed()) CHECK_EQ(pool.poll(1).tasks, 1);
    }
    CHECK_EQ(runs, 0);  // else the test shows nothing
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
    CHECK_EQ(runs, 1);
    CHECK_EQ(timer.cancel(), CancelResult::too_late);
}

// A core in run() sleeps until its timer is due: no look in between.
void V12_nobody_polls() {
    Pool<1> pool;
    Job end([&] { pool.shutdown(); });
    Timer timer{pool, end};
    CHECK_EQ(timer.start_after(weft::milliseconds(30)), Status::ok);
    CHECK_EQ(pool.run(), Status::ok);
    CHECK_EQ(pool.join(), Status::ok);
    CHECK_EQ(pool.total().wakes, 1);
    CHECK(pool.total().spurious_wakes <= 1);  // by an event that a test before has left
    CHECK_EQ(pool.total().executed, 1);
}

#if WEFT_CHECKS
// A follower that cannot run is refused, as a gate refuses it.
void E5_timer_checks_its_follower() {
    Pool<1> pool;
    Task none{static_cast<Task::Run>(nullptr)};
    Timer timer{pool, none};
    CHECK_EQ(timer.start_after(1), Status::null_run);
    CHECK_EQ(timer.start_every_from_isr(1), Status::null_run);
    CHECK(!timer.is_armed());
}

// Two timers are armed; the one below the other in the queue ends.
void end_while_armed() {
    static Pool<1> pool;
    static Count beat;
    static Timer first{pool, beat};
    alignas(Timer) static unsigned char memory[sizeof(Timer)];
    Timer* const second = new (memory) Timer{pool, beat};
    static_cast<void>(first.start_after(10));
    static_cast<void>(second->start_after(20));
    std::fill(memory, memory + sizeof memory, static_cast<unsigned char>(0));
    static_cast<void>(first.cancel());
    static Timer third{pool, beat};
    static_cast<void>(third.start_after(30));
    static_cast<void>(third.start_after(40));
}
void E10_timer_that_ends_while_armed_panics() {
    CHECK(panics(end_while_armed, "a timer ended, or was made anew, while it was armed"));
}
#endif

// All cores are off, and a handler has started a timer, which starts no core. Any start by a task does, whatever its
// time.
void V12_a_later_start_brings_a_core() {
    Clock clock;
    for (const bool later : {false, true}) {
        Pool<2> pool;
        Count beat;
        Timer first{pool, beat}, second{pool, beat};
        CHECK_EQ(first.start_after_from_isr(later ? 100000 : 200000), Status::ok);
        CHECK_EQ(pool.live_cores(), 0);
        CHECK_EQ(second.start_after(later ? 200000 : 100000), Status::ok);
        CHECK_EQ(pool.live_cores(), 1);
        CHECK(first.cancel() == CancelResult::cancelled);
        CHECK(second.cancel() == CancelResult::cancelled);
        pool.shutdown();
        CHECK_EQ(pool.join(), Status::ok);
    }
}

const tap::Test tests[] = {
    TEST(V12_a_later_start_brings_a_core),
#if WEFT_CHECKS
    TEST(E10_timer_that_ends_while_armed_panics),
    TEST(E5_timer_checks_its_follower),
#endif
    TEST(V12_one_shot),
    TEST(V12_past_deadlines_run_at_once),
    TEST(V12_long_neglected),
    TEST(V12_order_of_many),
    TEST(V12_the_tree_stays_leftist),
    TEST(V12_periods_neither_drift_nor_bunch),
    TEST(V12_what_passes_during_a_run_is_counted),
    TEST(V12_periods_keep_their_order_for_turns_of_the_clock),
    TEST(V12_a_start_in_the_past_is_due_beside_others),
    TEST(V12_runs_do_not_overlap),
    TEST(V12_cancel_says_what_becomes_of_it),
    TEST(V12_out_of_range),
    TEST(V12_slack_brings_timers_together),
    TEST(V12_armed_timers_do_not_keep_a_pool),
    TEST(V12_abandoned_in_its_own_run),
    TEST(V12_nobody_polls),
};

}  // namespace
extern const tap::Tests timers_tests{tests};
}  // namespace unit

#endif  // WEFT_TIMERS
