// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: cores that leave a pool before its end, and come back. Claims 14 and 15; edges I1, T1, J1.
#include <weft/weft.hpp>

#include "engine/machine.hpp"
#include "engine/scenario.hpp"

// The other scenarios have these, too, of another library: of WEFT_ELASTIC=0 (Makefile).
namespace elastic {
#include "sleepers.hpp"

#include "visits.hpp"
}  // namespace elastic
using namespace elastic;

namespace {

using weft::Status;

// Core `outside` submits tasks that tell it when they have run; nobody but it ends the pool.
template <unsigned cores, unsigned tasks, unsigned ring = 2>
struct Crew : Workers<cores, ring> {
    using Workers<cores, ring>::pool;
    static constexpr unsigned outside = cores;
    weft::Atomic<uint32_t> ran{0};
    struct One : Doing {
        One() : Doing(&One::run) {}
        static void run(weft::Task& self) {
            Crew& all = *static_cast<One&>(self).all;
            Doing::run(self);
            all.ran.fetch_add(1, weft::release);
            weft::Port::unpark(outside);
        }
        Crew* all = nullptr;
    } task[tasks];

    Crew() {
        for (One& one : task) one.all = this;
    }
    void submit(unsigned which) {
        task[which].prepare();
        must(pool.submit(task[which]));
    }
    void pin(unsigned which, unsigned core) {
        task[which].prepare();
        must(pool.submit_on(core, task[which]));
    }
    // A task that does not end.
    static void goes_on() {
        for (;;) weft::Port::park();
    }
    void await(uint32_t count) {
        while (ran.load(weft::acquire) < count) weft::Port::park();
    }
    static void end(weft::Scheduler& any) {
        any.shutdown();
        must(any.join());
        model::end_of_life(any);
    }
    void end() { end(pool); }
    void finish() {
        for (One& one : task) model::check(one.as_promised(), "every task runs exactly once");
    }
};

// Result: Never (waits for ever). Two tasks need both cores; core 1 has come, and leaves as soon as it finds nothing.
// Then two tasks need both again: it stays, or is started again.
template <bool from_task>
struct Again : Crew<2, 4> {
    Meeting<2> first;
    Meeting<2> second;
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        task[0].body = model::Callable([this] { first.arrive(); });
        task[1].body = model::Callable([this] {
            first.arrive();
            if (from_task) submit(2), submit(3);
        });
        task[2].body = task[3].body = model::Callable([this] { second.arrive(); });
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            submit(0), submit(1);
            if (!from_task) await(2), submit(2), submit(3);
            await(4);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_comes_again, Again<false>).each_wake().preemptions(1);
MODEL_SCENARIO(elastic_comes_again_for_a_task, Again<true>).preemptions(1).stale_reads(1);

// Result: Never (waits for ever). Core 0 is in a task that does not end. Core 1 came for another one, and leaves as
// soon as it finds nothing; whenever that is, the next submit gets it.
struct BesideALongTask : Crew<2, 3> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        task[0].body = model::Callable([] { goes_on(); });
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            submit(0), submit(1);
            await(1);
            submit(2);
            await(2);
        });
    }
    void finish() { model::check(task[1].runs == 1 && task[2].runs == 1, "both run beside the long one"); }
};
MODEL_SCENARIO(elastic_beside_a_long_task, BesideALongTask).parked_at_end().each_wake();

// Result: Never (waits for ever). Core 1 comes, runs its task and is off again before core 0, who has started it, goes
// on. Then it is started for the next task, and that start is not core 0's to withdraw.
struct StarterIsSlow : Crew<2, 3> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        task[0].body = model::Callable([this] {
            submit(1);
            goes_on();
        });
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            submit(0);
            await(1);
            submit(2);
            await(2);
        });
    }
    void finish() { model::check(task[1].runs == 1 && task[2].runs == 1, "both run beside the long one"); }
};
MODEL_SCENARIO(elastic_starter_is_slow, StarterIsSlow).parked_at_end().preemptions(1);

// Result: Never (waits for ever). The same, of who withdraws a start that is overdue: core 1 comes all the same, and is
// off again; the next start is another core's.
struct WithdrawerIsSlow : Crew<2, 4> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        task[0].body = model::Callable([this] {
            submit(1);
            model::advance_clock(1000000);
            submit(2);
            goes_on();
        });
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            submit(0);
            await(2);
            submit(3);
            await(3);
        });
    }
    void finish() {
        for (unsigned which = 1; which != 4; ++which)
            model::check(task[which].runs == 1, "all run beside the long one");
    }
};
MODEL_SCENARIO(elastic_withdrawer_is_slow, WithdrawerIsSlow)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(1)
    .deep(1, 2);

// Result: Never (waits for ever). Both cores have been started, and both leave as soon as they find nothing: one stays.
// What a handler submits, which can start nobody, it runs.
struct OneStays : Crew<2, 3> {
    Meeting<2> both;
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1);
        task[0].body = task[1].body = model::Callable([this] { both.arrive(); });
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            submit(0), submit(1);
            await(2);
            task[2].prepare();
            must(pool.submit_from_isr(task[2]));
            await(3);
        });
    }
};
MODEL_SCENARIO(elastic_one_stays, OneStays).parked_at_end().preemptions(1);

// Result: Never (is left there; waits for ever). A task is pinned to the core that leaves: it runs, there.
struct PinToWhoLeaves : Crew<2, 2> {
    static void on_core_1() { model::check(weft::Port::core_id() == 1, "it runs on its core"); }
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        for (One& one : task) one.body = model::Callable([] { on_core_1(); });
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            for (One& one : task) {
                one.prepare();
                must(pool.submit_on(1, one));
                await(static_cast<uint32_t>(&one - task) + 1);
            }
            end();
        });
    }
};
MODEL_SCENARIO(elastic_pin_to_who_leaves, PinToWhoLeaves).each_wake().preemptions(1).stale_reads(1);

// Result: Never. The core is retired while another core pins to it: the task runs there, or is refused.
struct PinToTheRetired : Crew<2, 2> {
    bool refused = false;
    weft::Atomic<uint32_t> asked{0};
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.core(outside, [this] {
            pin(0, 1);
            must(pool.retire(1));
            while (asked.load(weft::acquire) == 0) weft::Port::relax();
            end();
        });
        on.core(outside + 1, [this] {
            task[1].prepare();
            const Status status = pool.submit_on(1, task[1]);
            refused = status != Status::ok;
            model::check(!refused || status == Status::core_unavailable || status == Status::closed,
                         weft::describe(status));
            if (refused) task[1].given = false;
            asked.store(1, weft::release);
        });
    }
};
MODEL_SCENARIO(elastic_pin_to_the_retired, PinToTheRetired).preemptions(0).stale_reads(1);

// Result: Never. Its own ring and overflow are full when it is retired: others run what it leaves.
struct LeavesTasks : Crew<2, 4> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        task[0].body = model::Callable([this] {
            submit(1), submit(2), submit(3);
            must(pool.retire(1));
        });
        on.core(outside, [this] {
            pin(0, 1);
            await(4);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_leaves_tasks, LeavesTasks).preemptions(1).stale_reads(1);

// Result: Never. The last one here is retired: another one comes, and then it leaves.
struct LastOne : Crew<2, 2> {
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1);
        on.core(outside, [this] {
            submit(0);
            await(1);
            must(pool.retire(0));
            task[1].prepare();
            const Status status = pool.submit_on(1, task[1]);
            must(status);
            await(2);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_retire_the_last_one, LastOne).stale_reads(1);

// Result: Never (is still here). Core 1 leaves by its keep-alive. It is not counted any more, and its power state still
// says that it stays, when core 0 is retired and looks for a successor. Behind that it can be started.
struct RetiredBesideWhoLeaves : Crew<2, 1> {
    Leaver first;
    void cores(model::Program& on) {
        first.sleeps(on, 0, pool);
        on.late_core(1);
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            pin(0, 1);
            await(1);
            must(pool.retire(0));
        });
    }
    void finish() { first.must_have_left(); }
};
MODEL_SCENARIO(elastic_retired_beside_who_leaves, RetiredBesideWhoLeaves)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(1);

// Result: Never (is still here). The same, where core 1 leaves by a limit, which is then raised again.
struct RetiredBesideWhoIsOneTooMany : Crew<2, 1> {
    Leaver first;
    void cores(model::Program& on) {
        first.sleeps(on, 0, pool);
        on.late_core(1);
        on.core(outside, [this] {
            pin(0, 1);
            await(1);
            must(pool.limit_cores(1));
            must(pool.retire(0));
            must(pool.limit_cores(2));
        });
    }
    void finish() { first.must_have_left(); }
};
MODEL_SCENARIO(elastic_retired_beside_one_too_many, RetiredBesideWhoIsOneTooMany)
    .parked_at_end()
    .mode(model::Mode::pct)
    .executions(30000);

// Result: Never (livelock). Behind a limit of one the core that is being started comes by itself instead, polls, and
// goes: its start has no place any more, and the other core has it.
struct PollsInsteadOfComing : Crew<2, 1> {
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1, {model::Arrival::never});  // the submit tries it first
        on.core(1, [this] { must(pool.poll(1).status); });
        on.core(outside, [this] {
            must(pool.limit_cores(1));
            submit(0);
        });
    }
};
MODEL_SCENARIO(elastic_polls_instead_of_coming, PollsInsteadOfComing)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(1);

// Result: Never (livelock). With a keep-alive of 0 the successor finds nothing to do and could leave before core 0 is
// awake: core 0 would start it again, and so on. It stays until core 0 has gone.
struct HastySuccessor : Crew<2, 1> {
    Leaver first;
    void cores(model::Program& on) {
        first.sleeps(on, 0, pool);
        on.late_core(1);
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            must(pool.retire(0));
        });
    }
    void finish() { first.must_have_left(); }
};
MODEL_SCENARIO(elastic_hasty_successor, HastySuccessor).parked_at_end();

