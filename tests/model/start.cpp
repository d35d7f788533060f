// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: starting cores, and every way in which that can fail. Edges T1, J3.
#include "tasks.hpp"

namespace {

using model::Arrival;

// Core 1 (outside the pool of one) submits, shuts down with drain and joins; core 0 is off at first.
template <unsigned cores, unsigned tasks>
struct Lazy {
    weft::Pool<cores, 2> pool;
    Mark task[tasks];
    static constexpr unsigned outside = cores;

    void submit(unsigned which) {
        task[which].prepare();
        must(pool.submit(task[which]));
    }
    void end() {
        pool.shutdown();
        must(pool.join());
        model::end_of_life(pool);
    }
    void finish() {
        for (Mark& one : task) model::check(one.as_promised(), "every task runs exactly once");
    }
};

// Result: Never. The core comes, sooner or later, or after the shutdown.
struct Comes : Lazy<1, 1> {
    void cores(model::Program& on) {
        on.late_core(0);
        on.core(outside, [this] { submit(0), end(); });
    }
};
MODEL_SCENARIO(start_comes, Comes).preemptions(4).stale_reads(3).each_wake();

// Result: Never. The core comes and runs the task without the submitter's help: nobody shuts down before.
struct RunsAlone : Lazy<1, 1> {
    weft::Atomic<uint32_t> ran{0};
    struct Signal : Mark {
        Signal() : Mark(&Signal::run) {}
        static void run(weft::Task& self) {
            RunsAlone& all = *static_cast<Signal&>(self).all;
            Mark::run(self);
            all.ran.store(1, weft::release);
            weft::Port::unpark(1);
        }
        RunsAlone* all = nullptr;
    } signal;

    void cores(model::Program& on) {
        on.late_core(0);
        on.core(outside, [this] {
            signal.all = this;
            signal.prepare();
            must(pool.submit(signal));
            while (ran.load(weft::acquire) == 0) weft::Port::park();
            end();
        });
    }
};
MODEL_SCENARIO(start_runs_alone, RunsAlone).preemptions(3).stale_reads(3).each_wake();
MODEL_SCENARIO(start_in_spite_of_failed_exchanges, RunsAlone).spurious_exchanges(1);

// Result: Never. Refused at first; the next submit tries again (zap: a failed first spawn wedges the pool).
struct RefusedFirst : Lazy<1, 2> {
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::refused, Arrival::normal});
        on.core(outside, [this] {
            submit(0);
            model::check(pool.start_failures() == 1, "the failure is reported");
            submit(1);
            end();
        });
    }
};
MODEL_SCENARIO(start_refused_first, RefusedFirst).preemptions(3).stale_reads(3).each_wake();

// Result: Never (the tasks wait for ever). Another core sees that the start has come to nothing, and submits: that
// tries again. (What is not counted any more has left its mark.)
struct RefusedAndSeen : Lazy<1, 2> {
    bool seen = false;
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::refused, Arrival::normal});
        on.core(1, [this] { submit(0); });
        on.core(2, [this] {
            if (pool.live_cores() == 0) return;  // not yet, or over
            while (pool.live_cores() != 0) weft::Port::relax();
            seen = true;
            submit(1);
        });
    }
    void finish() {
        if (seen) Lazy::finish();
    }
};
MODEL_SCENARIO(start_refused_and_seen, RefusedAndSeen).parked_at_end();

// Result: Never. There is no such core: nothing is lost, the joiner runs the task.
struct Absent : Lazy<1, 1> {
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::absent});
        on.core(outside, [this] { submit(0), end(); });
    }
};
MODEL_SCENARIO(start_absent, Absent).preemptions(4).stale_reads(4);

// Result: Never. "Started", but the core never checks in: join() does not wait for it (FreeRTOS-Kernel#515).
struct NeverComes : Lazy<1, 1> {
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::never});
        on.core(outside, [this] { submit(0), end(); });
    }
};
MODEL_SCENARIO(start_join_never_comes, NeverComes).preemptions(4).stale_reads(4);

// Result: Never. The deadline passes while the core may be arriving: exactly one wins, counts stay exact.
struct Deadline : Lazy<1, 2> {
    void cores(model::Program& on) {
        on.late_core(0);
        on.core(outside, [this] {
            submit(0);
            model::advance_clock(1000000);
            submit(1);
            end();
        });
    }
};
MODEL_SCENARIO(start_deadline, Deadline).each_wake();

// Result: Never. Another core shuts the pool down while a start is under way (J3).
struct JoinRace : Lazy<1, 1> {
    weft::Atomic<uint32_t> done{0};

