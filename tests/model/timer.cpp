// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: timers. What is armed runs at its time or later, once, without a core that looks again and again; a cancel is
// final; periods neither drift nor bunch. Edges A1 to A6.
#include "forks.hpp"

namespace tap {
namespace portrait {

struct Timers {
    friend constexpr auto reveal(Timers);
};
template struct Reveal<Timers, &weft::Scheduler::timers_>;

}  // namespace portrait
}  // namespace tap

namespace {

constexpr uint32_t start = 0xfffffff0u;  // the clock wraps soon

// A follower: not before its time. The last one ends the pool.
struct Due : Mark {
    Due() : Mark(&Due::run_due) {}
    static void run_due(weft::Task& self) {
        Mark::run(self);
        Due& due = static_cast<Due&>(self);
        // In these scenarios no time passes while a core can go on; but it does while all search.
        const uint32_t late = weft::Port::now() - due.at;
        model::check(late == 0 || (WEFT_SEARCH_ROUNDS != 0 && late < 0x80000000u), "at its time");
        if (due.left->fetch_sub(1, weft::acq_rel) == 1) due.pool->shutdown();
    }
    uint32_t at = 0;
    weft::Atomic<uint32_t>* left = nullptr;
    weft::Scheduler* pool = nullptr;
};

// A task that does not end before all followers have begun.
struct UntilAllFired : Mark {
    UntilAllFired() : Mark(&UntilAllFired::run_until) {}
    static void run_until(weft::Task& self) {
        while (static_cast<UntilAllFired&>(self).left->load(weft::acquire) != 0) weft::Port::relax();
        Mark::run(self);
    }
    weft::Atomic<uint32_t>* left = nullptr;
};

template <unsigned cores, unsigned count>
struct Timers {
    weft::Pool<cores, 2> pool;
    weft::Atomic<uint32_t> left{count};
    Due due[count];
    weft::Timer timer[count];

    template <size_t... all>
    explicit Timers(std::index_sequence<all...>) : timer{{pool, due[all]}...} {}
    Timers() : Timers(std::make_index_sequence<count>()) {}

    void prepare(unsigned which, uint32_t delay) {
        due[which].prepare();
        due[which].at = start + delay, due[which].left = &left, due[which].pool = &pool;
    }
    void arm(unsigned which, uint32_t delay) {
        prepare(which, delay);
        must(timer[which].start_at(due[which].at));
    }
    void arm_from_isr(unsigned which, uint32_t delay) {
        prepare(which, delay);
        must(timer[which].start_at_from_isr(due[which].at));
    }
    void finish() {
        for (Due& one : due) model::check(one.as_promised(), "every task runs exactly once");
    }
};

// Result: Never. A worker arms a timer before it works, sleeps, and is woken by its own alarm.
struct Alone : Timers<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] { arm(0, 100), must(pool.run()); });
    }
};
MODEL_SCENARIO(timer_alone, Alone).alarms().clock_start(start).spurious_parks(1);

// Result: Never. Armed by another core while the worker goes to sleep.
struct FromOutside : Timers<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] { must(pool.run()); });
        on.core(1, [this] { arm(0, 100); });
    }
};
MODEL_SCENARIO(timer_from_outside, FromOutside).alarms().clock_start(start).stale_reads(3).each_wake();

// Result: Never. The worker sleeps, its alarm set to a later time.
struct Earlier : Timers<1, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { arm(0, 100), must(pool.run()); });
        on.core(1, [this] { arm(1, 50); });
    }
};
MODEL_SCENARIO(timer_earlier, Earlier).alarms().clock_start(start).stale_reads(3).each_wake();

