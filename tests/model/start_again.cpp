// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: starts that meet each other: of one core by two pools, by one pool after the other, by a core that is on its
// way by itself, and two starts at once. Edges T1, J3.
#include "sleepers.hpp"

#include "visits.hpp"

namespace {

using model::Arrival;

// A pool of `cores`, one task, and somebody outside who waits for it.
template <unsigned cores>
struct Client {
    weft::Pool<cores, 2> pool;
    weft::Atomic<uint32_t> ran{0};
    struct Signal : Mark {
        Signal() : Mark(&Signal::run) {}
        static void run(weft::Task& self) {
            Client& client = *static_cast<Signal&>(self).client;
            const uint32_t outside = static_cast<Signal&>(self).outside;
            Mark::run(self);
            client.ran.store(1, weft::release);
            weft::Port::unpark(outside);
        }
        Client* client = nullptr;
        uint32_t outside = 0;
    } task;

    // By the core outside.
    void submit() {
        task.client = this;
        task.outside = weft::Port::core_id();
        task.prepare();
        must(pool.submit(task));
    }
    void wait() {
        while (ran.load(weft::acquire) == 0) weft::Port::park();
    }
    void end() {
        pool.shutdown();
        must(pool.join());
        model::end_of_life(pool);
    }
};

// Result: Never. Two users of one core, a pool and somebody else (another pool would do the same): the pool withdraws
// its start while the other one's entry waits there.
struct TwoUsers {
    Client<1> client;
    weft::Atomic<uint32_t> other_ran{0};
    bool other_started = false;

    static void entry(void* word) { static_cast<weft::Atomic<uint32_t>*>(word)->store(1, weft::relaxed); }
    void cores(model::Program& on) {
        on.late_core(0);
        on.core(1, [this] {
            client.submit();
            client.pool.shutdown(weft::Shutdown::abandon);
            weft::Batch left;
            must(client.pool.join(left));
            model::end_of_life(client.pool);
            while (left.pop() != nullptr) client.task.given = false;
        });
        on.core(2, [this] {
            other_started = weft::Port::start_core(0, entry, &other_ran) == weft::Port::Start::started;
        });
    }
    void finish() {
        model::check(client.task.as_promised(), "the task runs exactly once or is handed back");
        model::check((other_ran.load(weft::relaxed) == 1) == other_started,
                     "the other user's entry was called");
    }
};
MODEL_SCENARIO(start_two_users_one_core, TwoUsers).preemptions(3).stale_reads(3).each_wake();

// Result: Never (waits for ever). A worker that goes to sleep, or comes back by itself, leaves it to be seen that
// another core is still off: two tasks that do not end need both.
template <bool rested>
struct BesideSleeper : Sleepers<2, 2> {
    void cores(model::Program& on) {
        worker<rested>(on, 0);
        on.late_core(1);
        for (One& one : task) one.body = model::Callable([this] { goes_on(); });
        on.core(2, [this] { submit(0), submit(1); });
    }
    void finish() { model::check(going_on == 2, "each core runs one of the long tasks"); }
};
MODEL_SCENARIO(start_beside_a_sleeper, BesideSleeper<true>).parked_at_end().each_wake();
MODEL_SCENARIO(start_beside_a_worker, BesideSleeper<false>).parked_at_end();

// Result: Never (waits for ever). The same for two at once; the worker has run a task before it slept.
struct BatchBesideSleeper : Sleepers<2, 3> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { submit_here(0), work(); });
        on.late_core(1);
        for (unsigned which : {1, 2}) task[which].body = model::Callable([this] { goes_on(); });
        on.core(2, [this] {
            weft::Batch batch;
            for (unsigned which : {1, 2}) {
                task[which].prepare();
                must(batch.push(task[which]));
            }
            must(pool.submit(batch));
        });
    }
    void finish() { model::check(going_on == 2, "each core runs one of the long tasks"); }
};
MODEL_SCENARIO(start_batch_beside_a_sleeper, BatchBesideSleeper).parked_at_end().each_wake();

