// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: tasks for some of the cores. They run there and nowhere else, and are not left lying while one of these cores
// sleeps, or could be started (claim 10 in src/core_set.cpp). Edge I1.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// Of the library that has sets, as in rest.cpp.
namespace rest {
#include "sleepers.hpp"

#include "visits.hpp"
}  // namespace rest
using namespace rest;

namespace {

using model::Arrival;
using weft::CoreSet;

// Two cores are the set, in a pool of three.
template <unsigned tasks, unsigned first = 0>
struct Chosen : Sleepers<3, tasks> {
    using Base = Sleepers<3, tasks>;
    using Base::pool;
    using Base::task;
    static constexpr CoreSet set = CoreSet::of(first, first + 1);

    void runs_there(unsigned which) {
        task[which].prepare();
        task[which].body = model::Callable([this, which] {
            model::check(set.contains(weft::this_core()), "only a core of the set runs it");
            if (body[which]) body[which]();
        });
    }
    void submit_for(unsigned which) {
        runs_there(which);
        must(pool.submit_on(set, task[which]));
    }
    void submit_both_for() {
        weft::Batch both;
        for (unsigned i : {0, 1}) runs_there(i), must(both.push(task[i]));
        must(pool.submit_on(set, both));
    }
    // The first two wait for each other.
    void both_meet() {
        for (unsigned i : {0, 1}) body[i] = model::Callable([this] { this->two.arrive(); });
    }
    model::Callable body[tasks];
};

// Result: Never. From outside, with one core of the set asleep and the other one not there.
struct Outside : Chosen<1> {
    void cores(model::Program& on) {
        worker<true>(on, 1);
        on.core(3, [this] {
            runs_there(0);
            must(pool.submit_on(set, task[0]));
        });
    }
};
MODEL_SCENARIO(set_outside, Outside).stale_reads(2);

// Result: Never. A handler of a core that is not in the set hands the task in.
struct FromIsr : Chosen<1> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        worker<true>(on, 1);
        on.core(2, [] {});
        on.interrupt(2, [this] {
            runs_there(0);
            must(pool.submit_on_from_isr(set, task[0]));
        });
    }
};
MODEL_SCENARIO(set_from_isr, FromIsr).stale_reads(2);

// Result: Never (a task waits for ever). Two tasks that wait for each other: both cores of the set come.
enum class Way { one_by_one, by_two_cores, batch };
template <Way way, bool rested>
struct BothCome : Chosen<2> {
    void cores(model::Program& on) {
        both_meet();
        worker<rested>(on, 0);
        worker<true>(on, 1);
        on.core(3, [this] {
            if (way == Way::batch) return submit_both_for();
            submit_for(0);
            if (way == Way::one_by_one) submit_for(1);
        });
        if (way == Way::by_two_cores) on.core(4, [this] { submit_for(1); });
    }
};
using Singles = BothCome<Way::one_by_one, true>;
using SinglesOfTwo = BothCome<Way::by_two_cores, true>;
using OneBatch = BothCome<Way::batch, true>;
MODEL_SCENARIO(set_both_come, Singles).stale_reads(1).parked_at_end();
MODEL_SCENARIO(set_both_come_for_two_submitters, SinglesOfTwo).preemptions(1).stale_reads(1).parked_at_end();
MODEL_SCENARIO(set_both_come_for_a_batch, OneBatch).stale_reads(1).parked_at_end();

// Result: Never (the first task waits for ever). The core that was unparked for the task of the set takes another one,
// which waits for it.
struct TakesAnother : Chosen<2> {
    void cores(model::Program& on) {
        body[1] = model::Callable([this] { two.arrive(); });
        task[0].body = model::Callable([this] { two.arrive(); });
        worker<true>(on, 0);
        worker<true>(on, 1);
        on.core(3, [this] { submit(0); });
        on.core(4, [this] { submit_for(1); });
    }
};
MODEL_SCENARIO(set_member_takes_another, TakesAnother).preemptions(1).stale_reads(1).parked_at_end();

// Result: Never (the first task waits for ever). As the one before, but core 0 sleeps, too, and is not in the set. Who
// has taken the urgent task wakes the lowest core that sleeps, which that is: no use to the set.
struct TakesAnUrgentOne : Chosen<2, 1> {
    Meeting<2, 0, 3> both;
    void cores(model::Program& on) {
        body[1] = model::Callable([this] { both.arrive(); });
        task[0].body = model::Callable([this] { both.arrive(); });
        for (unsigned core : {0, 1, 2}) worker<true>(on, core);
        on.core(3, [this] { submit_for(1), submit(0, weft::Urgency::urgent); });
    }
};
MODEL_SCENARIO(set_member_takes_an_urgent_one, TakesAnUrgentOne)
    .stale_reads(0)
    .wake(model::Wake::targeted)
    .parked_at_end();