    void cores(model::Program& on) {
        on.late_core(0, {Arrival::never});
        on.core(1, [this] {
            task[0].prepare();
            const weft::Status status = pool.submit(task[0]);
            task[0].given = status == weft::Status::ok;
            done.store(1, weft::release);
            weft::Port::unpark(2);
        });
        on.core(2, [this] {
            pool.shutdown();
            must(pool.join());
            while (done.load(weft::acquire) == 0) weft::Port::park();
            model::end_of_life(pool);
        });
    }
};
MODEL_SCENARIO(start_join_race, JoinRace).preemptions(3).stale_reads(2).deep(4, 3).each_wake();

// Result: Never. The same, and the starter tells the joiner nothing but what start() does (J3).
struct JoinAlone : Lazy<1, 1> {
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::never});
        on.core(1, [this] {
            task[0].prepare();
            task[0].given = pool.submit(task[0]) == weft::Status::ok;
        });
        on.core(2, [this] {
            pool.shutdown();
            must(pool.join());
        });
    }
};
MODEL_SCENARIO(start_join_alone, JoinAlone).preemptions(3).stale_reads(2).deep(4, 3).each_wake();

// Result: Never. Whoever sees that a core is on its way sees since when, and does not give it up too early (T1):
// neither do those whose clock is a little behind.
template <uint32_t behind>
struct NotOverdue : Lazy<1, 2> {
    weft::Atomic<uint32_t> go{0};

    void cores(model::Program& on) {
        on.late_core(0, {Arrival::never});
        on.core(1, [this] {
            model::advance_clock(1000000);
            go.store(1, weft::relaxed);
            submit(0);
        });
        on.core(2, [this] {
            while (go.load(weft::relaxed) == 0) weft::Port::relax();
            if (behind != 0) model::advance_clock(0 - behind);
            submit(1);
        });
    }
    void finish() { model::check(pool.start_failures() == 0, "nobody gave the core up before its deadline"); }
};
MODEL_SCENARIO(start_not_overdue, NotOverdue<0>).preemptions(3).stale_reads(3);
MODEL_SCENARIO(start_not_overdue_by_a_clock_behind, NotOverdue<1>);

// Result: Never. With drain a core on its way gets the time that it was promised, for the task that only it can run;
// with abandon no time passes: the joiner waits for nobody who has yet to come.
template <weft::Shutdown mode, Arrival arrival>
struct EndsWhileComing : Lazy<1, 1> {
    bool handed_back = false;

    void cores(model::Program& on) {
        on.late_core(0, {arrival});
        on.core(1, [this] {
            task[0].prepare();
            must(pool.submit_on(0, task[0]));
            pool.shutdown(mode);
            const uint32_t before = weft::Port::now();
            weft::Batch left;
            must(pool.join(left));
            // (The joiner's own search, where it goes in rounds, takes time.)
            if (mode == weft::Shutdown::abandon && WEFT_SEARCH_ROUNDS == 0) {
                model::check(weft::Port::now() == before, "join() waits for nobody");
            }
            while (left.pop() != nullptr) handed_back = true;
        });
    }
    void finish() {
        const int ends = task[0].runs + (handed_back ? 1 : 0);
        model::check(ends == 1, "the task runs once or is handed back");
        if (mode == weft::Shutdown::drain) model::check(!handed_back, "its core comes, so it runs");
    }
};
MODEL_SCENARIO(start_waited_for_by_drain, EndsWhileComing<weft::Shutdown::drain, Arrival::normal>);
MODEL_SCENARIO(start_withdrawn_by_abandon, EndsWhileComing<weft::Shutdown::abandon, Arrival::never>);
MODEL_SCENARIO(start_abandoned_while_coming, EndsWhileComing<weft::Shutdown::abandon, Arrival::normal>);

// Result: Never (waits for ever). The first core never comes, and nobody looks for a long time: the second submit finds
// that it is overdue, however long ago the deadline was, and wherever the clock wraps, and starts the other core.
template <uint32_t start, uint32_t later>
struct OverdueSince : Lazy<2, 2> {
    struct Signal : Mark {
        Signal() : Mark(&Signal::run) {}
        static void run(weft::Task& self) {
            OverdueSince& all = *static_cast<Signal&>(self).all;
            Mark::run(self);
            if (all.ran.fetch_add(1, weft::release) == 1) weft::Port::unpark(outside);
        }
        OverdueSince* all = nullptr;
    } signal[2];
    static constexpr unsigned outside = 2;
    weft::Atomic<uint32_t> ran{0};