// Result: Never (waits for ever). A core that has polled is there no more, and not on its way: the other one is
// started.
struct BesidePoller : Sleepers<2, 1> {
    void cores(model::Program& on) {
        on.core_at_rest(
            0, [this] { model::check(pool.poll(1).tasks == 0 && pool.poll(0).tasks == 0, "nothing to do"); });
        on.late_core(1);
        on.core(2, [this] { submit(0); });
    }
};
MODEL_SCENARIO(start_beside_a_poller, BesidePoller);

// Result: Never (polls for ever). What is pinned to a core that polls, a later poll finds, which looks before it comes.
// Then the pool ends, and a poll is told so.
struct PollFindsWhatIsPinned : Sleepers<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            while (pool.poll(1).status != weft::Status::closed) weft::Port::relax();
            must(pool.join());
        });
        on.core(1, [this] {
            task[0].prepare();
            while (pool.submit_on(0, task[0]) != weft::Status::ok)
                weft::Port::relax();  // until it has polled
        });
    }
};
MODEL_SCENARIO(start_poll_finds_what_is_pinned, PollFindsWhatIsPinned);

// Result: Never (waits for ever). A task submits a batch and does not end: the core that is off is started for it.
struct BatchOfTask : Sleepers<2, 2> {
    void cores(model::Program& on) {
        on.late_core(1);
        task[1].body = model::Callable([this] { goes_on(); });
        on.core(0, [this] {
            task[0].body = model::Callable([this] {
                weft::Batch batch;
                task[1].prepare();
                must(batch.push(task[1]));
                must(pool.submit(batch));
                goes_on();
            });
            submit_here(0), work();
        });
    }
    void finish() { model::check(going_on == 2, "each core runs one of the long tasks"); }
};
MODEL_SCENARIO(start_for_a_batch_of_a_task, BatchOfTask).parked_at_end();

// Result: Never. Refused at first: a batch from outside tries again at once.
struct BatchTriesAgain : Sleepers<1, 2> {
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::refused, Arrival::normal});
        on.core(1, [this] {
            submit(0);
            model::check(pool.live_cores() == 0, "refused");
            weft::Batch batch;
            task[1].prepare();
            must(batch.push(task[1]));
            must(pool.submit(batch));
        });
    }
};
MODEL_SCENARIO(start_tried_again_by_a_batch, BatchTriesAgain);

// Result: Never. Starts that were refused are tried again now and then, though all submits come from tasks.
struct TriedAgain : Sleepers<2, 1> {
    uint32_t runs = 0;
    void cores(model::Program& on) {
        on.core(0, [this] {
            task[0].body = model::Callable([this] {
                if (++runs == 1) model::check(pool.live_cores() == 1, "nobody has been started yet");
                if (runs == 2) model::check(pool.start_failures() == 1, "refused at the first submit");
                if (runs == 2 * WEFT_FAIR_INTERVAL) {
                    model::check(pool.live_cores() == 2, "and tried again since then");
                    return;
                }
                left.fetch_add(1, weft::relaxed);
                submit(0);
            });
            submit_here(0), work();
        });
        on.late_core(1, {Arrival::refused, Arrival::never});
    }
    void finish() {}
};
MODEL_SCENARIO(start_tried_again_by_tasks, TriedAgain);

// Result: Never. An interrupt handler wakes a core but starts none, also if another core takes the sleeper that it has
// seen.
struct IsrStartsNobody : Sleepers<2, 2> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.late_core(1, {model::Arrival::refused});
        task[0].body = model::Callable([this] { goes_on(); });
        on.core(2, [this] { submit(0); });
        on.core(3, [] {});
        on.interrupt(3, [this] {
            task[1].prepare();
            must(pool.submit_from_isr(task[1]));
        });
    }
    void finish() { model::check(going_on + task[1].runs >= 1, "the sleeper was woken"); }
};
MODEL_SCENARIO(start_not_by_an_isr, IsrStartsNobody).parked_at_end();

// Result: Never. A pool follows another one on the same core, which may still be on its way back to the pen.
struct PoolAfterPool {
    Client<1> first;
    Client<1> second;