// Result: Never (the first task waits for ever). Core 0 has run a task since it woke. It takes one of two that wait for
// each other, while core 1 looks, and finds the queue held.
struct LeavesOne : Chosen<3> {
    void cores(model::Program& on) {
        both_meet();
        worker<true>(on, 0);
        worker<true>(on, 1);
        on.core(3, [this] {
            task[2].prepare();
            must(pool.submit_on(0, task[2]));
            submit_both_for();
        });
    }
};
MODEL_SCENARIO(set_member_leaves_one, LeavesOne).stale_reads(0).parked_at_end();

// Result: Never (somebody else runs it). Core 2, which is not in the set, looks around for the other task.
struct LooksAround : Chosen<2> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        worker<false>(on, 2);
        on.core(3, [this] { submit_for(0), submit(1); });
    }
};
MODEL_SCENARIO(set_beside_who_looks_around, LooksAround).preemptions(1).stale_reads(0);

// With rounds of search before the sleep, core 0 may be one that still looks around, and find task 2 before it sees the
// first set. Then task 0 waits for core 0, and core 0 for task 0: by these tasks, whatever the scheduler does.
#if WEFT_SEARCH_ROUNDS == 0

// Result: Never (two tasks wait for ever). Core 0, which is in both sets, is unparked for the second one, and takes a
// task of the first one, which has more, but no other core that can come: it tells of the second one, too.
struct TellsOfBoth : Chosen<3> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        worker<true>(on, 1);
        on.late_core(2, {Arrival::absent});
        for (unsigned i : {0, 2}) task[i].body = model::Callable([this] { two.arrive(); });
        on.core(3, [this] {
            weft::Batch batch;
            for (unsigned i : {0, 1}) task[i].prepare(), must(batch.push(task[i]));
            must(pool.submit_on(CoreSet::of(0, 2), batch));
            task[2].prepare();
            must(pool.submit_on(set, task[2]));
        });
    }
};
MODEL_SCENARIO(set_member_tells_of_both, TellsOfBoth).stale_reads(1).parked_at_end().each_wake();

#endif  // WEFT_SEARCH_ROUNDS

// Result: Never. All cores of the set are off, and the one that is tried first does not come: the next submit tries the
// other one.
struct Starts : Chosen<2> {
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1, {Arrival::never});
        on.core(3, [this] {
            submit_for(0);
            model::advance_clock(1000000);
            submit_for(1);
        });
    }
};
MODEL_SCENARIO(set_starts, Starts).stale_reads(1).parked_at_end();

// Result: Never. As before, but what comes next is a task for any core: who withdraws the start sees to the set.
struct WithdrawnByOthers : Chosen<2> {
    weft::Atomic<uint32_t> met{0};
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1, {Arrival::never});
        on.late_core(2);
        task[1].body = model::Callable([this] {
            while (met.load(weft::acquire) == 0) weft::Port::park();
        });
        body[0] = model::Callable([this] {
            met.store(1, weft::release);
            for (unsigned core : {0, 1, 2}) weft::Port::unpark(core);
        });
        on.core(3, [this] {
            submit_for(0);
            model::advance_clock(1000000);
            submit(1);
        });
    }
};
MODEL_SCENARIO(set_start_withdrawn_by_others, WithdrawnByOthers).parked_at_end();

// Result: Never (two tasks wait for ever). The other way round: a start for any task is overdue when a task comes for a
// set, of which no core can be started. (A generated program.)
struct WithdrawnByASet : Chosen<3, 1> {
    void cores(model::Program& on) {
        on.late_core(0);
        worker<true>(on, 2);
        for (unsigned i : {0, 1}) task[i].body = model::Callable([this] { two.arrive(); });
        on.core(3, [this] {
            submit(0), submit(1);
            model::advance_clock(1000000);
            submit_for(2);
        });
    }
};
MODEL_SCENARIO(set_withdraws_a_start_of_others, WithdrawnByASet).parked_at_end();

// (With rounds of search core 2 may find its task before the submitter has moved the cursor on. Then the core that does
// not come is tried once more.)
#if WEFT_SEARCH_ROUNDS == 0

