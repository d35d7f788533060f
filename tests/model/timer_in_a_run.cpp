// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: timers that fire on another core while a run of theirs goes on. Edges A3, A5.
#include "tasks.hpp"

namespace {

constexpr uint32_t start = 0xfffffff0u;  // the clock wraps soon

// A timer whose first run meets what it fires meanwhile. Two cores: one is in the run, the other one fires.
template <class Scenario>
struct InARun {
    weft::Pool<2, 2> pool;
    struct Beat : weft::TaskOf<Beat> {
        void run() {
            runs.set(runs.get() + 1);  // a race, if runs overlap or do not see each other
            its->during(runs.get());
        }
        Scenario* its = nullptr;
        weft::Plain<uint32_t> runs{};
    } beat;
    weft::Timer timer{pool, beat};

    // Started for now, and fired by the other core.
    void fire_again() {
        must(timer.start_after(0));
        while (timer.is_armed()) weft::Port::relax();
    }
    void cores(model::Program& on) {
        beat.its = static_cast<Scenario*>(this);
        on.core(0, [this] {
            must(beat.its->begin());
            must(pool.run());
        });
        on.core_at_rest(1, [this] { must(pool.run()); });
    }
    weft::Status begin() { return timer.start_after(10); }
};

// Result: Never. A timer is started in its own run, and is due before that run ends: it runs again, behind it. First it
// was a periodic one, or not.
template <bool periodic>
struct InItsOwnRun : InARun<InItsOwnRun<periodic>> {
    using Base = InARun<InItsOwnRun<periodic>>;
    weft::Status begin() { return periodic ? Base::timer.start_every(10) : Base::begin(); }
    void during(uint32_t run) {
        if (run == 2) return Base::pool.shutdown();
        Base::fire_again();
    }
    void finish() { model::check(Base::beat.runs.get() == 2, "each start runs"); }
};
MODEL_SCENARIO(timer_in_its_own_run, InItsOwnRun<false>).alarms().clock_start(start).stale_reads(1);
MODEL_SCENARIO(timer_in_its_own_run_once, InItsOwnRun<true>).alarms().clock_start(start).stale_reads(1);

// Result: Never (runs again). The run takes back the start that has fired behind it: it hears that it runs, and no run
// follows.
struct TakenBack : InARun<TakenBack> {
    void during(uint32_t) {
        fire_again();
        model::check(timer.cancel() == weft::CancelResult::too_late, "it runs");
        pool.shutdown();
    }
    void finish() { model::check(beat.runs.get() == 1, "this run was the last one"); }
};
MODEL_SCENARIO(timer_cancel_in_its_run, TakenBack).alarms().clock_start(start).stale_reads(1);

// Result: Never (does not see it). Another core starts it meanwhile, and has written something for the next run before.
struct StartedByAnother : InARun<StartedByAnother> {
    weft::Plain<uint32_t> data{};
    // relaxed (all): what is written goes with the start.
    weft::Atomic<uint32_t> step{0};
    void wait(uint32_t until) {
        while (step.load(weft::relaxed) != until) weft::Port::relax();
    }
    void during(uint32_t run) {
        if (run == 2) {
            model::check(data.get() == 7, "it sees what was written before the start");
            return pool.shutdown();
        }
        step.store(1, weft::relaxed);
        wait(2);
        while (timer.is_armed()) weft::Port::relax();
    }
    void cores(model::Program& on) {
        InARun::cores(on);
        on.core(2, [this] {
            wait(1);
            data.set(7);
            must(timer.start_after(0));
            step.store(2, weft::relaxed);
        });
    }
};
MODEL_SCENARIO(timer_started_by_another_in_a_run, StartedByAnother)
    .alarms()
    .clock_start(start)
    .preemptions(1)
    .stale_reads(0);

// Result: Never. Two starts fire in one run: one of them runs, the other one is counted.
struct TwoInOne : InARun<TwoInOne> {
    void during(uint32_t run) {
        if (run == 2) return pool.shutdown();
        fire_again(), fire_again();
    }
    void finish() {
        model::check(beat.runs.get() == 2, "one of the two runs");
        model::check(timer.missed() == 1, "the other one is counted");
    }
};
MODEL_SCENARIO(timer_two_starts_in_one_run, TwoInOne)
    .alarms()
    .clock_start(start)
    .preemptions(1)
    .stale_reads(1);

// Result: Never. Some periods pass in a run before the other core looks: each counts, the one that finds the run going
// on and those that nobody saw.
struct PeriodsInARun : InARun<PeriodsInARun> {
    weft::Status begin() { return timer.start_every(10); }
    void during(uint32_t run) {
        const uint32_t late = weft::Port::now() - start - 10 * (run + timer.missed());
        model::check(late < 10, "each period runs or is counted");
        if (run == 2) return pool.shutdown();
        model::advance_clock(35);
        while (timer.missed() == 0) weft::Port::relax();
    }
};
MODEL_SCENARIO(timer_periods_in_a_run, PeriodsInARun)
    .alarms()
    .clock_start(start)
    .preemptions(1)
    .stale_reads(1);

// Result: Never (a use behind the end). What has fired behind a run is taken back in it, or runs behind it. When a
// cancel finds the timer neither armed nor running, it may end: the core that fired has done with it, too.
template <bool taken_back>
struct EndsBehindIt : InARun<EndsBehindIt<taken_back>> {
    using Base = InARun<EndsBehindIt<taken_back>>;
    weft::Atomic<uint32_t> step{0};
    void during(uint32_t run) {
        if (run == 1) {
            Base::fire_again();
            if (taken_back) model::check(Base::timer.cancel() == weft::CancelResult::too_late, "it runs");
        }
        // Who ends it knows that it was started. What came behind that is ordered by the cancel.
        if (run == 2 || taken_back) step.store(1, weft::release);
    }
    void cores(model::Program& on) {
        Base::cores(on);
        on.core(2, [this] {
            while (step.load(weft::acquire) == 0) weft::Port::relax();
            while (Base::timer.cancel() == weft::CancelResult::too_late) weft::Port::relax();
            model::end_of_life(Base::timer);
            Base::pool.shutdown();
        });
    }
};
MODEL_SCENARIO(timer_ends_behind_its_last_run, EndsBehindIt<false>)
    .alarms()
    .clock_start(start)
    .preemptions(2)
    .stale_reads(0);
MODEL_SCENARIO(timer_ends_behind_a_cancelled_run, EndsBehindIt<true>)
    .alarms()
    .clock_start(start)
    .preemptions(2)
    .stale_reads(0);

// Result: Never (runs again). A timer was due twice before its first run. That is left to the joiner, and abandons the
// pool: no other run follows. (By a generated program.)
struct AbandonsInItsRun {
    weft::Pool<1, 2> pool;
    Mark pinned, injected;
    struct End : weft::TaskOf<End> {
        void run() {
            ++its->runs;
            its->pool.shutdown(weft::Shutdown::abandon);
        }
        AbandonsInItsRun* its = nullptr;
    } end;
    weft::Timer timer{pool, end};
    unsigned runs = 0;
    void cores(model::Program& on) {
        end.its = this;
        on.core(0, [this] {
            // They are taken first, one by each look.
            pinned.prepare(), injected.prepare();
            must(pool.submit_on(0, pinned));
            must(pool.submit(injected));
            for (unsigned due = 0; due != 2; ++due) {
                must(timer.start_after(0));
                while (timer.is_armed()) model::check(pool.poll(1).tasks == 1, "one of the others");
            }
            model::check(runs == 0, "else it shows nothing");
            pool.shutdown();
            must(pool.join());
            model::check(runs == 1, "this run was the last one");
        });
    }
};
MODEL_SCENARIO(timer_abandoned_in_its_run, AbandonsInItsRun).alarms().clock_start(start);

}  // namespace
