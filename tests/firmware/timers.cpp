// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: timers, with the clock and the alarm that the board has. (What they promise tick by tick is in
// tests/unit/timers.cpp, whose clock stands where a test sets it.)
#include "harness.hpp"

#if WEFT_TIMERS

namespace firmware {
namespace {

using weft::CancelResult;
using weft::milliseconds;
using weft::Timer;

// Where a core sleeps in an instruction that the emulator's plugin plays, it does not see the interrupt of its alarm.
bool sees_alarms() {
    if (tap::option("plugin", 0) == 0) return true;
    tap::skip("not on this board: an interrupt that ends a core's WFE");
    return false;
}

struct Due : weft::TaskOf<Due> {
    void run() {
        if (!weft::detail::has_come(at, Port::now())) early.fetch_add(1, relaxed);
        runs.fetch_add(1, release);
    }
    uint32_t at = 0;
    Atomic<uint32_t> early{};
    Atomic<uint32_t> runs{};
};

// ---- V12: a pool whose cores all sleep is woken by its timers, one after the other, never early.

void V12_sleeping_cores_are_woken_in_time() {
    if (!sees_alarms()) return;
    Pool& pool = new_pool();
    start_workers(pool);
    await_rest(pool);
    Due due;
    Timer timer{pool, due};
    for (uint32_t round = 1; round <= rounds(20); ++round) {
        due.at = Port::now() + milliseconds(1);
        CHECK_EQ(timer.start_at(due.at), Status::ok);
        work_until(
            pool, [&] { return due.runs.load(acquire) == round; }, "a timer");
    }
    CHECK_EQ(due.early.load(relaxed), 0);
    CHECK_EQ(timer.missed(), 0);
    end(pool);
}

// ---- V12: core 0 alone sleeps in run(), and is woken by its own alarm.

void V12_core_0_wakes_itself() {
    if (!sees_alarms()) return;
    weft::Pool<1> pool;
    Job end_of_pool([&] { pool.shutdown(); });
    Timer timer{pool, end_of_pool};
    CHECK_EQ(timer.start_after(milliseconds(5)), Status::ok);
    Guard guard("a timer of core 0");
    CHECK_EQ(pool.run(), Status::ok);
    CHECK_EQ(pool.join(), Status::ok);
    CHECK_EQ(pool.total().executed, 1);
}

// ---- V12: an earlier timer, armed from a handler while all cores sleep on a later one.

Timer* from_handler;
Atomic<uint32_t> handler_has_run;
void arm_in_handler() {
    board::stop_timer();
    if (handler_has_run.exchange(1, acq_rel) != 0) return;
    CHECK_EQ(from_handler->start_after_from_isr(1), Status::ok);
}

void V12_handler_arms_an_earlier_one() {
    if (!sees_alarms()) return;
    Pool& pool = new_pool();
    start_workers(pool);
    Due due, far;
    Timer timer{pool, due}, later{pool, far};
    from_handler = &timer;
    handler_has_run.store(0, relaxed);
    CHECK_EQ(later.start_after(0x7fffffff), Status::ok);
    await_rest(pool);
    board::start_timer(1000, arm_in_handler);
    work_until(
        pool, [&] { return due.runs.load(acquire) == 1; }, "the timer of the handler");
    CHECK_EQ(later.cancel(), CancelResult::cancelled);
    end(pool);
    CHECK_EQ(far.runs.load(acquire), 0);
}

// ---- V12: all cores start, start again and cancel the same timers, which fire meanwhile. Each start that nobody took
// back, or replaced, runs.

constexpr uint32_t shared_timers = 3;
struct Storm : weft::TaskOf<Storm> {
    void run() {
        for (uint32_t i = 0; i < rounds(300); ++i) {
            Timer& timer = *timers[(i + core) % shared_timers];
            switch ((i / 2 + core) % 4) {
                case 0: CHECK_EQ(timer.start_after(i % 7), Status::ok); break;
                case 1: CHECK_EQ(timer.start_after_from_isr(i % 1024, i % 16), Status::ok); break;
                case 2: static_cast<void>(timer.cancel()); break;
                default: CHECK_EQ(timer.start_every(100 + i % 32), Status::ok); break;
            }
        }
        done.fetch_add(1, release);
    }
    Timer* const* timers = nullptr;
    uint32_t core = 0;
    static Atomic<uint32_t> done;
};
Atomic<uint32_t> Storm::done;
Storm storms[cores];

void V12_storm_of_starts_and_cancels() {
    if (!sees_alarms()) return;
    Pool& pool = new_pool();
    start_workers(pool);
    Due due[shared_timers];
    Timer timers[] = {{pool, due[0]}, {pool, due[1]}, {pool, due[2]}};
    Timer* const list[] = {&timers[0], &timers[1], &timers[2]};
    static_assert(sizeof list / sizeof list[0] == shared_timers, "");
    Storm::done.store(0, relaxed);
    uint32_t started = 0;
    for (uint32_t core = 0; core < cores; ++core) {
        if (!is_present(core)) continue;
        storms[core].timers = list;
        storms[core].core = core;
        CHECK_EQ(pool.submit(storms[core]), Status::ok);
        ++started;
    }
    work_until(
        pool, [&] { return Storm::done.load(acquire) == started; }, "the storm");
    // Whatever they are now, each can be started once more, and runs.
    for (uint32_t i = 0; i < shared_timers; ++i) {
        work_until(
            pool, [&] { return timers[i].cancel() != CancelResult::too_late; }, "the end of a run");
        const uint32_t before = due[i].runs.load(acquire);
        CHECK_EQ(timers[i].start_after(1), Status::ok);
        work_until(
            pool, [&] { return due[i].runs.load(acquire) != before; }, "a timer behind the storm");
    }
    for (Timer& timer : timers) {
        work_until(
            pool, [&] { return timer.cancel() == CancelResult::not_armed; }, "rest");
    }
    end(pool);
}

// ---- V12: cores that sleep in turns hand the watch on: a periodic timer beats while tasks wake them.

void V12_beats_while_cores_come_and_go() {
    if (!sees_alarms()) return;
    Pool& pool = new_pool();
    start_workers(pool);
    Due beat;
    beat.at = Port::now();
    Timer timer{pool, beat};
    const uint32_t period = milliseconds(1) / 4 + 1;
    CHECK_EQ(timer.start_every(period), Status::ok);
    forget_runs();
    for (uint32_t i = 0; i < rounds(200); ++i) {
        const uint32_t tasks = 1 + i % 4;
        const uint32_t beats = beat.runs.load(acquire);
        submit_counted(pool, tasks);
        work_until(
            pool, [&] { return counted_runs.load(acquire) == tasks; }, "tasks beside a timer");
        if (i % 8 == 0)
            work_until(
                pool, [&] { return beat.runs.load(acquire) != beats; }, "a beat");
        forget_runs();
    }
    work_until(
        pool, [&] { return timer.cancel() == CancelResult::not_armed; }, "the last beat");
    end(pool);
}

const tap::Test tests[] = {
    TEST(V12_sleeping_cores_are_woken_in_time), TEST(V12_core_0_wakes_itself),
    TEST(V12_handler_arms_an_earlier_one),      TEST(V12_storm_of_starts_and_cancels),
    TEST(V12_beats_while_cores_come_and_go),
};

}  // namespace
extern const tap::Tests timers_tests{tests};
}  // namespace firmware

#endif  // WEFT_TIMERS