    void cores(model::Program& on) {
        on.late_core(0);
        on.core(1, [this] {
            first.submit(), first.end();
            second.submit(), second.wait(), second.end();
        });
    }
    void finish() {
        model::check(first.task.as_promised() && second.task.as_promised(), "every task runs exactly once");
    }
};
MODEL_SCENARIO(start_pool_after_pool, PoolAfterPool).each_wake();

// Result: Never (waits for ever). A task of one pool submits to another one, which has no core but this: it is busy,
// and cannot be started now. When its own pool has ended, it can, and a later submit from outside does so.
struct FromTaskOfAnother {
    weft::Pool<1, 2> here;
    Client<1> there;
    struct Sender : Mark {
        Sender() : Mark(&Sender::run) {}
        static void run(weft::Task& self) {
            Sender& sender = static_cast<Sender&>(self);
            Mark::run(self);
            sender.other.prepare();
            must(sender.all->there.pool.submit(sender.other));
        }
        FromTaskOfAnother* all = nullptr;
        Mark other;
    } sender;

    void cores(model::Program& on) {
        on.late_core(0);
        on.core(1, [this] {
            sender.all = this;
            sender.prepare();
            must(here.submit(sender));
            here.shutdown();
            must(here.join());
            model::end_of_life(here);
            there.submit(), there.wait(), there.end();
        });
    }
    void finish() {
        model::check(sender.as_promised() && there.task.as_promised() && sender.other.as_promised(),
                     "every task runs exactly once");
    }
};
MODEL_SCENARIO(start_after_a_task_of_another_pool, FromTaskOfAnother);

// Result: Never. The core that is being started calls run() or poll() of its own accord. Its start may have been
// accepted though it runs the image's code; whether it ever comes to its pen is nobody's business.
template <bool polls, Arrival arrival>
struct WhileStarted {
    Client<1> client;

    void cores(model::Program& on) {
        on.late_core(0, {arrival});
        on.core(0, [this] {
            if (polls) {
                client.pool.poll(1);
            } else {
                const weft::Status status = client.pool.run();
                model::check(status == weft::Status::ok || status == weft::Status::closed,
                             "ends by the shutdown");
            }
        });
        on.core(1, [this] {  // the pool goes on to exist: core 0 may still call run()
            client.submit();
            client.pool.shutdown();
            must(client.pool.join());
        });
    }
    void finish() { model::check(client.task.as_promised(), "the task runs exactly once"); }
};
MODEL_SCENARIO(start_run_while_started, WhileStarted<false, Arrival::never>).each_wake();
MODEL_SCENARIO(start_run_then_pen, WhileStarted<false, Arrival::normal>);
MODEL_SCENARIO(start_poll_while_started, WhileStarted<true, Arrival::never>).preemptions(3).stale_reads(3);

// Result: Never. Core 1 does not exist, core 0 does not come the first time. Who finds that its own start has failed
// must not erase the mark of another start that is under way: nobody would look at that one's deadline any more.
struct MarkKept {
    static constexpr unsigned tasks = 3;

    weft::Pool<2, 2> pool;
    weft::Atomic<uint32_t> submitted{0};
    weft::Atomic<uint32_t> left{tasks};
    struct One : Mark {
        One() : Mark(&One::run) {}
        static void run(weft::Task& self) {
            MarkKept& all = *static_cast<One&>(self).all;
            Mark::run(self);
            if (all.left.fetch_sub(1, weft::release) == 1) weft::Port::unpark(2);
        }
        MarkKept* all = nullptr;
    } task[tasks];

    void submit(unsigned which) {
        task[which].all = this;
        task[which].prepare();
        must(pool.submit(task[which]));
    }
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::never, Arrival::normal});
        on.late_core(1, {Arrival::absent});
        on.core(2, [this] {
            submit(0);
            while (submitted.load(weft::acquire) == 0) weft::Port::park();
            model::advance_clock(1000000);
            submit(1);
            while (left.load(weft::acquire) != 0) weft::Port::park();
        });
        on.core(3, [this] {
            submit(2);
            submitted.store(1, weft::release);
            weft::Port::unpark(2);
        });
    }
    void finish() {
        for (One& one : task) model::check(one.as_promised(), "every task runs exactly once");
    }
};
MODEL_SCENARIO(start_mark_kept, MarkKept).parked_at_end();