// Result: Never (sleeps on). The core that could come was refused once, while core 0 was at work, and so nobody tries
// it any more. Then core 0 sleeps, and is retired: that is a reason to try again.
struct RetiredBehindARefusal : Crew<2, 2> {
    Leaver first;
    void cores(model::Program& on) {
        first.sleeps(on, 0, pool);
        on.late_core(1, {model::Arrival::refused, model::Arrival::normal});
        task[0].body = model::Callable([this] { submit(1); });
        on.core(outside, [this] {
            submit(0);
            await(2);
            model::check(pool.start_failures() == 1, "the start was refused");
            must(pool.retire(0));
        });
    }
    void finish() {
        Crew::finish();
        first.must_have_left();
    }
};
MODEL_SCENARIO(elastic_retire_behind_an_old_refusal, RetiredBehindARefusal).parked_at_end();

// Result: Never (does not return). A core that called run() is retired: it returns, and the pool goes on without it.
struct RunReturns : Crew<2, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] {
            const Status status = pool.run();
            model::check(status == Status::retired, weft::describe(status));
        });
        on.late_core(1);
        on.core(outside, [this] {
            pin(0, 1);
            await(1);
            must(pool.retire(0));
            while (pool.live_cores() == 2) weft::Port::relax();
            end();
        });
    }
};
MODEL_SCENARIO(elastic_run_returns, RunReturns).preemptions(1).stale_reads(1);

// Result: Never. Two cores are above the limit at once: one of them leaves, and one stays.
struct Limit : Crew<2, 3> {
    Meeting<2> both;
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1);
        task[0].body = task[1].body = model::Callable([this] { both.arrive(); });
        on.core(outside, [this] {
            submit(0), submit(1);
            await(2);
            must(pool.limit_cores(1));
            submit(2);
            await(3);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_limit, Limit).preemptions(1).stale_reads(1);

// Result: Never (two have left). One core is above the limit, and there are two who may be the one. Who stays is here
// for what a handler submits, which can start nobody.
struct OneAboveTheLimit : Crew<3, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.late_core(2);
        on.core(outside, [this] {
            for (unsigned which : {0, 1}) {
                pin(which, 1 + which);
            }
            await(2);
            must(pool.limit_cores(2));
        });
    }
    void finish() {
        Crew::finish();
        model::check(pool.live_cores() == 2, "as many stay as may");
    }
};
MODEL_SCENARIO(elastic_limit_one_above, OneAboveTheLimit).parked_at_end().preemptions(1).stale_reads(0);

// Result: Never. Behind a limit of one no second core is started; when it is raised, one is, for what waits.
struct Raised : Crew<2, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        task[0].body = model::Callable([] { goes_on(); });
        on.core(outside, [this] {
            must(pool.limit_cores(1));
            submit(0), submit(1);
            must(pool.limit_cores(2));
            await(1);
        });
    }
    void finish() {
        model::check(task[0].runs + task[1].runs == 1, "the other one runs beside the long one");
    }
};
MODEL_SCENARIO(elastic_limit_raised, Raised).parked_at_end();

// Result: Never (is still here). The only one here is retired while another one comes by run(): whoever is later sees
// the other, and it leaves.
struct RetireMeetsWhoComes : Workers<2> {
    Doing task;
    void cores(model::Program& on) {
        on.late_core(0);
        task.body = model::Callable([this] { must(pool.retire(0)); });
        on.core(1, [this] {
            task.prepare();
            must(pool.submit_on(0, task));
            work();
        });
    }
    void finish() { model::check(task.as_promised() && pool.live_cores() == 1, "who is retired has left"); }
};
MODEL_SCENARIO(elastic_retire_meets_who_comes, RetireMeetsWhoComes).parked_at_end();

// Result: Never (is still here). The only one here is retired, and the core that is to come for it is refused: the next
// task has it tried again.
struct SuccessorIsRefused : Workers<2> {
    Mark task;
    Leaver first;
    void cores(model::Program& on) {
        first.sleeps(on, 0, pool);
        on.late_core(1, {model::Arrival::refused, model::Arrival::normal});
        on.core(2, [this] {
            must(pool.retire(0));
            while (pool.start_failures() == 0) weft::Port::relax();
            task.prepare();
            must(pool.submit(task));
        });
    }
    void finish() {
        model::check(task.as_promised(), "the task has run");
        first.must_have_left();
    }
};
MODEL_SCENARIO(elastic_retire_behind_a_refusal, SuccessorIsRefused).parked_at_end();

// Result: Never (a task is left). One core may be here. The start of core 1 finds that place taken, by another core's
// start of core 0, which is refused: that one runs code of its own.
struct TurnedAway : Crew<2, 2> {
    TurnedAway() { must(pool.limit_cores(1)); }
    void cores(model::Program& on) {
        on.core(0, [this] { submit(0); });
        on.late_core(1);
        on.core(outside, [this] { submit(1); });
    }
};
MODEL_SCENARIO(elastic_turned_away_beside_a_refusal, TurnedAway).parked_at_end().preemptions(2);

// Result: Never (waits for ever). A core is not started, as it is above the limit or retired; just then another one
// allows it, and finds that somebody is at it already. It comes.
template <bool limit>
struct AllowedBesideAStart : Workers<2> {
    Meeting<2> both;
    Doing task[2];
    AllowedBesideAStart() { must(limit ? pool.limit_cores(1) : pool.retire(0)); }
    void cores(model::Program& on) {
        on.late_core(0);
        task[0].body = model::Callable([this] {
            task[1].prepare();
            must(pool.submit(task[1]));
            both.arrive();
        });
        task[1].body = model::Callable([this] { both.arrive(); });
        on.core(1, [this] {
            task[0].prepare();
            must(pool.submit_on(1, task[0]));
            work();
        });
        on.core(2, [this] { must(limit ? pool.limit_cores(2) : pool.admit(0)); });
    }
    void finish() {
        model::check(task[0].as_promised() && task[1].as_promised(), "each has run, with the other");
    }
};
MODEL_SCENARIO(elastic_limit_raised_beside_a_start, AllowedBesideAStart<true>).parked_at_end().preemptions(1);
MODEL_SCENARIO(elastic_admitted_beside_a_start, AllowedBesideAStart<false>).parked_at_end().preemptions(1);

// Result: Never (waits for ever). At a limit of two, core 1 is retired. Two tasks need each other. Core 0 takes one,
// and core 2 is refused for the other, as long as core 1 is here. Then it comes in its place. (A generated program.)
template <bool from_task>
struct InPlaceOfWhoLeaves : Crew<3, 3> {
    Meeting<2> both;
    Flag is_retired, may_go;
    void submit_both() { submit(1), submit(2); }
    void cores(model::Program& on) {
        must(pool.limit_cores(2));
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.late_core(2);
        task[0].body = model::Callable([this] {
            must(pool.retire(1));
            if (from_task) return submit_both();
            is_retired.set(outside);
            may_go.await();
        });
        task[1].body = task[2].body = model::Callable([this] { both.arrive(); });
        on.core(outside, [this] {
            pin(0, 1);
            if (!from_task) is_retired.await(), submit_both();
            may_go.set(1);
            await(3);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_in_place_of_who_leaves, InPlaceOfWhoLeaves<false>).preemptions(1).stale_reads(0);
MODEL_SCENARIO(elastic_in_place_of_who_leaves_tasks, InPlaceOfWhoLeaves<true>).preemptions(1).stale_reads(0);

// Result: Never (waits for ever). Core 1 is about to leave, and holds the waking role. Nobody is woken for two tasks
// that need each other and core 0. It gives the role up, sees them, and stays: for the second one it wakes core 2.
struct GivesUpTheRole : Crew<3, 4> {
    Meeting<3> all;
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.core_at_rest(2, [this] { work(); });
        task[1].body = model::Callable([this] {
            submit(2), submit(3);
            all.arrive();
        });
        task[2].body = task[3].body = model::Callable([this] { all.arrive(); });
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            pin(0, 1);
            pin(1, 0);
            await(4);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_gives_up_the_role, GivesUpTheRole).mode(model::Mode::pct).executions(10000);

// Result: Never. The pool ends while a core leaves.
template <weft::Shutdown mode>
struct Ends : Crew<2, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            pin(0, 1);
            submit(1);
            pool.shutdown(mode);
            weft::Batch left;
            must(pool.join(left));
            model::end_of_life(pool);
            while (weft::Task* const one = left.pop()) static_cast<Mark*>(one)->given = false;
        });
    }
};
MODEL_SCENARIO(elastic_at_the_end, Ends<weft::Shutdown::drain>).each_wake().preemptions(1);
MODEL_SCENARIO(elastic_abandoned, Ends<weft::Shutdown::abandon>).preemptions(1);

// Result: Wrong (three tasks at once, and the limit is two). Core 1 is about to leave behind its sleep, and a core has
// been started in its place, when it finds another task.
struct ReturnsAboveTheLimit : Crew<3, 4> {
    unsigned running = 0;
    void cores(model::Program& on) {
        must(pool.limit_cores(2));
        for (One& one : task) {
            const bool lasts = &one == task;
            one.body = model::Callable([this, lasts] {
                model::check(++running <= 2, "no more tasks at once than the limit says");
                while (lasts && ran.load(weft::acquire) != 3) weft::Port::park();
                weft::Port::relax();
                --running;
            });
        }
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.late_core(2);
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            pin(0, 0);
            submit(1);
            await(1);
            submit(2), submit(3);
            await(3);
            weft::Port::unpark(0);
            await(4);
            end();
        });
    }
};
// (Two that cannot leave yet take turns beside the third one, in some orders for long.)
MODEL_SCENARIO(elastic_limit_behind_a_sleep, ReturnsAboveTheLimit)
    .mode(model::Mode::pct)
    .executions(30000)
    .steps(10000);