    void submit(Signal& one) {
        one.all = this;
        one.prepare();
        must(pool.submit(one));
    }
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::normal});
        on.late_core(1, {Arrival::never, Arrival::normal});
        on.core(outside, [this] {
            model::advance_clock(start);
            submit(signal[0]);
            model::advance_clock(later);
            submit(signal[1]);
            while (ran.load(weft::acquire) != 2) weft::Port::park();
        });
    }
    void finish() {
        for (Signal& one : signal) model::check(one.as_promised(), "every task runs exactly once");
    }
};
MODEL_SCENARIO(start_overdue_soon, OverdueSince<0, 1000000>).parked_at_end();
MODEL_SCENARIO(start_overdue_before_half_a_turn, OverdueSince<0, 0x7ffffffe>).parked_at_end();
MODEL_SCENARIO(start_overdue_after_half_a_turn, OverdueSince<0, 0x80100000>).parked_at_end();
MODEL_SCENARIO(start_overdue_before_a_turn, OverdueSince<0, 0xf0000000>).parked_at_end();
MODEL_SCENARIO(start_overdue_across_the_wrap, OverdueSince<0xfffffff0, 0xa0000000>).parked_at_end();

// Result: Never. A core of the pool that still runs other code submits: nobody starts it, and that is no failure.
struct ByACoreOfThePool : Lazy<1, 1> {
    void cores(model::Program& on) {
        on.late_core(0);
        on.core(0, [this] {
            submit(0);
            model::check(pool.start_failures() == 0, "nobody tried to start it");
            pool.poll(1);
        });
    }
};
MODEL_SCENARIO(start_by_a_core_of_the_pool, ByACoreOfThePool);

// Result: Never. The same where it wakes a core that is parked: that one does not start it either. (One that is still
// searching need not be woken, and may try.)
struct WakesAnother : Lazy<2, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(1, [this] { must(pool.run()); });
        on.core(0, [this] { submit(0), submit(1), end(); });
    }
    void finish() {
        Lazy::finish();
        if (WEFT_SEARCH_ROUNDS == 0) model::check(pool.start_failures() == 0, "nobody tried to start it");
    }
};
MODEL_SCENARIO(start_by_a_core_that_wakes_another, WakesAnother).preemptions(3).stale_reads(3);

// Result: Never (spins). A start begins when the pool is sealed already: it is none, and the joiner, who waits for a
// long task, sleeps.
struct StartAfterSeal : Lazy<2, 2> {
    struct Long : Mark {
        Long() : Mark(&Long::run) {}
        static void run(weft::Task& self) {
            Mark::run(self);
            for (;;) weft::Port::park();
        }
    } endless;
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::never});
        on.core_at_rest(1, [this] {
            endless.prepare();
            must(pool.submit_on(1, endless));
            must(pool.run());
        });
        on.core(2, [this] { task[0].prepare(), static_cast<void>(pool.submit_on(0, task[0])); });
        on.core(3, [this] {
            pool.shutdown();
            static_cast<void>(pool.join());
        });
    }
    void finish() {}
};
MODEL_SCENARIO(start_after_the_seal, StartAfterSeal).parked_at_end();

// Result: Never. A task pinned to a core that is off: the core is started for it, or the task stays the caller's.
template <Arrival arrival>
struct PinnedStart : Lazy<1, 1> {
    void cores(model::Program& on) {
        on.late_core(0, {arrival});
        on.core(outside, [this] {
            task[0].prepare();
            const weft::Status status = pool.submit_on(0, task[0]);
            const bool fails = arrival == Arrival::refused || arrival == Arrival::absent;
            model::check(status == (fails ? weft::Status::core_unavailable : weft::Status::ok),
                         "as it should be");
            task[0].given = !fails;
            pool.shutdown();
            weft::Batch left;
            must(pool.join(left));
            while (weft::Task* one = left.pop()) static_cast<Mark*>(one)->given = false;
        });
    }
};
MODEL_SCENARIO(pinned_start, PinnedStart<Arrival::normal>).preemptions(3).stale_reads(3).each_wake();
MODEL_SCENARIO(pinned_start_refused, PinnedStart<Arrival::refused>);
MODEL_SCENARIO(pinned_start_absent, PinnedStart<Arrival::absent>);
MODEL_SCENARIO(pinned_start_never_comes, PinnedStart<Arrival::never>);

// Result: Never. A task is pinned to a core that another core is just starting: the core is there, or on its way, and
// the task runs on it. `pinned`: both pin, else the other one submits.
template <bool pinned>
struct PinnedWhileStarted : Lazy<1, 2> {
    weft::Status submit_as(unsigned which, bool pin) {
        task[which].prepare();
        return pin ? pool.submit_on(0, task[which]) : pool.submit(task[which]);
    }
    void cores(model::Program& on) {
        on.late_core(0);
        on.core(1, [this] { must(submit_as(0, pinned)); });
        on.core(2, [this] { must(submit_as(1, true)); });
    }
};
MODEL_SCENARIO(pinned_while_started, PinnedWhileStarted<false>).parked_at_end();
MODEL_SCENARIO(pinned_by_two, PinnedWhileStarted<true>).parked_at_end();