// Result: Never. Claim 6 while all sleep: one core watches, and nobody is to take that over. Core 1 can be started, and
// is not needed. Who looks sleeps, too: no time passes while a core can go on.
enum class First { from_outside, by_a_handler };
template <First first, bool anew = false>
struct AllSleep : Timers<2, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.late_core(1);
        on.core(2, [this] {
            if (first != First::by_a_handler) arm(0, 100);
            arm(1, 200);
            if (anew) arm(1, 300);
            weft::Port::set_alarm(start + 50);
            while (weft::Port::now() != start + 50) weft::Port::park();
            const weft::detail::IdleBits seen = (pool.*reveal(tap::portrait::Idle())).look();
            model::check(!seen.is_unwatched(), "no core is to take the watch");
            model::check(seen.is_parked((pool.*reveal(tap::portrait::Timers())).watcher()), "one has it");
        });
        if (first == First::by_a_handler) on.core(3, [this] { arm_from_isr(0, 100); });
    }
};
MODEL_SCENARIO(timer_second_of_a_sleeping_pool, AllSleep<First::from_outside>)
    .alarms()
    .clock_start(start)
    .stale_reads(0)
    .within_bounds();
MODEL_SCENARIO(timer_second_beside_a_handlers, AllSleep<First::by_a_handler>)
    .alarms()
    .clock_start(start)
    .stale_reads(0)
    .within_bounds();
MODEL_SCENARIO(timer_second_is_started_anew, AllSleep<First::from_outside, true>)
    .alarms()
    .clock_start(start)
    .stale_reads(0)
    .within_bounds();

// Result: Never. A cancel starts a core. A handler has armed the timer, and started none; another one leaves its own to
// the cancel.
struct CancelStartsNone {
    weft::Pool<2, 2> pool;
    Mark follower;
    weft::Timer timer{pool, follower}, other{pool, follower};
    void cores(model::Program& on) {
        on.late_core(0), on.late_core(1);
        on.core(2, [this] {
            must(timer.start_after_from_isr(100));
            model::check(timer.cancel() == weft::CancelResult::cancelled, "it is not due");
        });
        on.core(3, [this] { must(other.start_after_from_isr(50)); });
    }
    void finish() {
        const weft::detail::IdleBits seen = (pool.*reveal(tap::portrait::Idle())).look();
        model::check(seen.parked() == 0, "nobody needs a core");
    }
};
MODEL_SCENARIO(timer_cancel_starts_no_core, CancelStartsNone)
    .parked_at_end()
    .stale_reads(0)
    .alarms()
    .clock_start(start);

// Result: Never. A timer is gone, and is counted as live yet; or it is live, and is not. Starts of two cores meet, with
// a cancel, and a poll when it is due. (`Timers::has_live()`, TIMERS 2.2: cores would be started for ever for nothing,
// or not at all.)
struct LiveOnesAreCounted {
    weft::Pool<1, 2> pool;
    Mark follower;
    weft::Timer timer{pool, follower};
    void cores(model::Program& on) {
        follower.prepare();
        on.core(0, [this] {
            must(timer.start_after_from_isr(5));
            model::advance_clock(6);
            static_cast<void>(pool.poll(1));
        });
        on.core(1, [this] { must(timer.start_after_from_isr(50)); });
        on.core(2, [this] { static_cast<void>(timer.cancel()); });
    }
    void finish() {
        const bool live = (pool.*reveal(tap::portrait::Timers())).has_live();
        model::check(live == timer.is_armed(), "what is armed is live, and nothing else");
    }
};
MODEL_SCENARIO(timer_live_ones_are_counted, LiveOnesAreCounted).parked_at_end().alarms().clock_start(start);

// Result: Never. A timer is gone, and is counted as live yet: cores would be started for ever for nothing (TIMERS 2.2).
// All starts have returned, and the last cancel() says that it is over.
struct GoneOnesAreCountedOut {
    weft::Pool<1, 2> pool;
    Mark follower;
    weft::Timer timer{pool, follower};
    weft::Atomic<uint32_t> returned{0};
    void cores(model::Program& on) {
        follower.prepare();
        must(timer.start_after_from_isr(5));
        on.core(1, [this] {
            must(timer.start_after_from_isr(50));
            returned.store(1, weft::release);
        });
        on.core(2, [this] {
            static_cast<void>(timer.cancel());
            while (returned.load(weft::acquire) == 0) weft::Port::relax();
            static_cast<void>(timer.cancel());
            model::check(!(pool.*reveal(tap::portrait::Timers())).has_live(), "no timer is live");
        });
    }
    void finish() {}
};
MODEL_SCENARIO(timer_gone_ones_are_counted_out, GoneOnesAreCountedOut)
    .parked_at_end()
    .alarms()
    .clock_start(start);