// Result: Never (a task waits for ever). Who withdraws a start that was for one set came for another set, of which no
// core can be started: nobody comes by to see to the first one.
struct WithdrawnForAnotherSet : Chosen<3> {
    Meeting<2, 0, 3> both;
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1, {Arrival::never});
        worker<true>(on, 2);
        body[0] = model::Callable([this] { both.arrive(); });
        task[1].body = model::Callable([this] {
            submit_for(0);
            model::advance_clock(1000000);
            task[2].prepare();
            must(pool.submit_on(CoreSet::of(1, 2), task[2]));
            both.arrive();
        });
        on.core(3, [this] { submit(1); });
    }
};
MODEL_SCENARIO(set_start_withdrawn_for_another_set, WithdrawnForAnotherSet)
    .stale_reads(1)
    .parked_at_end()
    .each_wake();

#endif  // WEFT_SEARCH_ROUNDS

// Result: Never (one is accepted, and lies there). Two cores hand in at once, and no core of the set can be started:
// who relies on the start of the other one waits for its answer.
struct Refused : Chosen<2> {
    weft::Status status[2] = {};
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::refused, Arrival::refused, Arrival::refused, Arrival::refused});
        on.late_core(1, {Arrival::absent});
        for (unsigned which : {0, 1}) {
            on.core(3 + which, [this, which] { status[which] = pool.submit_on(set, task[which]); });
        }
    }
    void finish() {
        for (weft::Status each : status) {
            model::check(each == weft::Status::core_unavailable, "nobody comes, as both hear");
        }
    }
};
MODEL_SCENARIO(set_refused_to_both, Refused).stale_reads(1);

// Result: Never (goes round for ever). A clock so coarse that each start is overdue when it is looked at: who withdraws
// one, and begins another one for what is in the set's queue, leaves with that one on its way.
struct OverdueAtOnce : Chosen<2> {
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::absent});
        on.late_core(1);
        on.core(2, [this] {
            submit_for(0);
            submit(1);
        });
    }
};
MODEL_SCENARIO(set_start_overdue_at_once, OverdueAtOnce).ticks_per_call(1000000);

// Result: Never (the task waits for ever). The only core of the set that is here polls, and goes. The other one ran
// code of its own when it submitted, and can be started since then.
struct BesideVisitor : Chosen<2> {
    weft::Atomic<uint32_t> step{0};
    void reach(uint32_t next, unsigned core) {
        step.store(next, weft::release);
        weft::Port::unpark(core);
    }
    void wait(uint32_t until) {
        while (step.load(weft::acquire) < until) weft::Port::park();
    }
    void cores(model::Program& on) {
        for (unsigned core : {0, 2}) on.late_core(core, {Arrival::refused});
        on.late_core(1);
        task[0].body = model::Callable([this] { reach(2, 3), wait(3); });
        on.core(0, [this] {
            wait(1);
            must(pool.poll(1).status);
        });
        on.core(1, [this] { submit(0), reach(1, 0); });
        on.core(3, [this] {
            wait(2);
            submit_for(1);
            reach(3, 0);
        });
    }
};
MODEL_SCENARIO(set_beside_who_polls, BesideVisitor).stale_reads(1).parked_at_end();

// Result: Never. The core that is started for the task comes by itself, for something else, and goes again. Then a core
// is started that may not run it, too.
template <bool polls>
struct ComesAndGoes : Chosen<1> {
    Mark own;
    bool called = false;
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1, {Arrival::never});
        on.late_core(2);
        on.core(1, [this] {
            if (polls) {
                own.prepare();
                must(pool.submit_on(1, own));
                must(pool.poll(1).status);
            } else {
                pool.call([this] { called = true; });
            }
        });
        on.core(3, [this] { submit_for(0); });
    }
    void finish() {
        Base::finish();
        model::check(polls ? own.as_promised() : called, "what the core came for is done");
    }
};
MODEL_SCENARIO(set_started_core_polls, ComesAndGoes<true>).stale_reads(1).parked_at_end();
MODEL_SCENARIO(set_started_core_calls, ComesAndGoes<false>).stale_reads(1).parked_at_end();

// Result: Never. The core that was unparked for the task waits for something else, which comes: it leaves.
struct WaitsAndLeaves : Chosen<1> {
    class Part : public weft::Waitable {
    public:
        explicit Part(weft::Scheduler& pool) : Waitable(pool, &Part::run) {}