// Result: Never. Two tasks from outside wait for each other. The start of the second core is overdue, and withdrawn by
// who sees the first one still on its way, as it was: but that one has come, and will not look again.
struct WithdrawnLate {
    weft::Pool<3, 2> pool;
    Meeting<2, 1> two;
    struct One : Mark {
        One() : Mark(&One::run) {}
        static void run(weft::Task& self) {
            WithdrawnLate& all = *static_cast<One&>(self).all;
            Mark::run(self);
            model::advance_clock(1000000);
            all.two.arrive();
            ++all.met;
        }
        WithdrawnLate* all = nullptr;
    } task[2];
    int met = 0;

    void cores(model::Program& on) {
        on.late_core(0, {Arrival::absent});  // so core 1 is the first that is started, and core 2 the next
        for (unsigned id : {1, 2}) on.late_core(id);
        for (unsigned id : {3, 4}) {
            on.core(id, [this, id] {
                One& one = task[id - 3];
                one.all = this;
                one.prepare();
                must(pool.submit(one));
            });
        }
    }
    void finish() { model::check(met == 2, "a core comes for each"); }
};
MODEL_SCENARIO(start_withdrawn_beside_who_has_come, WithdrawnLate).stale_reads(1).parked_at_end();

// Result: Never (waits for ever). Two tasks that do not end, and nobody is on. The core that is started for them comes
// before its starter has set the mark again: it starts the other one.
struct NeedsTwoStarts : Sleepers<2, 2> {
    void cores(model::Program& on) {
        for (One& one : task) one.body = model::Callable([this] { goes_on(); });
        on.late_core(0);
        on.late_core(1);
        on.core(2, [this] {
            weft::Batch batch;
            for (One& one : task) one.prepare(), must(batch.push(one));
            must(pool.submit(batch));
        });
    }
    void finish() { model::check(going_on == 2, "a core comes for each"); }
};
MODEL_SCENARIO(start_mark_of_who_comes, NeedsTwoStarts).parked_at_end();

// Result: Never (the task waits for ever). The core that a submit starts comes by itself instead, does something else
// and goes again: it runs a task of its own, or is called from outside. Another core is still off. Found by a generated
// program, where the start was still being made (`claimed`); the same holds when it has been.
template <bool polls>
struct ComesAndGoes : Sleepers<2, 1> {
    Mark own;
    bool called = false;
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1, {Arrival::never});  // the submit tries it first
        on.core(1, [this] {
            if (polls) {
                own.prepare();
                must(pool.submit_on(1, own));
                must(pool.poll(1).status);
            } else {
                pool.call([this] { called = true; });
            }
        });
        on.core(2, [this] { submit(0); });
    }
    void finish() {
        Sleepers::finish();
        model::check(polls ? own.as_promised() : called, "what the core came for is done");
    }
};
MODEL_SCENARIO(start_of_a_core_that_calls, ComesAndGoes<false>).parked_at_end();
MODEL_SCENARIO(start_of_a_core_that_polls, ComesAndGoes<true>).parked_at_end();