// Result: Never. Edge A6 alone: who is found watching after a start knows of the timer when its watch ends.
struct EndsItsWatch {
    weft::Pool<1, 2> pool;
    Mark task;
    weft::Timer timer{pool, task};
    bool found = false, knows = false;
    void cores(model::Program& on) {
        weft::detail::TimerQueue& queue = pool.*reveal(tap::portrait::Timers());
        queue.begin_watch(0);
        on.core(0, [this, &queue] { knows = queue.end_watch(0); });
        on.core(1, [this, &queue] {
            must(timer.start_after_from_isr(100));
            found = queue.has_watcher();
        });
    }
    void finish() { model::check(knows || !found, "one of them sees to the timer"); }
};
MODEL_SCENARIO(timer_watch_that_ends, EndsItsWatch).clock_start(start).stale_reads(2);

// Result: Never. Of the machine: one call of relax() does not last until the next alarm. (A core that goes on calling
// it may wait for just that.) Found by a generated program, whose timer seemed late.
struct BesideARelax : Timers<1, 1> {
    weft::Atomic<uint32_t> word{0};
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] {
            arm(0, 100);
            for (unsigned round = 0; round != 4; ++round) {  // the first ones look at the pool's words, too
                model::check(word.load(weft::relaxed) == 0, "nobody writes it");
                weft::Port::relax();
            }
            if (WEFT_SEARCH_ROUNDS == 0)
                model::check(weft::Port::now() == start, "a call of relax() is short");
        });
    }
};
MODEL_SCENARIO(timer_beside_a_relax, BesideARelax).alarms().clock_start(start);

// Result: Never. Two cores arm: one holds the queue when the other comes, and sees to its timer.
struct TwoArm : Timers<1, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] { arm(0, 100); });
        on.core(2, [this] { arm(1, 50); });
    }
};
MODEL_SCENARIO(timer_two_arm, TwoArm).alarms().clock_start(start);

// Result: Never. A core starts its timer twice while another one holds the queue: the second time is what counts.
struct StartedAgain : Timers<1, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] {
            prepare(0, 100);
            must(timer[0].start_at(due[0].at));
            due[0].at = start + 60;
            must(timer[0].start_at(due[0].at));
        });
        on.core(2, [this] { arm(1, 50); });
    }
};
MODEL_SCENARIO(timer_started_again, StartedAgain).alarms().clock_start(start).preemptions(2).stale_reads(1);

// Result: Never. A core starts its timer twice while another one holds the queue, and the second time has come already:
// the first start is either over, or does not fire.
struct StartedForNow : Timers<1, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] {
            prepare(0, 0);
            must(timer[0].start_at(start + 100));
            must(timer[0].start_at(start));
        });
        on.core(2, [this] { arm(1, 50); });
    }
};
MODEL_SCENARIO(timer_started_for_now, StartedForNow)
    .alarms()
    .clock_start(start)
    .preemptions(3)
    .stale_reads(0);

// Result: Never. A task and a handler start one timer, nearly half a turn of the clock ahead, while the clock goes on:
// it is not taken for one that is due.
struct HalfATurn : Timers<1, 1> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] {
            prepare(0, 0x7ffffffe);
            due[0].given = false;
            static_cast<void>(timer[0].start_after(0x7ffffffe));
            pool.shutdown();
        });
        on.interrupt(1, [this] { static_cast<void>(timer[0].start_after_from_isr(0x7fffffff)); });
    }
};
MODEL_SCENARIO(timer_half_a_turn, HalfATurn).alarms().clock_start(start).ticks_per_call(5);