// Result: Never (waits for ever). An alarm ends the sleep of a core that may sleep for ten ticks.
struct Nap : Crew<2, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.core(outside, [this] {
            must(pool.keep_alive(10));
            pin(0, 1);
            await(1);
            while (pool.live_cores() == 2) weft::Port::relax();
            pin(1, 1);
            await(2);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_nap, Nap).alarms().clock_start(0xfffffff8u).preemptions(1).stale_reads(1);

// Result: Never (is woken for nothing). The alarm of a sleep is off when that has ended before, for a task.
struct AlarmIsOff : Crew<2, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        task[1].body =
            model::Callable([] { model::check(!model::machine.has_alarm(1), "no alarm beside a task"); });
        on.core(outside, [this] {
            must(pool.keep_alive(10));
            for (unsigned which : {0, 1}) {
                pin(which, 1);
                await(which + 1);
            }
            end();
        });
    }
};
MODEL_SCENARIO(elastic_nap_alarm_is_off, AlarmIsOff).alarms().preemptions(1).stale_reads(0);

// Result: Never (goes round). A timer is armed, and the only core that could watch for it has a keep-alive of 0: it
// sleeps for as long as it watches. (From a generated program.)
struct WatchesFirst : BesideALongTask {
    weft::Timer timer{pool, task[2]};
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        task[0].body = model::Callable([] { goes_on(); });
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            task[2].prepare();
            must(timer.start_after(100));
            submit(0), submit(1);
            await(2);
        });
    }
};
MODEL_SCENARIO(elastic_watches_before_it_leaves, WatchesFirst)
    .alarms()
    .parked_at_end()
    .preemptions(1)
    .stale_reads(1);

// Result: Never (sleeps on). The core that was started was the only one when it went to sleep. Then another one comes
// to stay, and it leaves. (From a generated program.)
struct NapOfTheLastOne : Crew<2, 1> {
    void cores(model::Program& on) {
        on.late_core(1);
        on.core(0, [this] {
            must(pool.keep_alive(0));
            submit(0);
            work();
        });
    }
    void finish() {
        Crew::finish();
        model::check(pool.live_cores() == 1, "the core that was started has left");
    }
};
MODEL_SCENARIO(elastic_nap_of_the_last_one, NapOfTheLastOne)
    .alarms()
    .parked_at_end()
    .preemptions(1)
    .stale_reads(1);

// Result: Never (sleeps on). Core 1 stays. Core 2 is retired and leaves; it is not counted any more, and its power
// state still says that it stays. Core 0 is not needed in its place, and leaves. (From a generated program.)
struct NoSuccessorOfWhoLeaves : Crew<3, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(1, [this] { work(); });
        on.late_core(0);
        on.late_core(2);
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            task[0].prepare(), task[1].prepare();
            must(pool.submit_on(2, task[0]));
            must(pool.submit_on(0, task[1]));
            await(2);
            must(pool.retire(2));
        });
    }
    void finish() {
        Crew::finish();
        model::check(pool.live_cores() == 1, "the cores that were started have left");
    }
};
MODEL_SCENARIO(elastic_no_successor_of_who_leaves, NoSuccessorOfWhoLeaves)
    .alarms()
    .parked_at_end()
    .mode(model::Mode::pct)
    .executions(20000);

// ---- What follows on a core's leaving

// A Work that tells core `outside` of its run.
template <unsigned outside>
struct Follows {
    explicit Follows(weft::Scheduler& pool) : work{pool, Tell{this}} {}
    struct Tell {
        Follows* all;
        void operator()() const {
            all->runs.fetch_add(1, weft::release);
            weft::Port::unpark(outside);
        }
    };
    weft::Work<Tell> work;
    weft::Atomic<uint32_t> runs{0};
    void await() {
        while (runs.load(weft::acquire) == 0) weft::Port::park();
    }
    void finish() { model::check(runs.load(weft::relaxed) == 1, "the follower runs once"); }
};

// Core `outside` retires core 1 of two, and waits for what follows.
template <unsigned tasks>
struct Leaving : Crew<2, tasks> {
    Follows<2> left{Crew<2, tasks>::pool};
    void retire() {
        must(this->pool.retire(1, left.work));
        left.await();
    }
    void finish() {
        Crew<2, tasks>::finish();
        left.finish();
    }
};

// Result: Never (waits for ever; is submitted twice, or while the core is here). Core 1 is retired while it works,
// sleeps, comes, or leaves by itself: the follower runs when it is off. Then it is admitted, and comes.
template <uint32_t keep>
struct Follower : Leaving<2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.core(outside, [this] {
            if (keep != ~0u) must(pool.keep_alive(keep));
            pin(0, 1);
            retire();
            must(pool.admit(1));
            pin(1, 1);
            await(2);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_follower, Follower<~0u>).preemptions(1).stale_reads(1);
MODEL_SCENARIO(elastic_follower_of_who_leaves, Follower<0>).preemptions(1).stale_reads(0);

// Result: Never (busy; waits for ever). Core 1 has not come yet. A step of the word of who follows may fail by itself.
struct FollowerByAWeakStep : Leaving<1> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.core(outside, [this] {
            retire();
            submit(0);
            await(1);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_follower_by_a_weak_step, FollowerByAWeakStep)
    .preemptions(0)
    .stale_reads(0)
    .spurious_exchanges(1);

// Result: Never (waits for ever). Core 1 is admitted while core 0 retires it, and is started for a task. It comes
// later, as it waits for that task itself: its start is not taken back again and again. (A generated program.)
struct FollowerOfWhoIsAdmitted : Crew<2, 1> {
    Follows<outside> left{pool};
    Flag done[2];
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] { done[0].set(1); });
        on.core(0, [this] {
            must(pool.retire(1, left.work));
            work();
        });
        on.late_core(1);
        on.core(1, [this] {
            submit(0);
            done[0].await();
            done[1].set(outside);
        });
        on.core(outside, [this] {
            must(pool.admit(1));
            done[1].await();
            must(pool.retire(1));
            left.await();
            end();
        });
    }
    void finish() { Crew::finish(), left.finish(); }
};
MODEL_SCENARIO(elastic_follower_of_who_is_admitted, FollowerOfWhoIsAdmitted).preemptions(1).stale_reads(0);

// Result: Never (waits for ever). Core 1 is retired while its start is under way, and it may be long in coming: the
// start is taken back, or it comes and leaves.
struct FollowerOfAStart : Leaving<2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        task[0].body = model::Callable([this] { submit(1); });
        on.core(outside, [this] {
            submit(0);
            retire();
            await(2);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_follower_of_a_start, FollowerOfAStart).preemptions(1).stale_reads(1);

// Result: Never (the task is left over). Core 1 never comes: its start is taken back at once. What follows is another
// pool's, and so it brings nobody here: core 2 is started for the task.
struct FollowedInAnotherPool : Crew<3, 1> {
    weft::Pool<1, 2> other;
    weft::Completion left{other};
    void cores(model::Program& on) {
        must(pool.retire(0));
        on.core_at_rest(0, [this] { must(other.run()); });
        on.late_core(1, {model::Arrival::never});
        on.late_core(2);
        on.core(outside, [this] {
            submit(0);
            must(pool.retire(1, left));
            must(left.wait());
            await(1);
            end(), end(other);
        });
    }
};
MODEL_SCENARIO(elastic_follower_in_another_pool, FollowedInAnotherPool).preemptions(0).stale_reads(1);

// Result: Never (waits for ever). The core never comes: its start is taken back at once, and what it was started for
// another core does.
struct FollowerOfWhoNeverComes : Leaving<1> {
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1, {model::Arrival::never});
        on.core(outside, [this] {
            submit(0);
            retire();
            await(1);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_follower_of_who_never_comes, FollowerOfWhoNeverComes).preemptions(1).stale_reads(1);

// Result: Never (waits for ever; the pinned task is left). Core 1 is started for a task that any core may run, and is
// retired, while another core pins a task to it: that one runs there, or is refused.
struct FollowerBesideAPin : Leaving<2> {
    weft::Atomic<uint32_t> asked{0};
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1);
        on.core(outside, [this] {
            submit(0);
            retire();
            while (asked.load(weft::acquire) == 0) weft::Port::park();
            await(task[1].given ? 2 : 1);
            end();
        });
        on.core(outside + 1, [this] {
            task[1].prepare();
            const Status status = pool.submit_on(1, task[1]);
            task[1].given = status == Status::ok;
            model::check(task[1].given || status == Status::core_unavailable, weft::describe(status));
            asked.store(1, weft::release);
            weft::Port::unpark(outside);
        });
    }
};
MODEL_SCENARIO(elastic_follower_beside_a_pin, FollowerBesideAPin).preemptions(1).stale_reads(0);

// Result: Never (waits for ever). A task is pinned to a core that never comes, so its start is left to the deadline.
// Who withdraws it submits the follower.
struct FollowerOfAPinInVain : Leaving<2> {
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1, {model::Arrival::never});
        on.core(outside, [this] {
            pin(0, 1);
            must(pool.retire(1, left.work));
            model::advance_clock(1000000);
            submit(1);
            left.await();
            await(1);
            pool.shutdown(weft::Shutdown::abandon);
            weft::Batch back;
            must(pool.join(back));
            model::end_of_life(pool);
            model::check(back.pop() == &task[0], "what was pinned is handed back");
            task[0].given = false;
        });
    }
};
MODEL_SCENARIO(elastic_follower_of_a_pin_in_vain, FollowerOfAPinInVain).preemptions(0).stale_reads(1);

// Result: Never (waits for ever; is submitted while the core is here). A task is pinned to core 1, so its start is not
// taken back when it is retired. It comes by itself, and goes again; or stays until it leaves. (A review.)
template <bool stays>
struct FollowerOfWhoComesByItself : Crew<2, 1> {
    Follows<outside> left{pool};
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1, {model::Arrival::never});
        on.core(1, [this] {
            const Status status = stays ? pool.run() : pool.poll(1).status;
            const bool fits = status == Status::ok || status == Status::closed || status == Status::retired;
            model::check(fits, weft::describe(status));
        });
        task[0].body = model::Callable([this] {
            const bool first = left.runs.load(weft::relaxed) == 0;
            model::check(!stays || first, "a core that stays is here until its pinned task has run");
        });
        on.core(outside, [this] {
            pin(0, 1);
            must(pool.retire(1, left.work));
            left.await();
            pool.shutdown();
            weft::Batch back;
            must(pool.join(back));
            model::end_of_life(pool);
            if (back.pop() != nullptr) task[0].given = false;  // core 1 had polled before that
        });
    }
    void finish() {
        Crew::finish();
        left.finish();
    }
};
MODEL_SCENARIO(elastic_follower_of_who_polls, FollowerOfWhoComesByItself<false>)
    .preemptions(1)
    .stale_reads(0);