// Result: Never (the tasks wait for ever). The only core that is here when a submit comes does not stay: it polls, or
// calls from outside, and goes. Core 1 ran code of its own when it submitted, and could be started since then.
// `arrival`: of core 1 at that submit; if that fails, the next submit tries again, when nobody is here any more.
template <bool polls, Arrival arrival>
struct BesideVisitor : Sleepers<2, 2 + (arrival != Arrival::normal)> {
    using Base = Sleepers<2, 2 + (arrival != Arrival::normal)>;
    weft::Atomic<uint32_t> seen[3]{};  // how far the others have come, for each core
    void tell(unsigned core) {
        seen[core].store(1, weft::release);
        weft::Port::unpark(core);
    }
    void wait() {
        while (seen[weft::Port::core_id()].exchange(0, weft::acquire) == 0) weft::Port::park();
    }
    void visit() { tell(2), wait(); }
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::refused});
        on.late_core(1, {arrival, Arrival::normal});
        on.core(0, [this] {
            wait();
            this->task[0].body = model::Callable([this] {
                if (polls) visit();
            });
            if (polls) {
                must(this->pool.poll(1).status);
            } else {
                this->pool.call([this] { visit(); });
            }
            tell(2);
        });
        on.core(1, [this] { this->submit(0), tell(0); });
        on.core(2, [this] {
            wait();
            this->submit(1);
            tell(0), wait();
            if (arrival != Arrival::normal) this->submit(2);
        });
    }
};
MODEL_SCENARIO(start_beside_who_polls, BesideVisitor<true, Arrival::normal>).parked_at_end();
MODEL_SCENARIO(start_beside_who_calls, BesideVisitor<false, Arrival::normal>).parked_at_end();
MODEL_SCENARIO(start_behind_who_polled, BesideVisitor<true, Arrival::refused>).parked_at_end();
MODEL_SCENARIO(start_behind_who_called, BesideVisitor<false, Arrival::refused>).parked_at_end();

// Result: Never (the tasks wait for ever). Core 0 has polled and gone. Core 1 submits, and cannot be started then, as
// it is the one that submits. The next submit finds it done with its own code: it must try.
struct BehindVisitor : Sleepers<2, 2> {
    weft::Atomic<uint32_t> step{0};
    void reach(uint32_t next) {
        step.store(next, weft::release);
        weft::Port::unpark(next);
    }
    void wait() {
        while (step.load(weft::acquire) != weft::Port::core_id()) weft::Port::park();
    }
    void cores(model::Program& on) {
        on.late_core(1);
        on.core(0, [this] {
            must(pool.poll(1).status);
            reach(1);
        });
        on.core(1, [this] {
            wait();
            submit(0);
            reach(2);
        });
        on.core(2, [this] {
            wait();
            submit(1);
        });
    }
};
MODEL_SCENARIO(start_behind_who_polled_and_left_one, BehindVisitor).parked_at_end();

// Result: Never (waits for ever). A task of one pool visits another one, by polls, or by calls. Then its pool ends, and
// its core is in its pen: the other pool starts it. `beside`: somebody has tried that before, beside the visits.
template <bool calls, bool beside>
struct AfterAVisit {
    Client<1> first, second;
    weft::Atomic<uint32_t> begun{0}, tried{0};
    struct Visits : Client<1>::Signal {
        Visits() { weft::detail::TaskAccess::set_run(*this, &Visits::run); }
        static void run(weft::Task& self) {
            AfterAVisit& all = *static_cast<Visits&>(self).all;
            all.begun.store(1, weft::release);
            if (beside) weft::Port::unpark(2);
            for (unsigned times = 0; times != (beside ? 2 : 1); ++times) {
                if (calls) {
                    all.second.pool.call([] {});
                } else {
                    must(all.second.pool.poll(1).status);
                }
            }
            Client<1>::Signal::run(self);
        }
        AfterAVisit* all = nullptr;
    };
    Visits visit;
    Mark early;
    void cores(model::Program& on) {
        on.late_core(0);
        visit.all = this;
        visit.client = &first;
        visit.outside = 1;
        on.core(1, [this] {
            visit.prepare();
            must(first.pool.submit(visit));
            first.wait();
            first.end();
            while (beside && tried.load(weft::acquire) == 0) weft::Port::park();
            second.submit();
            second.wait();
            second.end();
        });
        if (beside) {
            on.core(2, [this] {
                while (begun.load(weft::acquire) == 0) weft::Port::park();
                early.prepare();
                must(second.pool.submit(early));
                tried.store(1, weft::release);
                weft::Port::unpark(1);
            });
        }
    }
    void finish() {
        model::check(second.task.as_promised() && early.as_promised() && visit.as_promised(),
                     "all tasks run");
    }
};
using AfterAPoll = AfterAVisit<false, false>;
using AfterACall = AfterAVisit<true, false>;
using AfterAPollBesideAStart = AfterAVisit<false, true>;
using AfterACallBesideAStart = AfterAVisit<true, true>;
MODEL_SCENARIO(start_after_a_poll_by_a_task, AfterAPoll).preemptions(2).stale_reads(1);
MODEL_SCENARIO(start_after_a_call_by_a_task, AfterACall).preemptions(2).stale_reads(1);
MODEL_SCENARIO(start_after_a_poll_beside_a_start, AfterAPollBesideAStart).preemptions(2).stale_reads(0);
MODEL_SCENARIO(start_after_a_call_beside_a_start, AfterACallBesideAStart).preemptions(2).stale_reads(0);

