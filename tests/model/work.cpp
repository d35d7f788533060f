// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: waiting for a task, and taking it back. Who waits sees what the run wrote, and the task ends at once; a wait
// never sleeps through the end; a cancel and the turn of the task decide for one of them. Edges K1, K2.
#include "waits.hpp"

namespace {

using weft::CancelResult;

MODEL_SCENARIO(work_wait_in_a_task, InATask).stale_reads(2).each_wake();

MODEL_SCENARIO(work_wait_outside, Outside).stale_reads(1);

// Result: Never. A foreign core waits, and looks again and again.
struct Foreign : OnePart<1> {
    void cores(model::Program& on) {
        core_0_rests(on);
        on.core(1, [this] {
            submit();
            must(part.wait());
            part.judge_and_end(1);
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(work_wait_of_a_foreign_core, Foreign).stale_reads(1);

// Result: Never. The next round sees what the one before wrote, though who begins it has not waited.
struct NextRound : OnePart<1> {
    void cores(model::Program& on) {
        core_0_rests(on);
        on.core(1, [this] {
            submit();
            while (!part.is_done()) weft::Port::relax();
            part.judge(1);
            must(part.reset());
            model::check(!part.is_done(), "a new round");
            must(pool.submit(part));
            while (!part.is_done()) weft::Port::relax();
            part.judge_and_end(2);
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(work_next_round, NextRound).stale_reads(1);

// Result: Never. A cancel against the turn: who asks has an answer that is final. What was taken back is let go of at
// its turn, and the wait ends then, too.
struct Cancelled : OnePart<2> {
    void cores(model::Program& on) {
        core_0_rests(on);
        on.core(1, [this] {
            submit();
            const bool cancelled = part.cancel() == CancelResult::cancelled;
            must(part.wait());
            model::check(part.is_cancelled() == cancelled, "the answer is final");
            part.judge_and_end(cancelled ? 0 : 1);
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(work_cancel, Cancelled).stale_reads(1);

// Result: Never. The same, by an interrupt of the core whose turn it is, at any step; and by another core.
struct CancelledInAHandler : OnePart<1> {
    weft::Plain<uint32_t> by_handler{};

    void cores(model::Program& on) {
        core_0_rests(on);
        on.interrupt(0, [this] { by_handler.set(part.cancel() == CancelResult::cancelled); });
        on.core(1, [this] {
            submit();
            const bool by_caller = part.cancel() == CancelResult::cancelled;
            while (!part.is_done()) weft::Port::relax();
            model::check(!by_caller || part.is_cancelled(), "the answer is final");
            part.judge(part.is_cancelled() ? 0 : 1);
            pool.shutdown();
        });
    }
    void finish() { model::check(by_handler.get() == 0 || part.is_cancelled(), "the handler's answer, too"); }
};
MODEL_SCENARIO(work_cancel_in_a_handler, CancelledInAHandler).stale_reads(1);

// Result: Never. What has followed a gate is over: so is the gate, though an arrive() may not have returned yet.
struct EndsAGate {
    weft::Pool<1, 2> pool;
    weft::Completion done{pool};
    weft::Gate gate{pool, done, 2};

    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] { must(gate.arrive()); });
        on.core(2, [this] {
            must(gate.arrive());
            while (!done.is_done()) weft::Port::relax();
            model::end_of_life(gate);
            model::end_of_life(done);
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(work_wait_for_a_gate, EndsAGate).stale_reads(1);

// Result: Never. It is taken back while somebody waits for it: the wait ends at its turn.
struct CancelledMeanwhile : OnePart<2> {
    weft::Plain<uint32_t> cancelled{};

    void cores(model::Program& on) {
        core_0_rests(on);
        on.interrupt(1, [this] { cancelled.set(part.cancel() == CancelResult::cancelled); });
        on.core(1, [this] {
            part.input.set(41);
            must(pool.submit_on(0, part));
            must(part.wait());
            part.judge(part.is_cancelled() ? 0 : 1);
            pool.shutdown();
        });
    }
    void finish() { model::check(cancelled.get() == 0 || part.is_cancelled(), "the answer is final"); }
};
MODEL_SCENARIO(work_cancel_of_what_is_waited_for, CancelledMeanwhile).stale_reads(1).each_wake();

// Result: Never. The core that waits may be chosen for another task in the moment in which its wait ends, and go on
// with its own, for ever. Then the other core must come.
struct WaitAndOthers {
    weft::Pool<2, 2> pool;
    Part part{pool};
    Mark other;
    struct First : weft::TaskOf<First> {
        void run() {
            must(all->pool.submit_on(1, all->part));
            must(all->part.wait());
            for (;;) weft::Port::park();
        }
        WaitAndOthers* all = nullptr;
    } first;

    void cores(model::Program& on) {
        first.all = this;
        part.input.set(41);
        on.core(0, [this] {
            must(pool.submit_on(0, first));
            must(pool.run());
        });
        on.core_at_rest(1, [this] { must(pool.run()); });
        on.core(2, [this] {
            other.prepare();
            must(pool.submit(other));
        });
    }
    void finish() { model::check(other.as_promised(), "it does not wait for a task that goes on"); }
};
MODEL_SCENARIO(work_wait_and_others, WaitAndOthers).stale_reads(1).parked_at_end();

// Result: Never. Abandoned while a task waits, and the other core may just begin what is waited for: the task has an
// answer, and the part has run, or comes back.
struct Abandoned {
    weft::Pool<2, 2> pool;
    Part part{pool};
    struct First : weft::TaskOf<First> {
        void run() {
            has_run = true;
            status = all->part.wait();
            if (status == weft::Status::ok) all->part.judge(1);
        }
        Abandoned* all = nullptr;
        weft::Status status = weft::Status::ok;
        bool has_run = false;
    } first;

    void cores(model::Program& on) {
        first.all = this;
        part.input.set(41);
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] {
            must(pool.submit(part));
            must(pool.submit(first));
            pool.shutdown(weft::Shutdown::abandon);
            weft::Batch left;
            must(pool.join(left));
            bool back = false;
            while (weft::Task* const task = left.pop()) back = back || task == &part;
            model::check(part.is_done() != back, "it has run, or comes back");
            if (!back) part.judge(1);
            model::check(!first.has_run || first.status == weft::Status::closed || !back, "ok: it has run");
            model::end_of_life(part);
        });
    }
};
MODEL_SCENARIO(work_wait_abandoned, Abandoned).stale_reads(1);

// Result: Never. What is waited for is pinned to a core that leaves at the end, perhaps without having seen it: then
// the wait ends, too, when nobody else is left.
struct PinnedAtTheEnd {
    weft::Pool<2, 2> pool;
    Part part{pool};
    struct First : weft::TaskOf<First> {
        void run() {
            accepted = all->pool.submit_on(0, all->part) == weft::Status::ok;
            if (accepted) waited = all->part.wait();
            if (waited == weft::Status::ok) all->part.judge(1);
        }
        PinnedAtTheEnd* all = nullptr;
        bool accepted = false;
        weft::Status waited = weft::Status::closed;
    } first;

    void cores(model::Program& on) {
        first.all = this;
        part.input.set(41);
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.interrupt(1, [this] { pool.shutdown(); });
        on.core(1, [this] {
            const bool given = pool.submit(first) == weft::Status::ok;
            if (given) static_cast<void>(pool.poll(1));
            pool.shutdown();
            weft::Batch left;
            must(pool.join(left));
            bool back = false;
            while (weft::Task* const task = left.pop()) back = back || task == &part;
            model::check(!first.accepted || part.is_done() != back, "it has run, or comes back");
            model::end_of_life(part);
        });
    }
};
MODEL_SCENARIO(work_wait_for_what_is_pinned_at_the_end, PinnedAtTheEnd).preemptions(1).stale_reads(0);

// Result: Never (goes round for ever). Two wait for what nobody submits, and the pool ends. Each sees the other one
// miss while that searches; the machine takes turns between them, so they would go on so.
struct TwoWaitAtTheEnd {
    weft::Pool<2, 2> pool;
    weft::Completion never[2] = {weft::Completion{pool}, weft::Completion{pool}};
    void cores(model::Program& on) {
        for (unsigned id : {0, 1}) {
            on.core_at_rest(id, [this, id] {
                model::check(never[id].wait() == weft::Status::closed, "the pool has ended");
            });
        }
        on.core(2, [this] {
            pool.shutdown();
            weft::Batch left;
            must(pool.join(left));
        });
    }
    void finish() {}
};
MODEL_SCENARIO(work_two_wait_at_the_end, TwoWaitAtTheEnd).preemptions(1).stale_reads(0);

// Result: Never. All who are left wait, and no shared queue has anything. Yet a task that was submitted as the pool was
// shut down is pinned to one of them: a wait of the other one, for it or for what nobody submits, goes on until it has
// run.
template <bool is_awaited>
struct PinnedToWhoWaits {
    weft::Pool<2, 2> pool;
    weft::Completion pinned{pool};
    weft::Completion never[2] = {weft::Completion{pool}, weft::Completion{pool}};
    struct First : weft::TaskOf<First> {
        void run() {
            // closed: core 1 has not come, or the pool is closing
            if (all->pool.submit_on(1, all->pinned) != weft::Status::ok) return;
            const weft::Status waited = (is_awaited ? all->pinned : all->never[0]).wait();
            model::check(waited == (is_awaited ? weft::Status::ok : weft::Status::closed),
                         "it has run; or nobody submits it");
            model::check(all->pinned.is_done(), "what is queued has run");
        }
        PinnedToWhoWaits* all = nullptr;
    } first;

    void cores(model::Program& on) {
        first.all = this;
        on.core_at_rest(
            1, [this] { model::check(never[1].wait() == weft::Status::closed, "nobody submits it"); });
        on.core(0, [this] {
            static_cast<void>(pool.submit(first));  // closed, it may be
            static_cast<void>(pool.poll(1));
        });
        on.core(2, [this] { pool.shutdown(); });
    }
};
MODEL_SCENARIO(work_wait_for_what_is_pinned_to_who_waits, PinnedToWhoWaits<true>)
    .mode(model::Mode::pct)
    .executions(30000);
MODEL_SCENARIO(work_wait_while_a_pinned_task_goes_on, PinnedToWhoWaits<false>)
    .mode(model::Mode::random)
    .executions(30000);

// Result: Never. A core has no bit among those that wait, and leaves: just before that, its task has pinned something
// to the one that waits, beside the shutdown. That wait goes on until it has run.
template <bool stays>
struct LeavesMeanwhile {
    weft::Pool<2, 2> pool;
    weft::Completion part{pool};
    weft::Atomic<uint32_t> begun{};
    struct First : weft::TaskOf<First> {
        void run() {
            all->begun.store(1, weft::release);
            weft::Port::unpark(2);
            all->accepted = all->pool.submit_on(0, all->part) == weft::Status::ok;
        }
        LeavesMeanwhile* all = nullptr;
    } first;
    bool accepted = false;
    weft::Status waited = weft::Status::ok;

    void cores(model::Program& on) {
        first.all = this;
        on.core_at_rest(0, [this] { waited = part.wait(); });
        on.core(1, [this] {
            must(pool.submit_on(1, first));
            if (stays) {
                must(pool.run());
            } else {
                static_cast<void>(pool.poll(1));
            }
        });
        on.core(2, [this] {
            while (begun.load(weft::acquire) == 0) weft::Port::park();
            pool.shutdown();
        });
    }
    void finish() {
        model::check(!accepted || waited == weft::Status::ok, "what was accepted is waited for");
    }
};
MODEL_SCENARIO(work_wait_beside_who_polls, LeavesMeanwhile<false>).preemptions(2).stale_reads(0);
MODEL_SCENARIO(work_wait_beside_who_leaves, LeavesMeanwhile<true>).preemptions(2).stale_reads(0);

// Result: Never (closed, and the task runs). A task waits for what stands behind another task in a strand. That one
// waits for what is pinned to the first one's core, and runs there: it is told, but its core is late to go on.
struct BehindWhoIsTold {
    weft::Pool<2, 2> pool;
    weft::Strand strand{pool};
    weft::Completion behind{pool};
    struct Ends {
        BehindWhoIsTold* all;
        void operator()() const { all->pool.shutdown(); }
    };
    weft::Work<Ends> pinned{pool, Ends{this}};
    struct First : weft::TaskOf<First> {
        void run() {
            must(all->strand.submit(all->second));
            static_cast<void>(all->strand.submit(all->behind));  // closed, if the second one was fast
        }
        BehindWhoIsTold* all = nullptr;
    } first;
    struct Second : weft::TaskOf<Second> {
        void run() {
            // Core 0 has no place for others: not taken before it has come.
            if (all->pool.submit_on(0, all->pinned) != weft::Status::ok) return all->pool.shutdown();
            must(all->pinned.wait());
        }
        BehindWhoIsTold* all = nullptr;
    } second;
    struct Third : weft::TaskOf<Third> {
        void run() { all->waited = all->behind.wait(); }
        BehindWhoIsTold* all = nullptr;
    } third;
    weft::Status waited = weft::Status::ok;

    void cores(model::Program& on) {
        first.all = second.all = third.all = this;
        on.core_at_rest(1, [this] { must(pool.run()); });
        on.core(0, [this] {
            must(pool.submit_on(1, first));
            static_cast<void>(pool.submit_on(0, third));  // closed: see the second one
            static_cast<void>(pool.poll(1));
        });
    }
    void finish() {
        model::check(!behind.is_done() || waited == weft::Status::ok, "closed, and it runs here");
    }
};
MODEL_SCENARIO(work_wait_behind_who_is_told, BehindWhoIsTold).preemptions(2).stale_reads(0);

MODEL_SCENARIO(work_wait_for_who_never_comes, NeverComesToAForeignCore).ticks_per_call(1000).stale_reads(1);

// Result: Never (closed, and the task runs). A core waits for what it has submitted, beside the shutdown and a join.
// The other core is here, and runs it. (If nobody is here any more the joiner does, and the wait may be closed.)
struct BesideAJoin {
    weft::Pool<2, 2> pool;
    int ran_on = -1;
    weft::Work<NotesCore> part{pool, NotesCore{ran_on}};
    weft::Status waited = weft::Status::ok;

    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] {
            if (pool.submit(part) == weft::Status::ok) waited = part.wait();
        });
        on.core(2, [this] {
            pool.shutdown();
            must(pool.join());
        });
    }
    void finish() {
        model::check(waited == weft::Status::ok || ran_on != 0, "the wait goes on until it has run");
    }
};
MODEL_SCENARIO(work_wait_beside_a_join, BesideAJoin).stale_reads(1);

MODEL_SCENARIO(work_wait_in_another_pools_task_beside_a_join, OtherPoolBesideAJoin).stale_reads(0);

// Who waits is a worker for the while. It must look at the deadline in each of its rounds: here that is half a turn of
// the clock, and over when the clock has gone once round.
using NeverComesToAWorker = NeverComesAtTheEnd<1, 0>;
MODEL_SCENARIO(work_wait_of_a_worker_for_who_never_comes, NeverComesToAWorker)
    .ticks_per_ms(1u << 31)
    .time_jumps(0, 1u << 29)
    .stale_reads(1);

}  // namespace