MODEL_SCENARIO(elastic_follower_of_who_runs, FollowerOfWhoComesByItself<true>).preemptions(1).stale_reads(0);

// Result: Never. The pool ends while core 1 is retired: behind the join the follower is in its own pool's queue.
struct FollowerAtTheEnd : Crew<2, 1> {
    Workers<1> other;
    Follows<outside> left{other.pool};
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.core(outside, [this] {
            task[0].prepare();
            const Status status = pool.submit_on(1, task[0]);
            task[0].given = status == Status::ok;
            must(pool.retire(1, left.work));
            weft::Batch back;
            must(pool.join(back));
            model::end_of_life(pool);
            if (back.pop() != nullptr) task[0].given = false;
            other.pool.shutdown();
            must(other.pool.join());
            left.finish();
        });
        on.core(outside + 1, [this] { pool.shutdown(); });
    }
};
MODEL_SCENARIO(elastic_follower_at_the_end, FollowerAtTheEnd).preemptions(1).stale_reads(0);

// Result: Never. Two cores retire core 1, each with a follower: one of them waits, the other is told so, or comes
// behind it.
struct TwoFollowers : Crew<2, 1> {
    Follows<outside> left[2]{Follows<outside>{pool}, Follows<outside>{pool}};
    weft::Atomic<uint32_t> asked{0};
    bool busy[2] = {};
    void retire(unsigned which) {
        const Status status = pool.retire(1, left[which].work);
        busy[which] = status == Status::busy;
        model::check(status == Status::ok || busy[which], weft::describe(status));
        asked.fetch_add(1, weft::acq_rel);
    }
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.core(outside, [this] {
            task[0].prepare();
            task[0].given = pool.submit_on(1, task[0]) == Status::ok;
            retire(0);
            while (asked.load(weft::acquire) != 2) weft::Port::relax();
            for (unsigned which = 0; which != 2; ++which) {
                if (!busy[which]) left[which].await();
            }
            end();
        });
        on.core(outside + 1, [this] { retire(1); });
    }
    void finish() {
        Crew::finish();
        for (unsigned which = 0; which != 2; ++which) {
            const uint32_t runs = left[which].runs.load(weft::relaxed);
            model::check(runs == (busy[which] ? 0 : 1), "who was told ok runs once, the other not at all");
        }
        model::check(!busy[0] || !busy[1], "one of them waits");
    }
};
MODEL_SCENARIO(elastic_two_followers, TwoFollowers).preemptions(0).stale_reads(1);

// Result: Never (waits for ever). The joiner finds a start overdue, claims it, and looks again. The clock has gone
// round meanwhile, so the start seems to be in time. (A generated program.)
struct ClockGoesRound {
    static constexpr uint32_t per_ms = 21474836, deadline = 100 * per_ms;
    weft::Pool<2, 2> pool;
    Mark task;
    void cores(model::Program& on) {
        on.late_core(1, {model::Arrival::never});
        on.core(2, [this] { pool.shutdown(), model::advance_clock(0x7fffffff); });
        on.core(3, [this] {
            task.prepare();
            task.given = pool.submit(task) == weft::Status::ok;
            model::advance_clock(deadline);
            must(pool.join());
        });
    }
    void finish() { model::check(task.as_promised(), "the joiner runs it"); }
};
MODEL_SCENARIO(elastic_clock_goes_round_in_a_join, ClockGoesRound)
    .ticks_per_ms(ClockGoesRound::per_ms)
    .time_jumps(0, ClockGoesRound::deadline / 2)
    .stale_reads(0);

// Result: Never (waits for ever). The same where core 1 comes by itself, between the claim and the second look: its
// start is withdrawn all the same. (A review.)
struct ComesByItselfMeanwhile {
    static constexpr uint32_t per_ms = ClockGoesRound::per_ms, deadline = ClockGoesRound::deadline;
    weft::Pool<2, 2> pool;
    Mark task[2];
    void submit(Mark& one) {
        one.prepare();
        one.given = pool.submit(one) == weft::Status::ok;
    }
    void cores(model::Program& on) {
        on.late_core(1, {model::Arrival::never});
        on.core(1, [this] { static_cast<void>(pool.poll(1)); });
        on.core(2, [] { model::advance_clock(0x7fffffff); });
        on.core(3, [this] {
            submit(task[0]);
            model::advance_clock(deadline);
            submit(task[1]);
            pool.shutdown();
            must(pool.join());
        });
    }
    void finish() {
        for (Mark& one : task) model::check(one.as_promised(), "it runs");
    }
};
MODEL_SCENARIO(elastic_comes_by_itself_between_two_looks, ComesByItselfMeanwhile)
    .ticks_per_ms(ComesByItselfMeanwhile::per_ms)
    .time_jumps(0, ComesByItselfMeanwhile::deadline / 2)
    .stale_reads(0)
    .preemptions(3);

// Result: Wrong (what follows runs while the core is in its task). A start of core 1 is overdue, and withdrawn. It
// comes by itself meanwhile, stays, and is retired in its task. (A review.)
struct RunsMeanwhile : Crew<2, 2> {
    struct Judge {
        RunsMeanwhile* all;
        void operator()() const {
            const bool is_out = all->in_task.load(weft::acquire) == 0;
            model::check(is_out, "what follows on a core's leaving runs while that is in its task");
            all->followed.set(outside);
        }
    };
    weft::Work<Judge> judge{pool, Judge{this}};
    weft::Atomic<uint32_t> in_task{0};
    Flag over, followed;
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1, {model::Arrival::never});
        on.core(1, [this] { static_cast<void>(pool.run()); });
        task[0].body = model::Callable([this] {
            in_task.store(1, weft::release);
            must(pool.retire(1, judge));
            over.await();
            in_task.store(0, weft::release);
        });
        on.core(outside, [this] {
            pin(0, 1);
            model::advance_clock(1000000);
            submit(1);
            await(1);
            over.set(1);
            await(2);
            followed.await();
            end();
        });
    }
};
MODEL_SCENARIO(elastic_follower_of_who_runs_meanwhile, RunsMeanwhile).preemptions(2).stale_reads(0);

// Result: Never (waits for ever). Core 1 has to go, and is between l0 and l1. Just then it is admitted, or the limit is
// raised: who says so meets a core that stays. So it looks at the queues, and comes back. (A review.)
template <bool limit>
struct AllowedBesideItsLeaving : Crew<2, 3> {
    Meeting<2> both;
    Flag waits;
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        task[1].body = model::Callable([this] {
            waits.set(outside);
            both.arrive();
        });
        task[2].body = model::Callable([this] { both.arrive(); });
        on.core(outside, [this] {
            task[0].prepare(), task[1].prepare();
            must(pool.submit_on(1, task[0]));
            await(1);
            must(pool.submit_on(0, task[1]));
            waits.await();
            must(limit ? pool.limit_cores(1) : pool.retire(1));
            submit(2);
            must(limit ? pool.limit_cores(2) : pool.admit(1));
            await(3);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_admitted_beside_its_leaving, AllowedBesideItsLeaving<false>)
    .mode(model::Mode::pct)
    .executions(20000);
MODEL_SCENARIO(elastic_limit_raised_beside_its_leaving, AllowedBesideItsLeaving<true>)
    .mode(model::Mode::pct)
    .executions(20000);

// Result: Never (waits for ever). Core 1 is started for a pinned task, and never comes. It is retired, and its start
// about to be taken back. A submitter sees that claim, and takes the mark away. It is set again. (A review.)
struct GivenBackAndMarked : Crew<3, 4> {
    weft::Pool<3, 2> other;
    Follows<outside> left{other};
    Flag runs_on, is_pinned, done;
    void cores(model::Program& on) {
        must(pool.retire(2)), must(other.retire(0)), must(other.retire(1));
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1, {model::Arrival::never});
        on.late_core(2);
        task[0].body = model::Callable([this] {
            runs_on.set(outside);
            goes_on();
        });
        on.core(outside, [this] {
            pin(0, 0);
            runs_on.await();
            pin(1, 1);
            is_pinned.set(outside + 1);
            must(pool.retire(1, left.work));
            done.await();
            model::advance_clock(1000000);
            submit(2);
            left.await();
        });
        on.core(outside + 1, [this] {
            is_pinned.await();
            submit(3);
            done.set(outside);
        });
    }
    void finish() { left.finish(); }
};
MODEL_SCENARIO(elastic_follower_of_a_start_given_back, GivenBackAndMarked)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);

// Result: Never (waits for ever). Core 1 is retired, and has submitted: it runs code of its own. It is admitted while
// another core claims it, and that start is refused. Once core 0 stays, it is one that can be started. (A review.)
struct AdmittedBesideAClaimElsewhere : Crew<2, 6> {
    Meeting<2> both;
    Flag submitted[2], done, arrived;
    Doing extra[4];
    unsigned extras = 0;
    void submit_again() {
        if (extras == 4) return weft::Port::relax();
        extra[extras].prepare();
        must(pool.submit(extra[extras++]));
    }
    void cores(model::Program& on) {
        must(pool.retire(1));
        on.late_core(0, {model::Arrival::refused, model::Arrival::refused, model::Arrival::normal});
        on.late_core(1, {model::Arrival::refused, model::Arrival::normal});
        on.core(1, [this] {
            submit(0);
            submitted[0].set(outside), submitted[1].set(outside + 1);
        });
        task[2].body = task[3].body = model::Callable([this] {
            arrived.set(outside);
            both.arrive();
        });
        on.core(outside, [this] {
            submitted[0].await();
            must(pool.admit(1));
            done.await();
            submit(2);
            while (pool.live_cores() == 0) submit_again();
            arrived.await();
            submit(3), submit(4), submit(5);  // core 0 waits in task 2: each is one more try
            await(6);
            end();
        });
        on.core(outside + 1, [this] {
            submitted[1].await();
            submit(1);
            done.set(outside);
        });
    }
};
MODEL_SCENARIO(elastic_admitted_beside_a_claim_elsewhere, AdmittedBesideAClaimElsewhere)
    .mode(model::Mode::pct)
    .executions(20000);