// Result: Never. Three cores arm: one that found something due behind the holder sleeps. Who comes after it does not
// make the holder forget to tell it.
struct ThreeArm : Timers<1, 3> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] { arm(0, 0); });
        on.core(2, [this] { arm(1, 100); });
        on.core(3, [this] { arm(2, 200); });
    }
};
MODEL_SCENARIO(timer_three_arm, ThreeArm).alarms().clock_start(start).stale_reads(0);

// Result: Never (waits for ever). The only core that is on watches, and goes to a task that does not end before the
// timer has fired: the core that is off is started.
struct BringsACore : Timers<2, 1> {
    UntilAllFired task;
    void cores(model::Program& on) {
        task.left = &left;
        on.late_core(0);
        on.late_core(1);
        on.core(2, [this] {
            arm(0, 100);
            task.prepare();
            must(pool.submit(task));
        });
    }
};
MODEL_SCENARIO(timer_brings_a_core, BringsACore).alarms().clock_start(start).stale_reads(0);

// Result: Never. Two workers: whoever sleeps watches, whoever is woken for work hands the watch on.
struct TwoWatch : Timers<2, 2> {
    Mark task;
    void cores(model::Program& on) {
        on.core(0, [this] { must(pool.run()); });
        on.core_at_rest(1, [this] { must(pool.run()); });
        on.core(2, [this] {
            arm(0, 100);
            task.prepare();
            must(pool.submit(task));
            arm(1, 50);
        });
    }
};
MODEL_SCENARIO(timer_two_watch, TwoWatch).alarms().clock_start(start).stale_reads(0);

// Result: Never (late). As above, where only the core that is meant wakes up. The earlier deadline comes while the
// first watcher begins; the second one has seen it, and the first one, which comes behind that, must have seen it, too.
struct TwoBegin : Timers<2, 2> {
    void cores(model::Program& on) {
        on.core(0, [this] { must(pool.run()); });
        on.core_at_rest(1, [this] { must(pool.run()); });
        on.core(2, [this] { arm(0, 100), arm(1, 50); });
    }
};
MODEL_SCENARIO(timer_two_begin_to_watch, TwoBegin)
    .alarms()
    .clock_start(start)
    .stale_reads(1)
    .wake(model::Wake::targeted);

// Result: Never. The watcher is woken for a task that does not end before the timer has fired: the other core, which
// sleeps, must watch.
template <bool rested>
struct HandsOn : Timers<2, 1> {
    UntilAllFired task;
    void cores(model::Program& on) {
        const auto work = [this] { must(pool.run()); };
        on.core_at_rest(0, work);
        if (rested) {
            on.core_at_rest(1, work);
        } else {
            on.core(1, work);
        }
        on.core(2, [this] {
            arm(0, 100);
            task.left = &left;
            task.prepare();
            must(pool.submit(task));
        });
    }
    void finish() {
        Timers<2, 1>::finish();
        model::check(task.as_promised(), "the task ran");
    }
};
MODEL_SCENARIO(timer_watch_is_handed_on, HandsOn<true>).alarms().clock_start(start).stale_reads(1);
MODEL_SCENARIO(timer_watch_is_handed_on_to_who_parks, HandsOn<false>)
    .alarms()
    .clock_start(start)
    .stale_reads(0);

// Result: Never (the timer does not fire). The watcher goes to work while the other core holds the waking role, which
// is given up before the watch: a core that sleeps must watch, or one that is off must come and do so.
template <bool asleep>
struct BringsAnotherCore : Timers<3, 1> {
    struct GoesOn : Mark {
        GoesOn() : Mark(&GoesOn::run_on) {}
        static void run_on(weft::Task& self) {
            for (Mark::run(self);;) weft::Port::park();
        }
    } task[2];
    void pin(unsigned to) {
        task[to].prepare();
        must(pool.submit_on(to, task[to]));
    }
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { arm_from_isr(0, 100), must(pool.run()); });  // which starts nobody
        if (asleep) {
            on.core_at_rest(2, [this] { must(pool.run()); });
        } else {
            on.late_core(2);
        }
        on.core(1, [this] { pin(1), must(pool.run()); });
        on.core(3, [this] { pin(0); });
    }
    void finish() {
        Timers<3, 1>::finish();
        for (GoesOn& one : task) model::check(one.as_promised(), "the tasks run");
    }
};
MODEL_SCENARIO(timer_brings_another_core, BringsAnotherCore<false>)
    .alarms()
    .clock_start(start)
    .stale_reads(0)
    .parked_at_end();
