// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: a level that preempts. Its tasks are run on top of what a core does, also where that never ends. Claim 11 of
// src/preempt.cpp; edges X1, I1, S1, S2.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// Of a library with a level that preempts, as in rest.cpp.
namespace preempt {
#include "sleepers.hpp"
}  // namespace preempt
using namespace preempt;

namespace {

constexpr weft::Urgency at_once{WEFT_URGENCY_LEVELS - 1};

// Result: Never (the task waits for ever). One worker, in a task that goes on until the one that preempts has run.
// `by_isr`: submitted by a handler of the very core; `twice`: two of them, one by each.
template <bool outside, bool by_isr>
struct OnTop : Sleepers<1, 3> {
    weft::Atomic<uint32_t> ran{0}, begun{0};
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] {
            begun.store(1, weft::release);
            while (ran.load(weft::acquire) != unsigned{outside} + by_isr) weft::Port::relax();
        });
        for (unsigned which : {1, 2}) {
            task[which].body = model::Callable([this] {
                model::check(!weft::Port::in_isr(), "not in a handler, as far as one may submit");
                ran.fetch_add(1, weft::acq_rel);
            });
        }
        if (!outside || !by_isr) left.store(2, weft::relaxed);
        if (outside && by_isr) {
            on.core_at_rest(0, [this] { submit_here(0), work(); });
        } else {
            on.core(0, [this] { submit_here(0), work(); });
        }
        if (by_isr) on.interrupt(0, [this] { submit_from_isr(1, at_once); });
        if (outside) {
            on.core(1, [this] { submit(2, at_once); });
        }
    }
};
MODEL_SCENARIO(preempt_from_outside, OnTop<true, false>).interrupts();
MODEL_SCENARIO(preempt_from_own_isr, OnTop<false, true>).interrupts();
MODEL_SCENARIO(preempt_from_both, OnTop<true, true>).interrupts().preemptions(1).stale_reads(1).deep(2, 1);

// Result: Never. The core sleeps, or is anywhere on its way there. What runs on top of that submits a usual task: it is
// found.
template <bool rested>
struct Asleep : Sleepers<1, 2> {
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] { submit(1); });
        worker<rested>(on, 0);
        on.core(1, [this] { submit(0, at_once); });
    }
};
MODEL_SCENARIO(preempt_before_a_sleep, Asleep<false>).interrupts().stale_reads(1);
MODEL_SCENARIO(preempt_in_a_sleep, Asleep<true>).interrupts().each_wake();

// Result: Never (it is taken for a handler for ever). The core finds the task between two others, and the interrupt
// that was for it comes meanwhile. Afterwards the core is the worker that it was.
struct AWorkerAgain : Sleepers<1, 2> {
    weft::Completion part{pool};
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] {
            must(pool.submit_on(0, part));
            must(part.wait());
        });
        on.core(0, [this] { submit_here(0), work(); });
        on.core(1, [this] { submit(1, at_once); });
    }
};
MODEL_SCENARIO(preempt_worker_again, AWorkerAgain).interrupts();

// Result: Never. Two cores, each in a task that does not end; two that preempt are submitted at once. One core may take
// both, or each one.
template <bool as_batch>
struct Two : Sleepers<2, 4> {
    void cores(model::Program& on) {
        for (unsigned which : {0, 1}) {
            task[which].body = model::Callable([this] { goes_on(); });
        }
        on.core_at_rest(0, [this] { submit_here(0), work(); });
        on.core_at_rest(1, [this] { submit_here(1), work(); });
        on.core(2, [this] {
            if (!as_batch) {
                submit(2, at_once), submit(3, at_once);
                return;
            }
            weft::Batch batch;
            for (unsigned which : {2, 3}) task[which].prepare(), must(batch.push(task[which]));
            must(pool.submit(batch, at_once));
        });
    }
    void finish() {
        model::check(task[2].as_promised() && task[3].as_promised(), "both run on top of what does not end");
    }
};
MODEL_SCENARIO(preempt_two, Two<false>).interrupts().parked_at_end();
MODEL_SCENARIO(preempt_a_batch, Two<true>).interrupts().parked_at_end();

