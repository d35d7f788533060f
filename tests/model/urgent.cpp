// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: levels of urgency. What is urgent wakes who sleeps, is left behind by nobody who takes another urgent task,
// and goes before all that is not. Edges S1, S2, I1, D1.
#include "sleepers.hpp"

namespace {

using weft::Urgency;
constexpr Urgency urgent = Urgency::urgent;

// Result: Never (sleeps for ever).
MODEL_SCENARIO(urgent_from_outside, SubmitOutside<urgent>).preemptions(3).stale_reads(3).each_wake();
// Result: Never.
MODEL_SCENARIO(urgent_from_own_isr, OwnIsr<urgent>).preemptions(3).stale_reads(3).each_wake();

// Result: Never (waits for ever). Two urgent tasks that do not end, and two workers: who takes the first one finds a
// second one behind it, or another core comes for that. `rested`: the workers sleep when it begins.
template <bool rested>
struct NeedTwo : Sleepers<2, 2> {
    void cores(model::Program& on) {
        worker<rested>(on, 0);
        worker<rested>(on, 1);
        for (One& one : task) one.body = model::Callable([this] { goes_on(); });
        on.core(2, [this] { submit(0, urgent), submit(1, urgent); });
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
MODEL_SCENARIO(urgent_batch_needs_two, BatchNeedsTwo<true, urgent>)
    .preemptions(4)
    .stale_reads(3)
    .parked_at_end()
    .each_wake();

// Result: Never (waits for ever). A task leaves two that do not end, one of them urgent. Its core takes that one. The
// other core must come for the other one: it may be urgent, too (then it is anywhere on its way to sleep: between two
// tasks nobody searches, and nobody is woken for what was seen before), or wait in the ring (then that core sleeps).
template <Urgency other>
struct LeavesTwo : Sleepers<2, 3> {
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] { submit(1, other), submit(2, urgent); });
        task[1].body = task[2].body = model::Callable([this] { goes_on(); });
        on.core(0, [this] { submit_here(0), work(); });
        worker<other != urgent>(on, 1);
    }
    void finish() { model::check(going_on == 2, "each core runs one of the two"); }
};
MODEL_SCENARIO(urgent_behind_one_that_goes_on, LeavesTwo<urgent>).parked_at_end();
MODEL_SCENARIO(urgent_leaves_its_ring, LeavesTwo<Urgency::normal>).parked_at_end();

// Result: Never. One worker, in a task, with one in its ring. Before that task ends, another core submits a normal one
// and two urgent ones: these go before all that begins later.
struct GoesFirst : Sleepers<1, 5> {
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
            submit(2), submit(3, urgent), submit(4, urgent);
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
    void took(unsigned which, weft::Status status) {
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
        on.interrupt(0, [this] { took(1, pool.submit_from_isr(task[1], urgent)); });
        on.core(1, [this] {
            took(0, pool.submit(task[0], urgent));
            pool.shutdown(mode);
        });
    }
    void finish() {
        for (Mark& one : task) model::check(one.as_promised(), "each runs once, or is handed back");
    }
};
MODEL_SCENARIO(urgent_at_the_end, AtTheEnd<weft::Shutdown::drain>).each_wake();
MODEL_SCENARIO(urgent_abandoned, AtTheEnd<weft::Shutdown::abandon>).each_wake();

// Result: Never. Who submits has looked whether the pool ends before it did, and pushes after all have left.
struct MeetsTheEnd {
    weft::Pool<1, 2> pool;
    Mark task;
    void cores(model::Program& on) {
        task.prepare();
        on.core(0, [this] {
            pool.shutdown();
            must(pool.join());
        });
        on.core(1, [this] { task.given = pool.submit(task, urgent) == weft::Status::ok; });
    }
    void finish() { model::check(task.as_promised(), "it runs, or is refused"); }
};
MODEL_SCENARIO(urgent_submit_meets_the_end, MeetsTheEnd);

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

// Result: Never (goes on for ever). A task submits so many urgent ones each time that it runs, and itself by a batch.
// They fill an interval, so each turn of the shared queues is the next one's cause. The own ring has its turn, too.
template <unsigned many>
struct FillsAnInterval : Sleepers<1, 2 + many> {
    using Sleepers<1, 2 + many>::pool;
    using Sleepers<1, 2 + many>::task;
    using Sleepers<1, 2 + many>::left;
    static constexpr unsigned most = 8;
    unsigned rounds = 0;
    bool has_turn = false;
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] {
            if (has_turn || ++rounds == most) return;
            if (rounds == 1) this->submit(1);
            left.fetch_add(rounds == 1 ? 1 : 1 + many, weft::relaxed);
            for (unsigned which = 2; which != 2 + many; ++which) this->submit(which, urgent);
            weft::Batch batch;
            task[0].prepare();
            must(batch.push(task[0]));
            must(pool.submit(batch));
        });
        task[1].body = model::Callable([this] { has_turn = true; });
        on.core(0, [this] { this->submit_here(0), this->work(); });
    }
    void finish() { model::check(has_turn && rounds <= 3, "the own ring has its turn"); }
};
MODEL_SCENARIO(urgent_fill_an_interval, FillsAnInterval<WEFT_FAIR_INTERVAL - 1>);
MODEL_SCENARIO(urgent_fill_an_interval_and_more, FillsAnInterval<WEFT_FAIR_INTERVAL>);

}  // namespace