// Result: Never (a task waits for ever). A core polls by itself beside a claim of it; then a task of another pool
// visits from it. Whoever holds the older claim gives up who claims it next.
struct PollsAndVisits {
    weft::Pool<1, 2> first, second;
    Mark early, late;
    Doing visit;
    Flag visited;
    void cores(model::Program& on) {
        on.late_core(0);
        visit.body = model::Callable([this] { second.call([] {}); });
        on.core(0, [this] {
            must(second.poll(1).status);
            visit.prepare();
            must(first.submit(visit));
            must(first.poll(1).status);
            visited.set(2);
        });
        on.core(1, [this] {
            early.prepare();
            must(second.submit(early));
        });
        on.core(2, [this] {
            visited.await();
            late.prepare();
            must(second.submit(late));
        });
    }
    void finish() {
        model::check(early.as_promised() && late.as_promised() && visit.as_promised(), "all tasks run");
    }
};
MODEL_SCENARIO(start_poll_beside_a_claim_and_a_visit, PollsAndVisits)
    .parked_at_end()
    .preemptions(2)
    .stale_reads(0);

// Result: Never (waits for ever). A task of another pool has submitted to this one, or called here, from a core that is
// in its pen by now. Another core stays here. Two tasks need both.
template <bool calls>
struct BesideWhoStays : NeedsBoth<> {
    Doing early;
    Flag done;
    void cores(model::Program& on) {
        begins(on);
        visit.body = model::Callable([this] {
            if (calls) {
                second.call([] {});
            } else {
                early.prepare();
                must(second.submit(early));
            }
            done.set(2);
        });
        on.core(2, [this] {
            visits();
            done.await();
            ends_first();
            submit_both();
        });
    }
};
MODEL_SCENARIO(start_beside_who_stays_after_a_submit, BesideWhoStays<false>)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);
MODEL_SCENARIO(start_beside_who_stays_after_a_call, BesideWhoStays<true>)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);

// Result: Never. A pool that visitors alone serve: tasks of another pool poll until all has run, or wait for one task.
template <bool waits>
struct Visitors {
    weft::Pool<2, 2> first, second;
    weft::Atomic<uint32_t> ran{0};
    Doing visit[2], task[3];
    struct Part : weft::Waitable {
        explicit Part(weft::Scheduler& pool) : Waitable(pool, &Part::run) {}
        static void run(weft::Task& self) {
            Part& part = static_cast<Part&>(self);
            part.end(part.begin());
        }
    } part[2]{Part{second}, Part{second}};
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(first.run()); });
        on.late_core(1);
        for (Doing& one : task) one.body = model::Callable([this] { ran.fetch_add(1, weft::release); });
        for (unsigned which : {0, 1}) {
            visit[which].body = model::Callable([this, which] {
                if (waits) {
                    must(second.submit(part[which]));
                    must(part[which].wait());
                }
                while (ran.load(weft::acquire) != 3) {
                    must(second.poll(1).status);
                    weft::Port::relax();
                }
            });
        }
        on.core(2, [this] {
            for (Doing& one : visit) one.prepare(), must(first.submit(one));
            for (Doing& one : task) one.prepare(), must(second.submit(one));
        });
        on.core(3, [this] { second.call([] {}); });
    }
    void finish() {
        for (Doing& one : task) model::check(one.as_promised(), "all run");
        for (Doing& one : visit) model::check(one.as_promised(), "all visit");
    }
};
MODEL_SCENARIO(start_nobody_but_visitors_that_poll, Visitors<false>)
    .parked_at_end()
    .mode(model::Mode::pct)
    .executions(5000);