// Result: Never. Two submitters, each of a task that does not end before the other one runs: they choose two cores.
struct TwoSubmitters : Sleepers<2, 4> {
    weft::Atomic<uint32_t> begun{0};
    void cores(model::Program& on) {
        for (unsigned which : {0, 1}) {
            task[which].body = model::Callable([this] { goes_on(); });
            task[2 + which].body = model::Callable([this] {
                begun.fetch_add(1, weft::acq_rel);
                while (begun.load(weft::acquire) != 2) weft::Port::relax();
            });
        }
        on.core_at_rest(0, [this] { submit_here(0), work(); });
        on.core_at_rest(1, [this] { submit_here(1), work(); });
        on.core(2, [this] { submit(2, at_once); });
        on.core(3, [this] { submit(3, at_once); });
    }
    void finish() {
        model::check(task[2].as_promised() && task[3].as_promised(), "both run, each on a core of its own");
    }
};
MODEL_SCENARIO(preempt_two_submitters, TwoSubmitters)
    .interrupts()
    .parked_at_end()
    .preemptions(1)
    .stale_reads(1);

// Result: Never. The first one that preempts submits the second, and does not end before that has run: another core is
// interrupted for it.
struct NeedsAnother : Sleepers<2, 3> {
    weft::Atomic<uint32_t> second{0};
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] {
            submit(1, at_once);
            while (second.load(weft::acquire) == 0) weft::Port::relax();
        });
        task[1].body = model::Callable([this] { second.store(1, weft::release); });
        task[2].body = model::Callable([this] { goes_on(); });
        on.core_at_rest(0, [this] { submit_here(2), work(); });
        worker<true>(on, 1);
        on.core(2, [this] { submit(0, at_once); });
    }
    void finish() {
        model::check(task[0].as_promised() && task[1].as_promised(), "it runs beside the first");
    }
};
MODEL_SCENARIO(preempt_one_that_needs_another, NeedsAnother).interrupts().parked_at_end();

// Result: Never. A core polls once and leaves, while somebody chooses it: then the other core does it, who never ends
// by itself.
struct ChosenAndGone : Sleepers<2, 2> {
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] { goes_on(); });
        on.core(0, [this] { static_cast<void>(pool.poll(1)); });
        on.core_at_rest(1, [this] { submit_here(0), work(); });
        on.core(2, [this] { submit(1, at_once); });
    }
    void finish() { model::check(task[1].as_promised(), "it runs on top of what does not end"); }
};
MODEL_SCENARIO(preempt_chosen_and_gone, ChosenAndGone).interrupts().parked_at_end();

// Result: Never. Nobody works for the pool yet: a core is started for it.
struct Starts : Sleepers<2, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] { submit(0, at_once); });
        on.late_core(1);
    }
};
MODEL_SCENARIO(preempt_starts_a_core, Starts).interrupts();

// Result: Never. A submit that races the end: run, refused, or handed back.
template <weft::Shutdown mode>
struct AtTheEnd {
    weft::Pool<1, 2> pool;
    Mark task;
    void cores(model::Program& on) {
        task.prepare();
        on.core(0, [this] {
            must(pool.run());
            weft::Batch left;
            must(pool.join(left));
            while (weft::Task* one = left.pop()) {
                model::check(mode == weft::Shutdown::abandon, "a drained pool gives nothing back");
                static_cast<Mark*>(one)->runs += 1;
            }
        });
        on.core(1, [this] {
            const weft::Status status = pool.submit(task, at_once);
            model::check(status == weft::Status::ok || status == weft::Status::closed, "accepted or refused");
            task.given = status == weft::Status::ok;
        });
        on.core(2, [this] { pool.shutdown(mode); });
    }
    void finish() { model::check(task.as_promised(), "it runs once, or is handed back"); }
};
MODEL_SCENARIO(preempt_at_the_end, AtTheEnd<weft::Shutdown::drain>)
    .interrupts()
    .preemptions(1)
    .stale_reads(1)
    .deep(2, 1);
