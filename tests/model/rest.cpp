// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: a pool that comes to rest. Who waits for it is told, by whoever is the last to park or to leave, and not while
// a task is queued or runs. The image's function is called once for each sleep of all cores, by one core at a time.
// Edges L1 to L4.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// The other scenarios have these, too, of another library: of WEFT_REST=0 (Makefile).
namespace rest {
#include "sleepers.hpp"
}  // namespace rest
using namespace rest;

namespace {

// Counts its calls, which do not overlap.
struct Calls {
    static void on_call(void* argument) { static_cast<Calls*>(argument)->call(); }
    void call() {
        model::check(inside_.exchange(1, weft::acq_rel) == 0, "one core at a time");
        ++count;
        if (body) body();
        inside_.store(0, weft::release);
    }
    template <class Pool>
    void of(Pool& pool) {
        must(pool.on_all_asleep(&Calls::on_call, this));
    }
    unsigned count = 0;
    model::Callable body;

private:
    weft::Atomic<uint32_t> inside_{};
};

// Tasks that do not end the pool.
template <unsigned cores, unsigned tasks>
struct Marks : Workers<cores> {
    using Workers<cores>::pool;
    Doing task[tasks ? tasks : 1];

    void submit(unsigned which) {
        task[which].prepare();
        must(pool.submit(task[which]));
    }
    // By who has waited.
    void judge() {
        for (Doing& one : task) model::check(one.seen_runs() == 1, "it has run, and what it wrote is seen");
    }
    // By a core of the pool, or a foreign one.
    void wait_and_judge() {
        must(pool.wait_idle());
        judge();
    }
};

// Result: Never (returns too early; sleeps for ever). A core of the pool submits to one that sleeps, and waits.
struct Outside : Marks<2, 1> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.core(1, [this] {
            submit(0);
            wait_and_judge();
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(rest_outside, Outside).stale_reads(3).each_wake();

// Result: Never. The task submits another one, pinned to the core that waits, if that is in its wait; or to its own.
template <unsigned to>
struct Pinned : Marks<2, 2> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.core(1, [this] {
            task[0].body = model::Callable([this] {
                task[1].prepare();
                const weft::Status status = pool.submit_on(to, task[1]);
                model::check(status == weft::Status::ok || to == 1, "this core is here");
                task[1].given = status == weft::Status::ok;
            });
            submit(0);
            must(pool.wait_idle());
            model::check(task[0].seen_runs() == 1, "it has run");
            model::check(task[1].seen_runs() == (task[1].given ? 1 : 0), "what it has submitted, too");
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(rest_pinned_here, Pinned<1>).stale_reads(3);
MODEL_SCENARIO(rest_pinned_there, Pinned<0>).stale_reads(3);

// Result: Never. A foreign core waits: it looks, and finds the pool at rest, or is told so. The worker sleeps already,
// or is about to: then its bit may be set while the task is queued.
template <bool rested>
struct Foreign : Marks<1, 1> {
    void cores(model::Program& on) {
        worker<rested>(on, 0);
        on.core(1, [this] {
            submit(0);
            wait_and_judge();
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(rest_foreign, Foreign<true>).stale_reads(3);
MODEL_SCENARIO(rest_foreign_before_a_sleep, Foreign<false>).stale_reads(1);

// Result: Never (returns too early). The same for a task that is pinned: the core that sleeps comes back by itself, so
// its step of the idle word is not the step of the one that looks.
struct ForeignPins : Marks<1, 1> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.core(1, [this] {
            task[0].prepare();
            must(pool.submit_on(0, task[0]));
            wait_and_judge();
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(rest_foreign_pins, ForeignPins).stale_reads(3);

// Result: Never. Two cores sleep; a foreign one submits to one of them by pinning, which hands on to the other. Between
// two looks of who waits each may have come and gone.
struct HandedOn : Marks<2, 2> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        worker<true>(on, 1);
        on.core(2, [this] {
            task[0].body = model::Callable([this] {
                task[1].prepare();
                must(pool.submit_on(1, task[1]));
            });
            task[0].prepare();
            must(pool.submit_on(0, task[0]));
            wait_and_judge();
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(rest_handed_on, HandedOn).preemptions(1).stale_reads(1);

// Result: Never (sleeps for ever). The core that is awake last leaves by the end of its poll().
struct Leaves : Marks<2, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            task[0].prepare();
            must(pool.submit_on(0, task[0]));
            must(pool.poll(2).status);
        });
        on.core(1, [this] { must(pool.wait_idle()); });
    }
    void finish() { model::check(task[0].as_promised(), "it runs exactly once"); }
};
MODEL_SCENARIO(rest_after_a_poll, Leaves).stale_reads(3).each_wake();

// Result: Never (is woken for nothing). A core that waits finds it out itself: it does not tell itself. Else that event
// ends its next sleep.
struct TellsItself : Marks<1, 1> {
    weft::Atomic<uint32_t> over{0};
    void cores(model::Program& on) {
        on.core(0, [this] {
            task[0].prepare();
            must(pool.submit_on(0, task[0]));
            wait_and_judge();
            over.store(1, weft::release);
            weft::Port::unpark(1);
            must(pool.run());
        });
        on.core(1, [this] {
            while (over.load(weft::acquire) == 0) weft::Port::park();
            pool.shutdown();
        });
    }
    void finish() { model::check(pool.stats(0).spurious_wakes == 0, "no sleep ends for nothing"); }
};
MODEL_SCENARIO(rest_who_finds_it_is_not_told, TellsItself).wake(model::Wake::targeted);

// Result: Never (sleeps for ever). A core that was started never comes.
struct NeverComes : Marks<2, 1> {
    void cores(model::Program& on) {
        on.late_core(0, {model::Arrival::never});
        on.core(1, [this] {
            submit(0);
            wait_and_judge();
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(rest_with_a_start_that_fails, NeverComes).time_jumps(1, 1000);

// Result: Never (sleeps for ever). The same where a task begins the start, while the core that waits goes to sleep.
struct NeverComesToATask : Marks<3, 2> {
    void cores(model::Program& on) {
        on.late_core(2, {model::Arrival::never});
        on.core(0, [this] {
            task[0].body = model::Callable([this] { submit(1); });
            task[0].prepare();
            must(pool.submit_on(0, task[0]));
            must(pool.run());
        });
        on.core(1, [this] {
            must(pool.wait_idle());
            has_returned = true;
        });
    }
    void finish() {
        for (Doing& one : task) model::check(one.as_promised(), "it runs exactly once");
        model::check(has_returned, "the wait ends");
    }
    bool has_returned = false;
};
MODEL_SCENARIO(rest_with_a_start_by_a_task_that_fails, NeverComesToATask)
    .time_jumps(1, 1000)
    .preemptions(1)
    .stale_reads(0)
    .parked_at_end();

// Result: Never (sleeps for ever, for one of them). Two cores wait.
struct TwoWait : Marks<2, 1> {
    weft::Atomic<uint32_t> left{2};
    void wait() {
        must(pool.wait_idle());
        if (left.fetch_sub(1, weft::acq_rel) == 1) pool.shutdown();
    }
    void cores(model::Program& on) {
        on.core(0, [this] { wait(); });
        on.core(1, [this] {
            submit(0);
            must(pool.wait_idle());
            judge();
            if (left.fetch_sub(1, weft::acq_rel) == 1) pool.shutdown();
        });
    }
};
MODEL_SCENARIO(rest_two_wait, TwoWait).stale_reads(1);

// Result: Never (returns too early). A task waits for another one, and all cores sleep: that is no rest.
struct ATaskWaits : Workers<2> {
    weft::Completion answer{pool};
    weft::Plain<uint32_t> output{};
    weft::Atomic<uint32_t> asked{};
    struct First : weft::TaskOf<First> {
        void run() {
            all->asked.store(1, weft::release);
            must(all->answer.wait());
            all->output.set(1);
        }
        ATaskWaits* all = nullptr;
    } first;

    void cores(model::Program& on) {
        first.all = this;
        worker<true>(on, 0);
        on.core(1, [this] {
            must(pool.submit(first));
            must(pool.wait_idle());
            model::check(output.get() == 1, "the task that waits has ended");
            pool.shutdown();
        });
        on.core(2, [this] {
            while (asked.load(weft::acquire) == 0) weft::Port::relax();
            must(pool.submit(answer));
        });
    }
};
MODEL_SCENARIO(rest_not_while_a_task_waits, ATaskWaits).stale_reads(0);

// Result: Never. The pool is shut down while a core waits.
struct Closed : Marks<2, 1> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.interrupt(1, [this] { pool.shutdown(); });
        on.core(1, [this] {
            task[0].prepare();
            const bool given = pool.submit(task[0]) == weft::Status::ok;
            if (!given) task[0].given = false;
            if (pool.wait_idle() == weft::Status::ok) {
                model::check(task[0].seen_runs() == (given ? 1 : 0), "all has run");
            }
            pool.shutdown();
            must(pool.join());
        });
    }
    void finish() { model::check(task[0].as_promised(), "it runs exactly once"); }
};
MODEL_SCENARIO(rest_closed, Closed).preemptions(1).stale_reads(1);

// Result: Never (returns too early). The joiner, which is no worker, takes the task and runs it, while a foreign core
// waits. Found by a generated program.
struct BesideAJoiner : Marks<1, 1> {
    void cores(model::Program& on) {
        on.late_core(0, {model::Arrival::absent});
        on.core(1, [this] {
            task[0].prepare();
            task[0].given = pool.submit(task[0]) == weft::Status::ok;
            const weft::Status status = pool.wait_idle();
            model::check(status != weft::Status::ok || task[0].seen_runs() == 1, "it has run");
        });
        on.core(2, [this] {
            pool.shutdown();
            must(pool.join());
        });
    }
    void finish() { model::check(task[0].as_promised(), "it runs exactly once"); }
};
MODEL_SCENARIO(rest_beside_a_joiner, BesideAJoiner).stale_reads(1);

// Result: Never. All sleep, once at the beginning and once behind the task; the last core calls the function for each.
struct Called : Marks<2, 0> {
    Calls calls;
    void cores(model::Program& on) {
        calls.of(pool);
        worker<false>(on, 0);
        worker<false>(on, 1);
    }
    void finish() {
        model::check(calls.count == 1 || calls.count == 2,
                     "when both sleep, and perhaps before one of them came");
    }
};
MODEL_SCENARIO(rest_called_by_the_last, Called).stale_reads(3).parked_at_end().each_wake();

// Result: Never. A task comes before the function is called, or while it is, or behind it: it is not lost, and the
// sleep behind the task has its own call.
template <bool rested>
struct Meanwhile : Marks<2, 1> {
    Calls calls;
    int runs_at_the_last_call = 0;
    void cores(model::Program& on) {
        calls.of(pool);
        calls.body = model::Callable([this] { runs_at_the_last_call = task[0].runs; });
        worker<rested>(on, 0);
        worker<rested>(on, 1);
        on.core(2, [this] { submit(0); });
    }
    void finish() {
        model::check(task[0].as_promised(), "the task is not lost");
        model::check(runs_at_the_last_call == 1, "the sleep behind the task has its call");
        // (With rounds of search before a sleep they may both be here before the first one sleeps.)
        model::check(!rested || WEFT_SEARCH_ROUNDS != 0 || calls.count == 3,
                     "once for each sleep: one core, both, and behind the task");
    }
};
MODEL_SCENARIO(rest_called_behind_a_sleep, Meanwhile<true>).stale_reads(3).parked_at_end();
MODEL_SCENARIO(rest_called_meanwhile, Meanwhile<false>).stale_reads(1).parked_at_end();

// Result: Never. The function itself submits, as a handler does, or as a task does: its own core may be all there is.
template <bool from_isr>
struct Submits : Marks<1, 1> {
    Calls calls;
    void cores(model::Program& on) {
        calls.of(pool);
        calls.body = model::Callable([this] {
            if (calls.count != 1) return;
            task[0].prepare();
            must(from_isr ? pool.submit_from_isr(task[0]) : pool.submit(task[0]));
        });
        worker<false>(on, 0);
    }
    void finish() {
        model::check(task[0].as_promised(), "the task is not lost");
        model::check(calls.count == 2, "and the next sleep has its call");
    }
};
MODEL_SCENARIO(rest_called_submits, Submits<false>).parked_at_end();
MODEL_SCENARIO(rest_called_submits_as_a_handler, Submits<true>).parked_at_end();

// Result: Never (waits for ever). The function submits to another pool, whose only core this one is: it can be started
// there when its own pool has ended.
struct SubmitsToAnother {
    weft::Pool<1, 2> pool, other;
    Mark here, there, late;
    static void on_call(void* self) {
        SubmitsToAnother& all = *static_cast<SubmitsToAnother*>(self);
        if (all.has_called) return;
        all.has_called = true;
        all.there.prepare();
        must(all.other.submit(all.there));
        all.called.set(1);
    }
    bool has_called = false;
    Flag called;
    void cores(model::Program& on) {
        must(pool.on_all_asleep(&SubmitsToAnother::on_call, this));
        on.late_core(0);
        on.core(1, [this] {
            here.prepare();
            must(pool.submit(here));
            called.await();
            pool.shutdown();
            must(pool.join());
            late.prepare();
            must(other.submit(late));
        });
    }
    void finish() {
        for (Mark* one : {&here, &there, &late})
            model::check(one->as_promised(), "every task runs exactly once");
    }
};
MODEL_SCENARIO(rest_called_submits_to_another_pool, SubmitsToAnother).parked_at_end().preemptions(1);

// Result: Never. A core comes by itself while it is started, and parks: the start, which is taken back, does not keep
// the pool from its rest.
struct ComesByItself : Marks<1, 1> {
    Calls calls;
    void cores(model::Program& on) {
        calls.of(pool);
        on.late_core(0, {model::Arrival::never});
        worker<false>(on, 0);
        on.core(1, [this] { submit(0); });
    }
    void finish() {
        model::check(task[0].as_promised(), "it runs exactly once");
        model::check(calls.count != 0, "the last sleep has its call");
    }
};
MODEL_SCENARIO(rest_called_after_a_start_that_was_not_needed, ComesByItself).stale_reads(3).parked_at_end();

// Result: Never. A start comes to nothing while the other core parks: the sleep behind it has its call.
struct StartFails : Marks<2, 1> {
    Calls calls;
    void cores(model::Program& on) {
        calls.of(pool);
        on.late_core(1, {model::Arrival::refused});
        worker<false>(on, 0);
        on.core(2, [this] { submit(0); });
    }
    void finish() {
        model::check(task[0].as_promised(), "it runs exactly once");
        model::check(calls.count != 0, "the last sleep has its call");
        model::check(pool.live_cores() == 1, "and the start is not counted any more");
    }
};
MODEL_SCENARIO(rest_called_after_a_start_that_fails, StartFails).stale_reads(3).parked_at_end();

// Result: Never (the task waits for ever). A submit chooses the core that waits, in the moment in which that is told
// and leaves. Nobody is here then. The other core refused to start before, which a submit from outside tries again.
struct ChosenAndLeaves : Sleepers<2, 3> {
    void cores(model::Program& on) {
        on.late_core(0, {model::Arrival::refused});
        on.late_core(1, {model::Arrival::refused, model::Arrival::normal});
        task[0].body = model::Callable([this] { submit(1); });  // refused, if it is the first one
        on.core(0, [this] {
            submit_here(0);
            const weft::Status status = pool.wait_idle();
            model::check(status == weft::Status::ok || status == weft::Status::closed, "ok, or it is over");
        });
        on.core(2, [this] { submit(2); });
    }
};
MODEL_SCENARIO(rest_chosen_and_leaves, ChosenAndLeaves).stale_reads(1).parked_at_end();

// Result: Never (waits for ever). The function submits to another pool, calls or polls there, where a core stays. When
// its own pool has ended, its core can be started there for the second one of two tasks that need both.
template <int how>
struct FunctionBesideWhoStays {
    weft::Pool<2, 2> pool, other;
    Mark here, there;
    Doing task[2];
    Meeting<2> both;
    bool has_called = false;
    Flag called;
    static void on_call(void* self) {
        auto& all = *static_cast<FunctionBesideWhoStays*>(self);
        if (all.has_called) return;
        all.has_called = true;
        if (how == 0) {
            all.there.prepare();
            must(all.other.submit(all.there));
        } else if (how == 1) {
            all.other.call([] {});
        } else {
            must(all.other.poll(1).status);
        }
        all.called.set(2);
    }
    void cores(model::Program& on) {
        must(pool.on_all_asleep(&FunctionBesideWhoStays::on_call, this));
        on.core_at_rest(0, [this] { must(other.run()); });
        on.late_core(1);
        for (Doing& one : task) one.body = model::Callable([this] { both.arrive(); });
        on.core(2, [this] {
            here.prepare();
            must(pool.submit_on(1, here));
            called.await();
            pool.shutdown();
            must(pool.join());
            for (Doing& one : task) one.prepare(), must(other.submit(one));
        });
    }
    void finish() {
        for (Doing& one : task) model::check(one.as_promised(), "both run");
    }
};
MODEL_SCENARIO(rest_called_submits_beside_who_stays, FunctionBesideWhoStays<0>)
    .parked_at_end()
    .preemptions(0);
MODEL_SCENARIO(rest_called_calls_beside_who_stays, FunctionBesideWhoStays<1>).parked_at_end().preemptions(0);
MODEL_SCENARIO(rest_called_polls_beside_who_stays, FunctionBesideWhoStays<2>).parked_at_end().preemptions(0);

// Result: Never. The function waits for another pool, which its core is foreign to, or calls there: it neither waits
// from afar nor sleeps until a worker of that pool has called, for its own pool may need the core meanwhile.
template <bool calls>
struct FunctionForeignToTheOther : Marks<2, 1> {
    weft::Pool<1, 2> other;
    Calls functions;
    Flag called;
    uint32_t called_on = 0;
    weft::Status status = weft::Status::wrong_context;
    void cores(model::Program& on) {
        functions.of(pool);
        functions.body = model::Callable([this] {
            if constexpr (calls) {
                other.call([this] { called_on = weft::this_core(); });
            } else {
                status = other.wait_idle();
            }
            called.set(1);
        });
        if (calls) on.core_at_rest(0, [this] { must(other.run()); });
        on.late_core(1);
        on.core(2, [this] {
            task[0].prepare();
            must(pool.submit_on(1, task[0]));
            called.await();
        });
    }
    void finish() {
        model::check(task[0].as_promised(), "it runs exactly once");
        model::check(status == weft::Status::wrong_context, "no wait beside a sleep");
        model::check(!calls || called_on == 1, "call() calls at once beside a sleep");
    }
};
// Result: Never. The function calls another pool, where its core is a member, and forks there: serially.
struct FunctionForksInTheOther : Marks<1, 1> {
    weft::Pool<2, 2> other;
    Calls functions;
    void cores(model::Program& on) {
        functions.of(pool);
        functions.body = model::Callable([this] {
            const auto is_here = [] { model::check(weft::this_core() == 0, "it stays on its core"); };
            other.call([&] { weft::fork_join(is_here, is_here); });
        });
        on.core_at_rest(1, [this] { must(other.run()); });
        worker<false>(on, 0);
    }
};
MODEL_SCENARIO(rest_called_calls_another_pool, FunctionForksInTheOther).parked_at_end().stale_reads(0);
MODEL_SCENARIO(rest_called_waits_for_a_foreign_pool, FunctionForeignToTheOther<false>).parked_at_end();
MODEL_SCENARIO(rest_called_calls_a_foreign_pool, FunctionForeignToTheOther<true>).parked_at_end();

}  // namespace