MODEL_SCENARIO(timer_wakes_another_core, BringsAnotherCore<true>)
    .alarms()
    .clock_start(start)
    .stale_reads(1)
    .wake(model::Wake::targeted)
    .parked_at_end();

// Result: Never. A handler arms on the core of the worker, at any point, while a task of it arms, too.
struct FromIsr : Timers<1, 2> {
    void cores(model::Program& on) {
        on.core(0, [this] { arm(0, 100), must(pool.run()); });
        on.interrupt(0, [this] { arm_from_isr(1, 50); });
    }
};
MODEL_SCENARIO(timer_from_isr, FromIsr).alarms().clock_start(start).each_wake();

// Result: Never. A cancel races the firing: what was cancelled does not run, and is not touched any more; what was not
// runs.
struct Cancels : Timers<1, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { arm(0, 100), arm(1, 50), must(pool.run()); });
        on.core(1, [this] {
            model::advance_clock(50);
            if (timer[1].cancel() != weft::CancelResult::cancelled) return;
            model::check(!timer[1].is_armed(), "not armed any more");
            model::end_of_life(timer[1]);
            due[1].given = false;
            left.fetch_sub(1, weft::acq_rel);
        });
    }
};
MODEL_SCENARIO(timer_cancel_or_fire, Cancels).alarms().clock_start(start).stale_reads(1);

// Result: Never. A cancel races another core that arms the same timer.
struct CancelOrStart : Timers<1, 2> {
    unsigned cancelled = 0;
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { arm(0, 100), must(pool.run()); });
        on.core(1, [this] { arm(1, 50); });
        on.core(2, [this] {
            if (timer[1].cancel() == weft::CancelResult::cancelled) {
                ++cancelled;
                left.fetch_sub(1, weft::acq_rel);
            }
        });
    }
    void finish() {
        model::check(due[0].runs == 1 && due[1].runs + cancelled == 1, "each runs once, or is cancelled");
    }
};
MODEL_SCENARIO(timer_cancel_or_start, CancelOrStart).alarms().clock_start(start).stale_reads(1);

// Result: Never. Two cores start one timer. It runs once or twice; the last run sees what both wrote before.
template <bool apart>
struct TwoStartOne {
    weft::Pool<1, 2> pool;
    weft::Atomic<uint32_t> written[2];
    struct Both : weft::TaskOf<Both> {
        void run() {
            // relaxed: it is the start that brings them
            if (its->written[0].load(weft::relaxed) + its->written[1].load(weft::relaxed) == 2)
                its->pool.shutdown();
        }
        TwoStartOne* its = nullptr;
    } task;
    weft::Timer timer{pool, task};
    void start_by(unsigned core) {
        written[core - 1].store(1, weft::relaxed);
        const weft::Status status = timer.start_at(start + 10 * core);
        model::check(status == weft::Status::ok || status == weft::Status::closed,
                     "ok, or the other has ended it");
        if (apart) model::advance_clock(10);
    }
    void cores(model::Program& on) {
        task.its = this;
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] { start_by(1); });
        on.core(2, [this] { start_by(2); });
    }
};
MODEL_SCENARIO(timer_two_start_one, TwoStartOne<false>).alarms().clock_start(start);
MODEL_SCENARIO(timer_two_start_one_apart, TwoStartOne<true>).alarms().clock_start(start).stale_reads(1);

