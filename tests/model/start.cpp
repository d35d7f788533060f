// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: starting cores, and every way in which that can fail. Edges P1, J3. Promises Z1, Z6, E2.
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
MODEL_SCENARIO(start_join_race, JoinRace).preemptions(4).stale_reads(3).each_wake();

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
MODEL_SCENARIO(start_join_alone, JoinAlone).preemptions(4).stale_reads(3).each_wake();

// Result: Never. Whoever sees that a core is on its way sees since when, and does not give it up too early (P1).
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
            submit(1);
        });
    }
    void finish() { model::check(pool.start_failures() == 0, "nobody gave the core up before its deadline"); }
};
MODEL_SCENARIO(start_not_overdue, NotOverdue).preemptions(3).stale_reads(3);

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