// Two pools share three cores: core 1 moves from the one to the other, where its task waits for a second one.
template <unsigned tasks>
struct TwoPools : Crew<3, tasks> {
    using Crew<3, tasks>::pool;
    using Crew<3, tasks>::task;
    static constexpr unsigned client = Crew<3, tasks>::outside;
    Workers<3> other;
    Meeting<2, 1> both;
    weft::Atomic<uint32_t> ended{0};
    Doing there[2];
    void workers(model::Program& on) {
        on.core_at_rest(0, [this] { this->work(); });
        on.late_core(1);
        on.core_at_rest(2, [this] { other.work(); });
        for (Doing& one : there) {
            one.body = model::Callable([this] {
                both.arrive();
                ended.fetch_add(1, weft::release);
                weft::Port::unpark(client);
            });
        }
    }
    // The client: each pool has retired those that work for the other one, and core 1 has something to do in its first.
    void divide() {
        must(pool.retire(2)), must(other.pool.retire(0)), must(other.pool.retire(1));
        this->pin(0, 1);
    }
    void submit_there(unsigned which) { there[which].prepare(), must(other.pool.submit(there[which])); }
    void end_there() {
        while (ended.load(weft::acquire) != 2) weft::Port::park();
        this->end(other.pool);
    }
    void finish() {
        Crew<3, tasks>::finish();
        model::check(there[0].as_promised() && there[1].as_promised(), "both run, with each other");
    }
};

// Result: Never (waits for ever). In its old pool core 1 has had to do with the other one before: not at all; a task of
// it has submitted the first task there; or has waited there, and worked for it meanwhile.
enum class Before { nothing, submits, waits };
template <Before before>
struct Moves : TwoPools<2> {
    // Not there, if the one core that is there may be in a task that waits already.
    Follows<client> left{before == Before::submits ? pool : other.pool};
    weft::Completion awaited{other.pool};
    void cores(model::Program& on) {
        workers(on);
        task[0].body = model::Callable([this] {
            if (before == Before::submits) submit_there(0);
            if (before == Before::waits) must(other.pool.submit(awaited)), must(awaited.wait());
        });
        on.core(client, [this] {
            divide();
            must(pool.retire(1, left.work));
            left.await();
            must(other.pool.admit(1));
            if (before != Before::submits) submit_there(0);
            submit_there(1);
            end_there();
            submit(1);
            await(2);
            end();
        });
    }
    void finish() {
        TwoPools::finish();
        left.finish();
    }
};
MODEL_SCENARIO(elastic_moves, Moves<Before::nothing>).preemptions(0).stale_reads(0);
MODEL_SCENARIO(elastic_moves_behind_a_submit, Moves<Before::submits>).preemptions(0).stale_reads(0);
MODEL_SCENARIO(elastic_moves_behind_a_wait, Moves<Before::waits>).preemptions(0).stale_reads(0);
MODEL_SCENARIO(elastic_moves_behind_a_wait_random, Moves<Before::waits>)
    .mode(model::Mode::random)
    .executions(30000);

// Result: Never (waits for ever). What follows on core 1's leaving is submitted to its next pool, and admits it there.
// A core of that pool had claimed core 1 before, for tasks that came from it. Core 1 must find itself to be off there,
// and not still claimed: else it takes away the mark that somebody is, and nobody tries it. (A generated program.)
struct AdmittedByWhatFollows : TwoPools<1> {
    struct Admits {
        AdmittedByWhatFollows* all;
        void operator()() const {
            must(all->other.pool.admit(1));
            all->admitted.store(1, weft::release);
            weft::Port::unpark(client);
        }
    };
    weft::Work<Admits> follower{other.pool, Admits{this}};
    weft::Atomic<uint32_t> admitted{0};
    Mark small[3];
    void cores(model::Program& on) {
        workers(on);
        task[0].body = model::Callable([this] {
            for (Mark& one : small) one.prepare(), must(other.pool.submit(one));
        });
        on.core(client, [this] {
            divide();
            await(1);
            must(pool.retire(1, follower));
            while (admitted.load(weft::acquire) == 0) weft::Port::park();
            submit_there(0), submit_there(1);
            end_there();
            end();
        });
    }
    void finish() {
        TwoPools::finish();
        for (Mark& one : small) model::check(one.as_promised(), "what was submitted runs");
    }
};
MODEL_SCENARIO(elastic_admitted_by_what_follows, AdmittedByWhatFollows)
    .mode(model::Mode::random)
    .executions(60000);

// Result: Wrong (a start that failed is not counted). Core 1 polls; it is claimed for a task, and admitted meanwhile,
// which makes it one that is off. Then another core claims it, too, and who claimed it first took that for its own.
struct AdmitsAGuestBesideAClaim : Crew<2, 1> {
    weft::Atomic<uint32_t> done{0};
    void cores(model::Program& on) {
        on.core(1, [this] {
            static_cast<void>(pool.poll(1));
            done.fetch_add(1, weft::release);
        });
        on.core(outside, [this] {
            must(pool.retire(1)), must(pool.admit(1));
            done.fetch_add(1, weft::release);
        });
        on.core(outside + 1, [this] {
            submit(0);
            while (done.load(weft::acquire) != 2) weft::Port::relax();
            end();
        });
    }
    void finish() {
        Crew::finish();
        model::check(pool.start_failures() == model::machine.failed_starts(), "each failure counts once");
    }
};
MODEL_SCENARIO(elastic_admits_a_guest_beside_a_claim, AdmitsAGuestBesideAClaim)
    .mode(model::Mode::pct)
    .executions(20000);

// Result: Wrong (run() answers ok before the pool has ended). Core 1 polled, is retired and admitted, and calls run()
// meanwhile. It leaves at once, and who admits it took that for the `leaving` that it had made itself.
struct AdmitsWhoRuns : Crew<2, 1> {
    weft::Atomic<uint32_t> asked{0};
    bool ended = false;
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.core_at_rest(1, [this] {
            must(pool.poll(1).status);
            while (asked.load(weft::acquire) == 0) weft::Port::park();
            const bool is_retired = pool.run() == Status::retired;
            model::check(is_retired || ended, "run ends by the shutdown");
        });
        on.core(outside, [this] {
            must(pool.retire(1));
            asked.store(1, weft::release);
            weft::Port::unpark(1);
            must(pool.admit(1));
            ended = true;
            pool.shutdown();
            must(pool.join());
        });
    }
};
MODEL_SCENARIO(elastic_admits_who_runs, AdmitsWhoRuns).mode(model::Mode::random).executions(20000);

// Result: Never (the task is left over). Core 1 polled, is retired, and two cores admit it. One of them has pinned a
// task to it when the other one makes it a core that is off.
struct TwoAdmit : Crew<2, 1> {
    weft::Atomic<uint32_t> admitted{0};
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.core_at_rest(1, [this] { must(pool.poll(1).status); });
        on.late_core(1);
        on.core(outside, [this] {
            must(pool.retire(1));
            admitted.store(1, weft::release);
            must(pool.admit(1));
            admitted.fetch_add(1, weft::release);
        });
        on.core(outside + 1, [this] {
            while (admitted.load(weft::acquire) == 0) weft::Port::relax();
            must(pool.admit(1));
            pin(0, 1);
            while (admitted.load(weft::acquire) != 2 || ran.load(weft::acquire) != 1) weft::Port::relax();
            end();
        });
    }
};
MODEL_SCENARIO(elastic_two_admit, TwoAdmit).mode(model::Mode::random).executions(20000);

// Another pool has retired core 1, and refuses what is pinned to it there.
template <unsigned tasks>
struct RefusesPins : Crew<2, tasks> {
    weft::Pool<2, 2> other;
    Doing refused;
    void pin() {
        refused.prepare();
        const Status status = other.submit_on(1, refused);
        model::check(status == Status::core_unavailable, weft::describe(status));
        refused.given = false;
    }
    // Core `outside`.
    void begin() {
        must(other.retire(1));
        this->task[0].prepare();
        must(this->pool.submit_on(1, this->task[0]));
    }
    void end_both() { this->end(other), this->end(); }
    void finish() {
        Crew<2, tasks>::finish();
        model::check(refused.as_promised(), "what was refused does not run");
    }
};

// Result: Never (the task is left over). A task on core 1 pins one to its own core in another pool, which has retired
// that core; or it polls there, and another core pins to it behind that. They are told so.
template <bool guest>
struct PinsToTheRetired : RefusesPins<1> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        task[0].body = model::Callable([this] {
            if (guest) {
                must(other.poll(1).status);
            } else {
                pin();
            }
        });
        on.core(outside, [this] {
            begin();
            await(1);
            if (guest) pin();
            end_both();
        });
    }
};
MODEL_SCENARIO(elastic_pin_to_itself_in_another_pool, PinsToTheRetired<false>).preemptions(1).stale_reads(0);
MODEL_SCENARIO(elastic_pin_to_a_guest_in_another_pool, PinsToTheRetired<true>).preemptions(1).stale_reads(0);

// Result: Never (the task is left over). As above; but a core of the other pool has claimed this one meanwhile, for a
// task that any core may run, and is about to see that it is retired.
struct PinsToItselfBesideAClaim : RefusesPins<3> {
    void submit_to_other(unsigned which) {
        task[which].prepare();
        must(other.submit(task[which]));
    }
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(other.run()); });
        on.late_core(1);
        task[0].body = model::Callable([this] { pin(); });
        task[1].body = model::Callable([this] { submit_to_other(2); });
        on.core(outside, [this] {
            begin();
            submit_to_other(1);
            await(3);
            end_both();
        });
    }
};
MODEL_SCENARIO(elastic_pin_to_itself_beside_a_claim, PinsToItselfBesideAClaim).preemptions(1).stale_reads(0);