// Result: Never. A periodic timer: no run overlaps the one before, each sees what that wrote. Cancelled in its own run,
// it does not run again.
struct Periodic {
    weft::Pool<2, 2> pool;
    struct Beat : weft::TaskOf<Beat> {
        void run() {
            model::check(!busy, "runs do not overlap");
            busy = true;
            shared.set(shared.get() + 1);
            const uint32_t late = weft::Port::now() - start - 10 * (shared.get() + its->timer.missed());
            model::check(static_cast<int32_t>(late) >= 0 && late < 10, "no drift");
            if (shared.get() == 3) {
                model::check(its->timer.cancel() == weft::CancelResult::too_late, "it runs");
                its->pool.shutdown();
            }
            busy = false;
        }
        Periodic* its = nullptr;
        weft::Plain<uint32_t> shared{};
        bool busy = false;
    } beat;
    weft::Timer timer{pool, beat};
    void cores(model::Program& on) {
        beat.its = this;
        on.core(0, [this] { must(timer.start_every(10)), must(pool.run()); });
        on.core_at_rest(1, [this] { must(pool.run()); });
    }
    void finish() { model::check(!timer.is_armed(), "it was cancelled"); }
};
MODEL_SCENARIO(timer_periodic, Periodic).alarms().clock_start(start).stale_reads(1);

// Result: Never. Time passes while cores work: a run on one core is over when the next one is due, and another core
// fires that. Nothing but the timer orders the two.
template <bool periodic>
struct OnAnotherCore {
    weft::Pool<2, 2> pool;
    struct Beat : weft::TaskOf<Beat> {
        void run() {
            if (periodic) shared.set(shared.get() + 1);  // a race, if runs overlap or do not see each other
            if (++runs == 2) its->pool.shutdown();
        }
        OnAnotherCore* its = nullptr;
        weft::Plain<uint32_t> shared{};
        unsigned runs = 0;
    } beat;
    weft::Timer timer{pool, beat};
    void cores(model::Program& on) {
        beat.its = this;
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core_at_rest(1, [this] { must(pool.run()); });
        on.core(2, [this] {
            if (periodic) must(timer.start_every(10));
            for (unsigned i = 0; i != 2; ++i) {
                if (!periodic) static_cast<void>(timer.start_after(10));
                model::advance_clock(10);
            }
            // One of the two may have been left out.
            if (!periodic) static_cast<void>(timer.start_after(10));
        });
    }
    void finish() { model::check(beat.runs >= 2 || !periodic, "it goes on"); }
};
MODEL_SCENARIO(timer_on_another_core, OnAnotherCore<true>)
    .alarms()
    .clock_start(start)
    .stale_reads(0)
    .parked_at_end();
MODEL_SCENARIO(timer_again_on_another_core, OnAnotherCore<false>)
    .alarms()
    .clock_start(start)
    .stale_reads(0)
    .parked_at_end();

// Result: Never. The pool ends with timers armed: they do not run, and can be cancelled. (The time of this one may come
// before the end.)
template <bool before>
struct AtTheEnd : Timers<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            prepare(0, 1);
            const weft::Status status = timer[0].start_at(due[0].at);
            model::check(status == weft::Status::ok || status == weft::Status::closed, "ok or closed");
            static_cast<void>(pool.run());
            must(pool.join());
            const weft::CancelResult cancelled = timer[0].cancel();
            due[0].given = due[0].runs != 0;
            model::check((cancelled == weft::CancelResult::cancelled) ==
                             (status == weft::Status::ok && due[0].runs == 0),
                         "what has not run is armed");
            model::end_of_life(timer[0]);
        });
        on.core(1, [this] {
            if (before) model::advance_clock(1);
            pool.shutdown();
            if (!before) model::advance_clock(1);
        });
    }
    void finish() {
        Timers::finish();
        model::check(before || due[0].runs == 0, "it was not due before the end");
    }
};
MODEL_SCENARIO(timer_at_the_end, AtTheEnd<true>).alarms().clock_start(start).stale_reads(1);
// An old value of the idle word may hide the end.
MODEL_SCENARIO(timer_due_behind_the_end, AtTheEnd<false>).alarms().clock_start(start).stale_reads(0);

}  // namespace
