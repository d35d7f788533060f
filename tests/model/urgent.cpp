// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: levels of urgency. What is urgent wakes who sleeps, is left behind by nobody who takes another urgent task,
// and goes before all that is not. Edges S1, S2, I1, D1.
#include "sleepers.hpp"

namespace {

using weft::Urgency;

template <unsigned cores, unsigned tasks, unsigned ring = 2>
struct Rush : Sleepers<cores, tasks, ring> {
    using Sleepers<cores, tasks, ring>::pool;
    using Sleepers<cores, tasks, ring>::task;

    void rush(unsigned which) {
        task[which].prepare();
        must(pool.submit(task[which], Urgency::urgent));
    }
    void rush_from_isr(unsigned which) {
        task[which].prepare();
        must(pool.submit_from_isr(task[which], Urgency::urgent));
    }
};

// Result: Never (sleeps for ever). One sleeper, one submitter from outside.
struct FromOutside : Rush<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] { work(); });
        on.core(1, [this] { rush(0); });
    }
};
MODEL_SCENARIO(urgent_from_outside, FromOutside).preemptions(4).stale_reads(4).each_wake();

// Result: Never. The sleeper's own interrupt handler is the submitter.
struct FromOwnIsr : Rush<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] { work(); });
        on.interrupt(0, [this] { rush_from_isr(0); });
    }
};
MODEL_SCENARIO(urgent_from_own_isr, FromOwnIsr).preemptions(4).stale_reads(4).each_wake();

// Result: Never (waits for ever). Two urgent tasks that do not end, and two workers: who takes the first one finds a
// second one behind it, or another core comes for that. `rested`: the workers sleep when it begins.
template <bool rested>
struct NeedTwo : Rush<2, 2> {
    void cores(model::Program& on) {
        worker<rested>(on, 0);
        worker<rested>(on, 1);
        for (One& one : task) one.body = model::Callable([this] { goes_on(); });
        on.core(2, [this] { rush(0), rush(1); });
    }
    void finish() { model::check(going_on == 2, "each core runs one of the tasks"); }
};
MODEL_SCENARIO(urgent_need_two, NeedTwo<false>).stale_reads(1).parked_at_end();
MODEL_SCENARIO(urgent_need_two_rested, NeedTwo<true>)
    .preemptions(4)
    .stale_reads(3)
    .parked_at_end()
    .each_wake();

// Result: Never. The same, handed in as one batch.
struct BatchNeedsTwo : Rush<2, 2> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        worker<true>(on, 1);
        on.core(2, [this] {
            weft::Batch batch;
            for (One& one : task) {
                one.body = model::Callable([this] { goes_on(); });
                one.prepare();
                must(batch.push(one));
            }
            must(pool.submit(batch, Urgency::urgent));
        });
    }
    void finish() { model::check(going_on == 2, "each core runs one of the tasks"); }
};
MODEL_SCENARIO(urgent_batch_needs_two, BatchNeedsTwo)
    .preemptions(4)
    .stale_reads(3)
    .parked_at_end()
    .each_wake();

// Result: Never. A worker with urgent tasks of its own takes one that does not end. The other core, anywhere on its way
// to sleep, comes for the next one: between two tasks nobody searches, and nobody is woken for what was seen before.
struct BehindOneThatGoesOn : Rush<2, 3> {
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] { rush(1), rush(2); });
        task[1].body = task[2].body = model::Callable([this] { goes_on(); });
        on.core(0, [this] { submit_here(0), work(); });
        worker<false>(on, 1);
    }
    void finish() { model::check(going_on == 2, "each core runs one of the urgent tasks"); }
};
MODEL_SCENARIO(urgent_behind_one_that_goes_on, BehindOneThatGoesOn).parked_at_end();