// Result: Never (goes on for ever). A core is retired that has tasks in its ring, and in its overflow; or there alone.
// The other one's ring never runs dry.
template <bool in_a_batch>
struct LeavesItsRing : Crew<2, 4, 2> {
    Chain chain{pool};
    weft::Atomic<uint32_t> left{3};
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.core_at_rest(1, [this] { static_cast<void>(pool.run()); });  // the pool may end before it leaves
        task[0].body = model::Callable([this] {
            must(pool.submit_on(0, chain));
            if (in_a_batch) {
                weft::Batch batch;
                for (const unsigned which : {1, 2, 3}) task[which].prepare(), must(batch.push(task[which]));
                must(pool.submit(batch));
            } else {
                submit(1), submit(2), submit(3);
            }
            must(pool.retire(1));
        });
        task[1].body = task[2].body = task[3].body = model::Callable([this] {
            if (left.fetch_sub(1, weft::relaxed) == 1) chain.stop();  // relaxed: it tells of nothing else
        });
        on.core(outside, [this] {
            pin(0, 1);
            await(4);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_leaves_its_ring, LeavesItsRing<false>).preemptions(1).stale_reads(0);
MODEL_SCENARIO(elastic_leaves_its_overflow, LeavesItsRing<true>).mode(model::Mode::pct).executions(20000);

// Result: Never (lost to a drain). The same beside the shutdown, and nobody joins.
struct LeavesItsRingAtTheEnd : Crew<2, 3, 4> {
    weft::Atomic<uint32_t> begun{0};
    void cores(model::Program& on) {
        for (unsigned core : {0, 1}) on.core_at_rest(core, [this] { static_cast<void>(pool.run()); });
        task[0].body = model::Callable([this] {
            submit(1), submit(2);
            must(pool.retire(0));
            begun.store(1, weft::release);
            weft::Port::unpark(outside);
        });
        on.core(outside, [this] {
            pin(0, 0);
            while (begun.load(weft::acquire) == 0) weft::Port::park();
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(elastic_leaves_its_ring_at_the_end, LeavesItsRingAtTheEnd).preemptions(1).stale_reads(0);

// Result: Never (waits for the others). Urgent tasks never end on core 0, nor what is pinned to it. Core 1 is in a task
// that does not end, and always has some in its ring. After a row of urgent tasks the shared queues have the first turn
// and core 0's own ring the second one (URGENCY 1.2), whatever another core has left.
template <bool some_left, bool is_urgent = true>
struct UrgentRow : Workers<2, 4> {
    using Workers<2, 4>::pool;
    static constexpr uint32_t most = 40;
    weft::Atomic<uint32_t> begun{0}, over{0};
    struct Linked : weft::Task {
        explicit Linked(Run function) : Task(function) {}
        UrgentRow* all = nullptr;
        uint32_t links = 0;
        weft::Atomic<uint32_t> gone{0};
    };
    static void goes_on(Status status) {
        if (status != Status::closed) must(status);
    }
    void ends() {
        over.store(1, weft::release);
        weft::Port::unpark(2);
    }
    static UrgentRow& all(weft::Task& self) { return *static_cast<Linked&>(self).all; }
    Linked rush{[](weft::Task& self) {
        UrgentRow& row = all(self);
        weft::Port::relax();
        if (++row.rush.links >= most) row.ends();
        if (row.over.load(weft::relaxed) != 0) return;
        if (!is_urgent && row.rush.links == 14) {
            row.since = row.rush.links;
            goes_on(row.pool.submit_on(0, row.own));
        }
        goes_on(is_urgent ? row.pool.submit(self, weft::Urgency::urgent) : row.pool.submit(self));
    }};
    Linked pinned{[](weft::Task& self) {
        UrgentRow& row = all(self);
        if (++row.pinned.links == 1) {
            row.begun.store(2, weft::release);
            weft::Port::unpark(1);
        }
        if (!is_urgent) return;
        if (row.pinned.links == 3) {
            row.since = row.rush.links;
            goes_on(row.pool.submit(row.own));
        }
        if (row.over.load(weft::relaxed) == 0) goes_on(row.pool.submit_on(0, self));
    }};
    Linked own{[](weft::Task& self) {
        UrgentRow& row = all(self);
        const bool in_time = row.rush.links - row.since <= 2 * WEFT_FAIR_INTERVAL + 2;
        model::check(row.rush.links < most && in_time, "the own ring has its turn");
        row.ends();
    }};
    Linked left[3] = {Linked(&leaves), Linked(&leaves), Linked(&leaves)};
    static void leaves(weft::Task& self) { static_cast<Linked&>(self).gone.store(1, weft::release); }
    Linked endless{[](weft::Task& self) {
        UrgentRow& row = all(self);
        row.begun.store(1, weft::release);
        weft::Port::unpark(2);
        while (row.begun.load(weft::acquire) != 2) weft::Port::park();
        if (some_left) {
            for (Linked& one : row.left) goes_on(row.pool.submit(one));
        }
        while (row.over.load(weft::relaxed) == 0) {
            for (Linked& one : row.left) {
                if (one.gone.load(weft::acquire) == 0) continue;
                one.gone.store(0, weft::relaxed);
                goes_on(row.pool.submit(one));
            }
            weft::Port::relax();
        }
    }};
    uint32_t since = 0;
    UrgentRow() {
        for (Linked* one : {&rush, &pinned, &own, &left[0], &left[1], &left[2], &endless}) one->all = this;
    }
    void cores(model::Program& on) {
        for (unsigned core : {0, 1}) on.core_at_rest(core, [this] { must(pool.run()); });
        on.core(2, [this] {
            must(pool.submit_on(1, endless));
            while (begun.load(weft::acquire) == 0) weft::Port::park();
            must(pool.submit(rush, weft::Urgency::urgent));
            must(pool.submit_on(0, pinned));
            while (over.load(weft::acquire) == 0) weft::Port::park();
            pool.shutdown();
            must(pool.join());
        });
    }
};
MODEL_SCENARIO(elastic_urgent_row_beside_none_left, UrgentRow<false>).preemptions(0).stale_reads(0);
MODEL_SCENARIO(elastic_urgent_row_beside_what_is_left, UrgentRow<true>).preemptions(0).stale_reads(0);
// Result: Never. Nothing is urgent; the shared queues have their turns beside what is left.
MODEL_SCENARIO(elastic_shared_beside_what_is_left, UrgentRow<true, false>).preemptions(0).stale_reads(0);

// Result: Never (waits for ever). Two tasks that wait for each other lie in the overflow of a core in a long task. Core
// 0 takes both in its turn, just when its own ring is empty; the third core comes for the second one, also if its last
// look was while core 0 held them.
struct TakesTwoInTurn : Workers<3, 4> {
    using Workers<3, 4>::pool;
    weft::Atomic<uint32_t> over{0};
    Meeting<2, 0, 3> both;
    struct Linked : weft::Task {
        explicit Linked(Run function) : Task(function) {}
        TakesTwoInTurn* all = nullptr;
        uint32_t links = 0;
    };
    static TakesTwoInTurn& all(weft::Task& self) { return *static_cast<Linked&>(self).all; }
    static void meets(weft::Task& self) {
        all(self).both.arrive();
        all(self).over.store(1, weft::release);
        weft::Port::unpark(1);
        weft::Port::unpark(3);
    }
    Linked pair[2] = {Linked(&meets), Linked(&meets)};
    Linked chain{[](weft::Task& self) {
        if (++all(self).chain.links != 9) static_cast<void>(all(self).pool.submit(self));
    }};
    Linked endless{[](weft::Task& self) {
        weft::Batch batch;
        for (Linked& one : all(self).pair) must(batch.push(one));
        must(all(self).pool.submit(batch));
        while (all(self).over.load(weft::acquire) == 0) weft::Port::park();
    }};
    TakesTwoInTurn() { chain.all = pair[0].all = pair[1].all = endless.all = this; }
    void cores(model::Program& on) {
        worker<true>(on, 0);
        worker<true>(on, 1);
        worker<false>(on, 2);
        on.core(3, [this] {
            must(pool.submit_on(0, chain));
            must(pool.submit_on(1, endless));
            while (over.load(weft::acquire) == 0) weft::Port::park();
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(elastic_takes_two_in_turn, TakesTwoInTurn).mode(model::Mode::random).executions(20000);

// Result: Never (told too early). A core has left, and is started again for a pinned task before it has looked for what
// follows on that leaving. Then it is retired: what follows comes when it has run that task, and left again.
struct FollowsOnTheNextLeaving : Crew<2, 2> {
    weft::Completion left{pool};
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            pin(0, 1), pin(1, 1);
            must(pool.retire(1, left));
            must(left.wait());
            model::check(task[1].seen_runs() == 1, "it has run what was pinned to it before it left");
            end();
        });
    }
};
MODEL_SCENARIO(elastic_follows_on_the_next_leaving, FollowsOnTheNextLeaving)
    .mode(model::Mode::pct)
    .executions(30000);

// Result: Never (closed, and it runs). Core 2 never comes, and is to be followed by what core 0 waits for. Core 1
// waits, too, and withdraws that start at the pool's end.
struct FollowerBesideAWait {
    weft::Pool<3, 2> pool;
    int ran_on = -1;
    weft::Work<NotesCore> follower{pool, NotesCore{ran_on}};
    weft::Completion part{pool};
    weft::Atomic<uint32_t> ready{0};
    weft::Status waited = weft::Status::ok;

    void cores(model::Program& on) {
        on.late_core(2, {model::Arrival::never});
        on.core(0, [this] {
            while (ready.load(weft::acquire) == 0) weft::Port::park();
            waited = follower.wait();
        });
        on.core(1, [this] {
            must(pool.submit_on(2, part));
            must(pool.retire(2, follower));
            pool.shutdown();
            ready.store(1, weft::release);
            weft::Port::unpark(0);
            const weft::Status status = part.wait();
            model::check(status == weft::Status::closed, weft::describe(status));
        });
    }
    void finish() {
        model::check(waited == weft::Status::ok || ran_on < 0, "the wait goes on until it has run");
    }
};
MODEL_SCENARIO(elastic_follower_beside_a_wait, FollowerBesideAWait)
    .ticks_per_call(1000)
    .preemptions(2)
    .stale_reads(0);

// Result: Never. A core that polls, and is retired: nobody can pin a task to it any more.
struct RetiredAfterPoll : Crew<2, 1> {
    void cores(model::Program& on) {
        on.core(1, [this] {
            must(pool.poll(1).status);
            must(pool.retire(1));
            Doing pinned;
            pinned.prepare();
            model::check(pool.submit_on(1, pinned) == Status::core_unavailable,
                         "what is retired takes no pin");
        });
    }
    void finish() {}
};
MODEL_SCENARIO(elastic_retired_after_poll, RetiredAfterPoll);

// Result: Never (waits for ever). Core 0 is in a task that waits for what a timer submits, and core 1 may not come: it
// is retired, or one core is the limit. Then it may, and watches for the timer. (A review.)
template <bool by_limit>
struct AllowedToWatch : Crew<2, 2> {
    Flag runs, goes_on;
    weft::Timer timer{pool, task[1]};
    void cores(model::Program& on) {
        must(by_limit ? pool.limit_cores(1) : pool.retire(1));
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        task[0].body = model::Callable([this] {
            runs.set(outside);
            goes_on.await();
        });
        task[1].body = model::Callable([this] { goes_on.set(0); });
        on.core(outside, [this] {
            submit(0);
            runs.await();
            task[1].prepare();
            must(timer.start_after(100));
            must(by_limit ? pool.limit_cores(2) : pool.admit(1));
            await(2);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_watch_admitted, AllowedToWatch<false>).alarms().preemptions(1).stale_reads(0);
MODEL_SCENARIO(elastic_watch_limit_raised, AllowedToWatch<true>).alarms().preemptions(1).stale_reads(0);

// Result: Never (waits for ever). Two cores are the limit, so core 2 was refused for a timer that nobody watches. Core
// 1 is retired and leaves, and core 2 comes in its place.
struct WatchesInPlace : Crew<3, 3> {
    Flag runs, leaves, goes_on;
    weft::Timer timer{pool, task[2]};
    void cores(model::Program& on) {
        must(pool.limit_cores(2));
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.late_core(2);
        task[0].body = model::Callable([this] {
            runs.set(outside);
            goes_on.await();
        });
        task[1].body = model::Callable([this] {
            must(pool.retire(1));
            runs.set(outside);
            leaves.await();
        });
        task[2].body = model::Callable([this] { goes_on.set(0); });
        on.core(outside, [this] {
            for (unsigned which : {0, 1}) {
                pin(which, which);
            }
            runs.await(2);
            task[2].prepare();
            must(timer.start_after(100));
            leaves.set(1);
            await(3);
        });
    }
};
MODEL_SCENARIO(elastic_watch_in_place, WatchesInPlace).alarms().parked_at_end().preemptions(1).stale_reads(0);

// Result: Never (waits for ever). Core 1 is started to watch, and that start is taken back: another core comes.
struct WatcherTakenBack : Crew<3, 1> {
    weft::Pool<4, 2> other;
    weft::Completion left{other};
    weft::Timer timer{pool, task[0]};
    void cores(model::Program& on) {
        for (unsigned core : {0, 1, 2}) must(other.retire(core));
        on.late_core(0);
        on.late_core(1, {model::Arrival::never});
        on.late_core(2);
        on.core(outside, [this] {
            task[0].prepare();
            must(timer.start_after(100));
            must(pool.retire(1, left));
            must(left.wait());
            await(1);
        });
    }
};
MODEL_SCENARIO(elastic_watch_taken_back, WatcherTakenBack)
    .alarms()
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);

// Result: Never (waits for ever). Core 1 leaves, as it has slept for long enough. A timer is started between its last
// look and its leaving. Core 0 is in a task that waits for it.
struct TimerBesideALeaving : Crew<2, 3> {
    Flag runs, goes_on;
    weft::Timer timer{pool, task[2]};
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        task[0].body = model::Callable([this] {
            runs.set(outside);
            goes_on.await();
        });
        task[2].body = model::Callable([this] { goes_on.set(0); });
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            for (unsigned which : {0, 1}) {
                pin(which, which);
            }
            runs.await();
            await(1);
            task[2].prepare();
            must(timer.start_after(100));
            await(3);
        });
    }
};
MODEL_SCENARIO(elastic_watch_beside_a_leaving, TimerBesideALeaving)
    .alarms()
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);

// Result: Never (waits for ever). The pool of what follows has nobody. Its one core that is not retired was refused
// once: what follows is a submit as others, and the core is tried again. (A review.)
struct FollowerTriesAgain : Crew<3, 1> {
    weft::Pool<3, 2> other;
    Follows<outside> left{other};
    Flag runs, leaves;
    Mark there;
    void cores(model::Program& on) {
        must(pool.retire(2));
        for (unsigned core : {0, 1}) must(other.retire(core));
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.late_core(2, {model::Arrival::refused, model::Arrival::normal});
        task[0].body = model::Callable([this] {
            runs.set(outside);
            leaves.await();
        });
        on.core(outside, [this] {
            pin(0, 1);
            runs.await();
            there.prepare();
            must(other.submit(there));
            must(pool.retire(1, left.work));
            leaves.set(1);
            left.await();
        });
    }
    void finish() { left.finish(); }
};
MODEL_SCENARIO(elastic_follower_tries_again, FollowerTriesAgain)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);

// Result: Never (waits for ever). The pool of what follows has nobody, and can start nobody but the core that leaves.
// So that one comes. (An attack from outside.)
struct FollowerBringsItsCore : Crew<2, 1> {
    weft::Pool<2, 2> other;
    Follows<outside> left{other};
    void cores(model::Program& on) {
        must(other.retire(0));
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.core(outside, [this] {
            pin(0, 1);
            await(1);
            must(pool.retire(1, left.work));
            left.await();
        });
    }
    void finish() { Crew::finish(), left.finish(); }
};
MODEL_SCENARIO(elastic_follower_brings_its_core, FollowerBringsItsCore)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(1);

// Result: Never (waits for ever). A task is pinned to core 1 while that polls, and it polls no more. When it is
// admitted it is started for that task.
struct AdmittedForAPin : Crew<2, 1> {
    Flag polled, pinned;
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.core(1, [this] {
            must(pool.poll(1).status);
            polled.set(outside);
            pinned.await();
        });
        on.core(outside, [this] {
            polled.await();
            pin(0, 1);
            pinned.set(1);
            must(pool.retire(1));
            must(pool.admit(1));
            await(1);
        });
    }
};
MODEL_SCENARIO(elastic_admitted_for_a_pin, AdmittedForAPin).parked_at_end().preemptions(1).stale_reads(0);

// Result: Never (touches memory that is free). Whoever has seen what follows run ends its pool. The core that leaves
// may just be telling that pool of it.
struct FollowerBeforeItsPoolEnds : Crew<3, 1> {
    weft::Pool<3, 2> other;
    Follows<outside> left{other};
    void cores(model::Program& on) {
        must(pool.retire(2));
        for (unsigned core : {0, 1}) must(other.retire(core));
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.core_at_rest(2, [this] { must(other.run()); });
        on.core(outside, [this] {
            pin(0, 1);
            await(1);
            must(pool.retire(1, left.work));
            left.await();
            end(other);
        });
    }
    void finish() { Crew::finish(), left.finish(); }
};
MODEL_SCENARIO(elastic_follower_before_its_pool_ends, FollowerBeforeItsPoolEnds)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);

// Result: Never (waits for ever). As before, and another core starts the one that leaves at just that time: it has
// claimed that core before it vacates, is refused, and has taken away the mark that somebody is off. `leaves_later`:
// core 1 submits what follows; else core `outside` may, if core 1 has gone before there was a follower.
template <bool leaves_later>
struct FollowerBesideAStart : Crew<2, 1> {
    weft::Pool<2, 2> other;
    Follows<outside> left{other};
    Mark there;
    Flag runs, leaves, goes;
    void cores(model::Program& on) {
        must(other.retire(0));
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        if (leaves_later) {
            task[0].body = model::Callable([this] {
                runs.set(outside);
                leaves.await();
            });
        }
        on.core(outside, [this] {
            pin(0, 1);
            if (leaves_later) {
                runs.await();
            } else {
                await(1);
                goes.set(outside + 1);
            }
            must(pool.retire(1, left.work));
            if (leaves_later) leaves.set(1), goes.set(outside + 1);
            left.await();
        });
        on.core(outside + 1, [this] {
            goes.await();
            there.prepare();
            must(other.submit(there));
        });
    }
    void finish() {
        Crew::finish(), left.finish();
        model::check(there.as_promised(), "what was submitted meanwhile runs");
    }
};
// By samples: with 2/0, which finds it, they are ten million executions.
MODEL_SCENARIO(elastic_follower_beside_a_start, FollowerBesideAStart<true>)
    .parked_at_end()
    .mode(model::Mode::pct)
    .executions(20000);
MODEL_SCENARIO(elastic_follower_of_who_is_off_beside_a_start, FollowerBesideAStart<false>)
    .parked_at_end()
    .mode(model::Mode::pct)
    .executions(20000);

// Result: Never (waits for ever). A task of the core that leaves has submitted to the pool of what follows: it is
// `elsewhere` there, and not retired.
struct FollowerOfWhoWasElsewhere : Crew<2, 1> {
    weft::Pool<2, 2> other;
    Follows<outside> left{other};
    Mark there;
    void cores(model::Program& on) {
        must(other.retire(0));
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        task[0].body = model::Callable([this] {
            there.prepare();
            must(other.submit(there));
        });
        on.core(outside, [this] {
            pin(0, 1);
            await(1);
            must(pool.retire(1, left.work));
            left.await();
        });
    }
    void finish() {
        Crew::finish(), left.finish();
        model::check(there.as_promised(), "what was submitted before runs");
    }
};
MODEL_SCENARIO(elastic_follower_of_who_was_elsewhere, FollowerOfWhoWasElsewhere)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);

// Result: Never (waits for ever). As elastic_admitted_for_a_pin, at the limit, which is raised after that.
struct AllowedForAPin : Crew<2, 1> {
    Flag polled, pinned;
    void cores(model::Program& on) {
        must(pool.limit_cores(1));
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.core(1, [this] {
            must(pool.poll(1).status);
            polled.set(outside);
            pinned.await();
        });
        on.core(outside, [this] {
            polled.await();
            pin(0, 1);
            pinned.set(1);
            must(pool.retire(1));
            must(pool.admit(1));
            must(pool.limit_cores(2));
            await(1);
        });
    }
};
MODEL_SCENARIO(elastic_limit_raised_for_a_pin, AllowedForAPin).parked_at_end().preemptions(1).stale_reads(0);

// Result: Never (waits for ever). The same at a limit that another core's leaving makes room below: `naps`, when it has
// slept for long enough; else it is retired.
template <bool naps>
struct RoomForAPin : Crew<3, 2> {
    Flag polled, pinned, runs, ends;
    void cores(model::Program& on) {
        must(pool.limit_cores(2));
        if (naps) must(pool.keep_alive(0));
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.late_core(2);
        on.core(2, [this] {
            must(pool.poll(1).status);
            polled.set(outside);
            pinned.await();
        });
        task[1].body = model::Callable([this] {
            runs.set(outside);
            ends.await();
        });
        on.core(outside, [this] {
            polled.await();
            pin(0, 2);
            pin(1, 1);
            runs.await();
            pinned.set(2);
            must(pool.retire(2));
            must(pool.admit(2));
            ends.set(1);
            if (!naps) must(pool.retire(1));
            await(2);
        });
    }
};
MODEL_SCENARIO(elastic_room_for_a_pin, RoomForAPin<false>).parked_at_end().preemptions(0).stale_reads(0);
MODEL_SCENARIO(elastic_room_for_a_pin_by_a_nap, RoomForAPin<true>)
    .parked_at_end()
    .preemptions(0)
    .stale_reads(0);

// Result: Never (waits for ever). The core that leaves looks whether anybody comes to what follows, and withdraws a
// start that is overdue since then. It cannot come itself: another one does, the same one if it is the only one.
struct FollowerBesideAnOverdueStart : Crew<3, 1> {
    weft::Pool<3, 2> other;
    Follows<outside> left{other};
    Flag runs, leaves;
    Mark there;
    void cores(model::Program& on) {
        must(pool.retire(2));
        for (unsigned core : {0, 1}) must(other.retire(core));
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.late_core(2);
        task[0].body = model::Callable([this] {
            runs.set(outside);
            leaves.await();
        });
        on.core(outside, [this] {
            pin(0, 1);
            runs.await();
            must(pool.retire(1, left.work));
            there.prepare();
            must(other.submit(there));
            leaves.set(1);
            model::advance_clock(1000000);
            left.await();
        });
    }
    void finish() {
        Crew::finish(), left.finish();
        model::check(there.as_promised(), "what was submitted before runs");
    }
};
MODEL_SCENARIO(elastic_follower_beside_an_overdue_start, FollowerBesideAnOverdueStart)
    .parked_at_end()
    .preemptions(2)
    .stale_reads(0);

// Result: Never (waits for ever). As elastic_follower_beside_a_start, with a core that sleeps in that pool: it takes a
// task that does not end, as the waking one perhaps, and core 1 comes beside it.
struct FollowerBesideALongTask : Crew<3, 1> {
    weft::Pool<3, 2> other;
    Follows<outside> left{other};
    Doing there[2];
    Flag runs, leaves, goes;
    void cores(model::Program& on) {
        must(pool.retire(2)), must(other.retire(0));
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.core_at_rest(2, [this] { must(other.run()); });
        there[0].body = model::Callable([] { goes_on(); });
        task[0].body = model::Callable([this] {
            runs.set(outside);
            leaves.await();
        });
        on.core(outside, [this] {
            pin(0, 1);
            runs.await();
            must(pool.retire(1, left.work));
            leaves.set(1), goes.set(outside + 1);
            left.await();
        });
        on.core(outside + 1, [this] {
            goes.await();
            for (Doing& one : there) one.prepare(), must(other.submit(one));
        });
    }
    void finish() {
        Crew::finish(), left.finish();
        model::check(there[1].as_promised(), "what was submitted behind the long one runs");
    }
};
MODEL_SCENARIO(elastic_follower_beside_a_long_task, FollowerBesideALongTask)
    .parked_at_end()
    .mode(model::Mode::pct)
    .executions(40000);
MODEL_SCENARIO(elastic_follower_beside_a_long_task_targeted, FollowerBesideALongTask)
    .parked_at_end()
    .wake(model::Wake::targeted)
    .mode(model::Mode::pct)
    .executions(40000);
MODEL_SCENARIO(elastic_follower_beside_a_start_targeted, FollowerBesideAStart<true>)
    .parked_at_end()
    .wake(model::Wake::targeted)
    .mode(model::Mode::pct)
    .executions(40000);
MODEL_SCENARIO(elastic_follower_of_who_was_elsewhere_targeted, FollowerOfWhoWasElsewhere)
    .parked_at_end()
    .wake(model::Wake::targeted)
    .mode(model::Mode::pct)
    .executions(20000);

// Result: Never (is still here). The last one here is retired. The other core is in its pen, and has submitted to this
// pool, or called here, in a task of another one.
template <bool calls>
struct SuccessorWasElsewhere {
    weft::Pool<2, 2> first, second;
    Leaver leaver;
    Doing visit;
    Mark mark;
    Flag done;
    void cores(model::Program& on) {
        leaver.sleeps(on, 0, second);
        on.late_core(1);
        mark.prepare();
        visit.body = model::Callable([this] {
            if (calls) {
                second.call([this] { Mark::run(mark); });
            } else {
                must(second.submit(mark));
            }
            done.set(2);
        });
        on.core(2, [this] {
            visit.prepare();
            must(first.submit_on(1, visit));
            done.await();
            first.shutdown();
            must(first.join());
            must(second.retire(0));
        });
    }
    void finish() {
        model::check(visit.as_promised() && mark.as_promised(), "all run");
        leaver.must_have_left();
    }
};
MODEL_SCENARIO(elastic_successor_was_elsewhere, SuccessorWasElsewhere<false>)
    .parked_at_end()
    .preemptions(0)
    .stale_reads(0);
MODEL_SCENARIO(elastic_successor_was_a_guest, SuccessorWasElsewhere<true>)
    .parked_at_end()
    .preemptions(0)
    .stale_reads(0);

// Result: Never (waits for ever). Core 1 is retired, and visits, in a task of another pool; the visit ends while the
// core is admitted. Then it is in its pen, and two tasks need both cores.
struct AdmittedAsAVisitEnds : NeedsBoth<> {
    Flag inside;
    void cores(model::Program& on) {
        must(second.retire(1));
        begins(on);
        visit.body = model::Callable([this] {
            second.call([this] {
                inside.set(2);
                weft::Port::relax();
            });
        });
        on.core(2, [this] {
            visits();
            inside.await();
            must(second.admit(1));
            ends_first();
            submit_both();
        });
    }
};
MODEL_SCENARIO(elastic_admitted_as_a_visit_ends, AdmittedAsAVisitEnds)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);