MODEL_SCENARIO(preempt_abandoned, AtTheEnd<weft::Shutdown::abandon>)
    .interrupts()
    .preemptions(1)
    .stale_reads(1)
    .deep(2, 1);

// Result: Never (waits for ever). A core was refused, and can be started by now. A submit from outside leaves its task
// to a core that polls, and that one is about to leave.
struct RetriedByWhoHasPolled : Sleepers<2, 2> {
    Flag tried;
    void cores(model::Program& on) {
        on.core(0, [this] {
            submit(0);
            tried.set(2);
            static_cast<void>(pool.poll(1));
        });
        on.late_core(1, {model::Arrival::refused, model::Arrival::normal});
        on.core(2, [this] {
            tried.await();
            submit(1, at_once);
        });
    }
    void finish() { model::check(task[1].as_promised(), "it runs, on whichever core"); }
};
MODEL_SCENARIO(preempt_retried_by_who_has_polled, RetriedByWhoHasPolled)
    .interrupts()
    .parked_at_end()
    .preemptions(2)
    .stale_reads(0);

// Result: Never (waits for ever). A core was refused, and can be started by now. A submit from outside leaves its two
// tasks to who is woken, and that one runs a task of the level that preempts first, by itself.
struct RetriedByWhoServes : Sleepers<2, 5> {
    Flag begun, go, idle_again;
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] { begun.set(2), go.await(); });
        task[1].body = model::Callable([this] { idle_again.set(2); });
        for (unsigned which : {2, 3}) task[which].body = model::Callable([this] { two.arrive(); });
        worker<true>(on, 0);
        on.late_core(1, {model::Arrival::refused, model::Arrival::normal});
        on.core(2, [this] {
            submit(0);
            begun.await();
            submit(1);
            go.set(0);
            idle_again.await();
            for (int i = 0; i != 3; ++i) weft::Port::relax();
            weft::Batch batch;
            for (unsigned which : {2, 3}) task[which].prepare(), must(batch.push(task[which]));
            must(pool.submit(batch));
            submit(4, at_once);
        });
    }
};
MODEL_SCENARIO(preempt_retried_by_who_serves, RetriedByWhoServes)
    .interrupts()
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);

// Result: Never (waits for ever). Who submits to a strand on top of a task starts no core, as a handler. A call from
// outside leaves `brought` to it.
struct MeetsWhoIsOnTop {
    weft::Pool<3, 2> pool;
    weft::Strand strand{pool};
    Doing task, another, on_top, early, brought;
    Flag has_run;
    void cores(model::Program& on) {
        brought.body = model::Callable([this] {
            for (unsigned core = 0; core != 3; ++core) has_run.set(core);
        });
        for (Doing* one : {&task, &another}) one->body = model::Callable([this] { has_run.await(); });
        on_top.body = model::Callable([this] {
            early.prepare();
            must(strand.submit(early));
        });
        on.core_at_rest(0, [this] {
            task.prepare();
            must(pool.submit_on(0, task));
            must(pool.run());
        });
        on.late_core(1);
        on.late_core(2);
        on.core(3, [this] {
            another.prepare();
            must(pool.submit(another));
        });
        on.core(4, [this] {
            brought.prepare();
            must(strand.submit(brought));
        });
        on.core(5, [this] {
            on_top.prepare();
            must(pool.submit(on_top, at_once));
        });
    }
    void finish() {
        for (Doing* one : {&task, &another, &on_top, &early, &brought})
            model::check(one->as_promised(), "all run");
    }
};
MODEL_SCENARIO(preempt_strand_meets_who_is_on_top, MeetsWhoIsOnTop)
    .interrupts()
    .parked_at_end()
    .stale_reads(0)
    .mode(model::Mode::pct)
    .executions(20000);

}  // namespace