    private:
        static void run(weft::Task& self) {
            Part& part = static_cast<Part&>(self);
            part.end(part.begin());
        }
    } part{pool};
    void cores(model::Program& on) {
        worker<true>(on, 1);
        worker<true>(on, 2);
        on.core_at_rest(0, [this] { must(part.wait()); });
        left.store(2, weft::relaxed);  // the task does not end the pool
        on.core(3, [this] { submit_for(0); });
        on.core(4, [this] { must(pool.submit_on(2, part)); });
    }
    void finish() {
        Base::finish();
        model::end_of_life(part);
    }
};
MODEL_SCENARIO(set_member_waits_and_leaves, WaitsAndLeaves)
    .preemptions(1)
    .stale_reads(1)
    .each_wake()  // an event for all would wake the other one, too
    .parked_at_end();

// Result: Never. Two cores hand in the first tasks for sets at once: each set gets one place of the two, so a third set
// gets one only if these are the same.
template <bool same>
struct Places : Chosen<3> {
    weft::Atomic<uint32_t> handed_in{0};
    void cores(model::Program& on) {
        worker<true>(on, 1);
        on.core(3, [this] {
            submit_for(0);
            while (handed_in.load(weft::acquire) == 0) weft::Port::park();
            task[2].prepare();
            const weft::Status status = pool.submit_on(CoreSet::of(0, 2), task[2]);
            // Cores 0 and 2 are not there, as who has a place hears, or will see.
            model::check((status == weft::Status::out_of_range) == !same, "a place each");
            task[2].given = false;
        });
        on.core(4, [this] {
            task[1].prepare();
            must(pool.submit_on(same ? set : CoreSet::of(1, 2), task[1]));
            handed_in.store(1, weft::release);
            weft::Port::unpark(3);
        });
    }
};
MODEL_SCENARIO(set_places_of_two, Places<false>).parked_at_end();
MODEL_SCENARIO(set_places_of_one, Places<true>).stale_reads(1).parked_at_end();

// Result: Never (is refused, and runs; or is lost). The pool is shut down meanwhile.
struct Closing : Chosen<1> {
    bool accepted = false;
    bool came_back = false;
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.core(3, [this] {
            runs_there(0);
            accepted = pool.submit_on(set, task[0]) == weft::Status::ok;
        });
        on.core(4, [this] {
            pool.shutdown();
            weft::Batch left_over;
            must(pool.join(left_over));
            while (weft::Task* const back = left_over.pop()) {
                model::check(back == &task[0], "what comes back was handed in");
                came_back = true;
            }
        });
    }
    void finish() {
        model::check(task[0].runs + came_back == accepted, "it runs or comes back, if it was accepted");
    }
};
MODEL_SCENARIO(set_close_race, Closing).stale_reads(1);

// Result: Never (returns too early). A core that is not in the set waits until all has run, and takes nothing of it.
struct Rests : Chosen<1> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        worker<true>(on, 1);
        on.core(2, [this] {
            runs_there(0);
            left.store(2, weft::relaxed);  // the task does not end the pool
            must(pool.submit_on(set, task[0]));
            must(pool.wait_idle());
            model::check(task[0].seen_runs() == 1, "it has run, and what it wrote is seen");
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(set_and_a_pool_at_rest, Rests).stale_reads(1);

// Result: Never (a task waits for ever). A start for a timer that nobody watches is overdue when a task comes for a set
// of which no core can be started.
struct WithdrawsAWatcher : Sleepers<3, 3> {
    weft::Timer timer{pool, task[1]};
    Flag begun;
    void cores(model::Program& on) {
        on.late_core(0);
        worker<true>(on, 2);
        task[0].body = model::Callable([this] { begun.set(3), two.arrive(); });
        task[1].body = model::Callable([this] { two.arrive(); });
        on.core(3, [this] {
            submit(0);
            begun.await();
            task[1].prepare();
            must(timer.start_after(1000));
            model::advance_clock(1000000);
            task[2].prepare();
            must(pool.submit_on(CoreSet::of(1, 2), task[2]));
        });
    }
};
MODEL_SCENARIO(set_withdraws_a_watcher, WithdrawsAWatcher).parked_at_end().preemptions(1).alarms();

// Result: Never (waits for ever). As start_retried_by_who_wakes, with tasks for a set.
template <bool calls>
struct RetriedByWhoTakes : RefusedBefore<3> {
    void cores(model::Program& on) {
        begins(on, model::Callable([this] {
                   if (calls) second.call([] {});
               }));
        on.core(3, [this] {
            is_refused();
            for (Doing& one : task) one.prepare(), must(second.submit_on(CoreSet::of(0, 1), one));
        });
    }
};
MODEL_SCENARIO(set_retried_by_who_takes, RetriedByWhoTakes<false>)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);
MODEL_SCENARIO(set_retried_by_who_takes_after_a_call, RetriedByWhoTakes<true>)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);

}  // namespace