// Result: Never (waits for ever). A task of another pool calls run() here, and is told to go while it is admitted. When
// its own pool has ended, its core can be started.
struct RunsInATask : NeedsBoth<> {
    Flag inside;
    weft::Atomic<uint32_t> over{0};
    void cores(model::Program& on) {
        must(second.retire(1));
        begins(on);
        visit.body = model::Callable([this] {
            inside.set(2);
            model::check(second.run() == Status::retired, "leaves");
            over.store(1, weft::release);
        });
        on.core(2, [this] {
            visits();
            inside.await();
            must(second.admit(1));
            for (int i = 0; i != 4; ++i) weft::Port::relax();
            if (over.load(weft::acquire) == 0) return;
            ends_first();
            submit_both();
        });
    }
};
MODEL_SCENARIO(elastic_runs_in_a_task_of_another_pool, RunsInATask)
    .parked_at_end()
    .preemptions(2)
    .stale_reads(0);

// Result: Never (waits for ever). A timer is started from outside behind a handler's start, which is yet to tell. The
// limit allows no further core, and is raised then.
struct TimerBelowALimit {
    weft::Pool<2, 2> pool;
    Doing first, waiting, brought, early;
    weft::Timer timer{pool, brought}, other{pool, early};
    Flag goes_on, has_run;
    void cores(model::Program& on) {
        must(pool.limit_cores(1));
        first.body = model::Callable([this] { goes_on.await(); });
        waiting.body = model::Callable([this] { has_run.await(); });
        brought.body = model::Callable([this] { has_run.set(0); });
        on.core_at_rest(0, [this] {
            first.prepare();
            must(pool.submit_on(0, first));
            must(pool.run());
        });
        on.late_core(1);
        on.core(2, [this] {
            waiting.prepare(), brought.prepare();
            must(pool.submit(waiting));
            goes_on.set(0);
            must(timer.start_after(60));
            must(pool.limit_cores(2));
        });
        on.core(3, [this] {
            early.prepare();
            must(other.start_after_from_isr(50));
        });
    }
    void finish() {
        for (Doing* one : {&first, &waiting, &brought, &early}) model::check(one->as_promised(), "all run");
    }
};
MODEL_SCENARIO(timer_below_a_limit, TimerBelowALimit)
    .parked_at_end()
    .stale_reads(0)
    .alarms()
    .clock_start(1000)
    .mode(model::Mode::pct)
    .executions(20000);

}  // namespace