// Result: Never. The core was refused once, and has been started since: it has run a task, as everybody may know. Its
// state has a past by then, and no old look at that past may decide.
struct PinnedAfterRefused : Lazy<1, 2> {
    weft::Atomic<uint32_t> ran{0};
    struct Signal : Mark {
        Signal() : Mark(&Signal::run) {}
        static void run(weft::Task& self) {
            PinnedAfterRefused& all = *static_cast<Signal&>(self).all;
            Mark::run(self);
            all.ran.store(1, weft::relaxed);
            weft::Port::unpark(2);
        }
        PinnedAfterRefused* all = nullptr;
    } signal;
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::refused, Arrival::normal});
        on.core(1, [this] {
            signal.all = this;
            task[0].prepare(), signal.prepare();
            model::check(pool.submit_on(0, task[0]) == weft::Status::core_unavailable, "it was refused");
            task[0].given = false;
            must(pool.submit_on(0, signal));
        });
        on.core(2, [this] {
            while (ran.load(weft::relaxed) == 0) weft::Port::park();
            task[1].prepare();
            must(pool.submit_on(0, task[1]));
        });
    }
    void finish() {
        Lazy::finish();
        model::check(signal.as_promised(), "every task runs exactly once");
    }
};
MODEL_SCENARIO(pinned_after_refused, PinnedAfterRefused).stale_reads(4).parked_at_end();

// Result: Never. The same where the start is refused: who is told so keeps the task. Each waits for the end of the
// other's try, and makes one of its own.
struct PinnedWhileRefused : Lazy<1, 2> {
    weft::Status answer[2] = {weft::Status::ok, weft::Status::ok};
    weft::Atomic<uint32_t> pinned{0};
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::refused, Arrival::normal});
        for (unsigned which : {0, 1}) {
            on.core(1 + which, [this, which] {
                task[which].prepare();
                answer[which] = pool.submit_on(0, task[which]);
                task[which].given = answer[which] == weft::Status::ok;
                if (pinned.fetch_add(1, weft::acq_rel) == 0) return;
                pool.shutdown();
                weft::Batch left;
                must(pool.join(left));
                while (weft::Task* one = left.pop()) static_cast<Mark*>(one)->given = false;
            });
        }
    }
    void finish() {
        Lazy::finish();
        for (const weft::Status each : answer)
            model::check(each == weft::Status::ok || each == weft::Status::core_unavailable, "a reason");
    }
};
MODEL_SCENARIO(pinned_while_refused, PinnedWhileRefused);

// Result: Never. A submit finds a core claimed, and leaves it to that start to bring somebody. But the start is for a
// pinned task, and is refused; another core could be started.
struct SubmitWhileRefused : Lazy<2, 2> {
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::refused, Arrival::refused, Arrival::refused});
        on.late_core(1);
        on.core(2, [this] {
            task[0].prepare();
            model::check(pool.submit_on(0, task[0]) == weft::Status::core_unavailable, "it was refused");
            task[0].given = false;
        });
        on.core(3, [this] {
            task[1].prepare();
            must(pool.submit(task[1]));
        });
    }
};
MODEL_SCENARIO(submit_while_a_pin_is_refused, SubmitWhileRefused).parked_at_end();

// Result: Never. The same with a joiner who is a core of the pool itself: the task is not lost in the other's queue.
struct PinnedToAnother : Lazy<2, 1> {
    void cores(model::Program& on) {
        on.late_core(1, {Arrival::never});
        on.core(0, [this] {
            task[0].prepare();
            must(pool.submit_on(1, task[0]));
            pool.shutdown();
            weft::Batch left;
            must(pool.join(left));
            model::check(left.pop() == &task[0], "it is handed back");
            task[0].given = false;
        });
    }
};
MODEL_SCENARIO(pinned_to_another, PinnedToAnother);

// Result: Never. A task pinned to a core that may be anywhere on its way to sleep.
struct PinnedToSleeper : Lazy<1, 1> {
    struct Last : Mark {
        Last() : Mark(&Last::run) {}
        static void run(weft::Task& self) {
            weft::Scheduler& pool = *static_cast<Last&>(self).pool;
            Mark::run(self);
            pool.shutdown();
        }
        weft::Scheduler* pool = nullptr;
    } last;

    void cores(model::Program& on) {
        on.core(0, [this] { must(pool.run()); });
        on.core(outside, [this] {
            last.pool = &pool;
            last.prepare();
            weft::Status status = weft::Status::core_unavailable;
            while ((status = pool.submit_on(0, last)) == weft::Status::core_unavailable) weft::Port::relax();
            must(status);
        });
    }
    void finish() { model::check(last.runs == 1, "the pinned task ran"); }
};
MODEL_SCENARIO(pinned_to_sleeper, PinnedToSleeper).preemptions(3).stale_reads(3).each_wake();

}  // namespace