MODEL_SCENARIO(start_nobody_but_visitors_that_wait, Visitors<true>)
    .parked_at_end()
    .mode(model::Mode::pct)
    .executions(5000);

// Result: Never (waits for ever). A core was refused, and can be started by now. Two submits need it: the first one
// wakes who sleeps, and the second one leaves it to that. `how`: a task on that core has submitted here (0), or called
// (1), or neither (2); (3) as 2, in one batch.
template <int how>
struct RetriedByWhoWakes : RefusedBefore<> {
    void cores(model::Program& on) {
        begins(on, model::Callable([this] {
                   if (how == 0) submit_early();
                   if (how == 1) second.call([] {});
               }));
        on.core(2, [this] {
            is_refused(how != 0);
            if (how == 3) {
                weft::Batch batch;
                for (Doing& one : task) one.prepare(), must(batch.push(one));
                must(second.submit(batch));
            } else {
                submit_both();
            }
        });
    }
};
MODEL_SCENARIO(start_retried_by_who_wakes, RetriedByWhoWakes<2>)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);
MODEL_SCENARIO(start_retried_by_who_wakes_for_a_batch, RetriedByWhoWakes<3>)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);
MODEL_SCENARIO(start_retried_by_who_wakes_after_a_submit, RetriedByWhoWakes<0>)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);
MODEL_SCENARIO(start_retried_by_who_wakes_after_a_call, RetriedByWhoWakes<1>)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);

// Result: Never (waits for ever). A core was refused, and can be started by now. A submit from outside leaves its tasks
// to who holds the waking role, and a third core, which nobody has woken, holds the queue when that one gives the role
// up. Two tasks need both, while a pinned one waits for them.
template <bool one_by_one>
struct RetriedBesideWhoHoldsTheQueue {
    weft::Pool<2, 2> first;
    weft::Pool<3, 2> second;
    Doing visit, long_one[2], early, pinned, task[2];
    Meeting<2, 0, 3> both;
    Flag begun[2], go[2], done, idle_again, left, met;
    void pin(unsigned core, Doing& one) {
        one.prepare();
        must(second.submit_on(core, one));
    }
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(second.run()); });
        on.core_at_rest(2, [this] { must(second.run()); });
        on.late_core(1);
        pinned.body = model::Callable([this] { met.await(2); });
        for (Doing& one : task) one.body = model::Callable([this] { both.arrive(), met.set(2); });
        for (unsigned which : {0, 1}) {
            long_one[which].body = model::Callable([this, which] { begun[which].set(3), go[which].await(); });
        }
        early.body = model::Callable([this] { idle_again.set(3); });
        visit.body = model::Callable([this] { done.set(3), left.await(); });
        on.core(3, [this] {
            for (unsigned which : {0, 1}) pin(2 * which, long_one[which]), begun[which].await();
            visit.prepare(), must(first.submit_on(1, visit));
            done.await();
            early.prepare(), must(second.submit(early));
            go[1].set(2);
            idle_again.await();
            left.set(1);
            first.shutdown(), must(first.join());
            for (int i = 0; i != 3; ++i) weft::Port::relax();
            pin(2, pinned);
            weft::Batch batch;
            for (Doing& one : task) {
                one.prepare();
                must(one_by_one ? second.submit(one) : batch.push(one));
            }
            if (!one_by_one) must(second.submit(batch));
            go[0].set(0);
        });
    }
    void finish() {
        for (Doing* one : {&pinned, &task[0], &task[1]}) model::check(one->as_promised(), "all run");
    }
};
MODEL_SCENARIO(start_retried_beside_who_holds_the_queue, RetriedBesideWhoHoldsTheQueue<true>)
    .parked_at_end()
    .mode(model::Mode::pct)
    .executions(5000);
MODEL_SCENARIO(start_retried_beside_who_holds_a_batch, RetriedBesideWhoHoldsTheQueue<false>)
    .parked_at_end()
    .mode(model::Mode::pct)
    .executions(5000);

}  // namespace