// Result: Never (waits for ever). An urgent task that does not end is taken before the tasks of the own ring, by the
// only core that is awake: another core must come for these.
struct LeavesItsRing : Rush<2, 3> {
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] { submit(1), rush(2); });
        task[1].body = task[2].body = model::Callable([this] { goes_on(); });
        on.core(0, [this] { submit_here(0), work(); });
        worker<true>(on, 1);
    }
    void finish() { model::check(going_on == 2, "one core runs the urgent task, the other one the ring's"); }
};
MODEL_SCENARIO(urgent_leaves_its_ring, LeavesItsRing).parked_at_end();

// Result: Never. One worker, in a task, with one in its ring. Before that task ends, another core submits a normal one
// and two urgent ones: these go before all that begins later.
struct GoesFirst : Rush<1, 5> {
    weft::Atomic<uint32_t> begun{0}, submitted{0};
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] {
            submit(1);
            begun.store(1, weft::release);
            weft::Port::unpark(1);
            while (submitted.load(weft::acquire) == 0) weft::Port::park();
        });
        for (unsigned which : {1, 2}) {
            task[which].body = model::Callable([this] {
                model::check(task[3].runs == 1, "what is urgent goes before all that begins later");
            });
        }
        on.core(0, [this] { submit_here(0), work(); });
        on.core(1, [this] {
            while (begun.load(weft::acquire) == 0) weft::Port::park();
            submit(2), rush(3), rush(4);
            submitted.store(1, weft::release);
            weft::Port::unpark(0);
        });
    }
};
MODEL_SCENARIO(urgent_goes_first, GoesFirst).stale_reads(3);

// Result: Never. A submit that races the shutdown: refused, run, or handed back.
template <weft::Shutdown mode>
struct AtTheEnd {
    weft::Pool<1, 2> pool;
    Mark task[2];
    void rush(unsigned which, weft::Status status) {
        model::check(status == weft::Status::ok || status == weft::Status::closed, "accepted or refused");
        task[which].given = status == weft::Status::ok;
    }
    void cores(model::Program& on) {
        for (Mark& one : task) one.prepare();
        on.core(0, [this] {
            must(pool.run());
            weft::Batch left;
            must(pool.join(left));
            while (weft::Task* one = left.pop()) {
                model::check(mode == weft::Shutdown::abandon, "a drained pool gives nothing back");
                static_cast<Mark*>(one)->runs += 1;
            }
        });
        on.interrupt(0, [this] { rush(1, pool.submit_from_isr(task[1], Urgency::urgent)); });
        on.core(1, [this] {
            rush(0, pool.submit(task[0], Urgency::urgent));
            pool.shutdown(mode);
        });
    }
    void finish() {
        for (Mark& one : task) model::check(one.as_promised(), "each runs once, or is handed back");
    }
};
MODEL_SCENARIO(urgent_at_the_end, AtTheEnd<weft::Shutdown::drain>).each_wake();
MODEL_SCENARIO(urgent_abandoned, AtTheEnd<weft::Shutdown::abandon>).each_wake();

// Result: Never. A timer's follower goes first where both are there, and is seen by the core that sleeps.
struct OfATimer {
    weft::Pool<1, 2> pool;
    Mark normal;
    struct Due : Mark {
        Due() : Mark(&Due::run_due) {}
        static void run_due(weft::Task& self) {
            Mark::run(self);
            static_cast<Due&>(self).pool->shutdown();
        }
        weft::Scheduler* pool = nullptr;
    } due;
    weft::Timer timer{pool, due, Urgency::urgent};
    void cores(model::Program& on) {
        due.pool = &pool;
        on.core(0, [this] {
            due.prepare();
            must(timer.start_after(10));
            must(pool.run());
        });
        on.core(1, [this] {
            normal.prepare();
            must(pool.submit(normal));
        });
    }
    void finish() { model::check(normal.as_promised() && due.as_promised(), "every task runs exactly once"); }
};
MODEL_SCENARIO(urgent_timer, OfATimer).alarms().clock_start(0xfffffff8u);

}  // namespace
