// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: a pool whose cores stand still while one of them writes what all tasks read. Edges U1 to U3.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// The other scenarios have these, too, of another library: of WEFT_QUIESCE=0 (Makefile).
namespace quiesce {
#include "forks.hpp"
#include "sleepers.hpp"
}  // namespace quiesce
using namespace quiesce;

namespace {

using weft::Status;

constexpr uint32_t long_time = 1u << 30;

// What is written while the others stand: who reads it at that time has a race, which the engine reports.
template <unsigned cores, unsigned tasks>
struct Flash : Workers<cores> {
    using Workers<cores>::pool;
    weft::Plain<uint32_t> flash{};
    unsigned written = 0;
    unsigned refused = 0;
    struct Reader : Doing {
        Reader() : Doing(&Reader::run) {}
        static void run(weft::Task& self) {
            static_cast<void>(static_cast<Reader&>(self).all->flash.get());
            Doing::run(self);
        }
        Flash* all = nullptr;
    } task[tasks];

    Flash() {
        for (Reader& one : task) one.all = this;
    }
    void submit(unsigned which) {
        task[which].prepare();
        must(pool.submit(task[which]));
    }
    void submit_on(unsigned core, unsigned which) {
        task[which].prepare();
        must(pool.submit_on(core, task[which]));
    }
    template <class Meanwhile>
    void write(uint32_t ticks, Meanwhile meanwhile) {
        const Status status = pool.quiesce(ticks);
        if (status != Status::ok) {
            model::check(status == Status::timed_out || status == Status::busy, weft::describe(status));
            ++refused;
            return;
        }
        flash.set(flash.get() + 1);
        meanwhile();
        flash.set(flash.get() + 1);
        ++written;
        must(pool.resume());
    }
    void write(uint32_t ticks = long_time) {
        write(ticks, [] {});
    }
    void finish() {
        for (Reader& one : task) model::check(one.as_promised(), "every task runs exactly once");
    }
};

// Result: Never (a task reads while it is written). The worker is busy, or about to sleep; a foreign core writes.
struct Busy : Flash<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] { work(); });
        on.core(1, [this] {
            submit(0);
            write();
            pool.shutdown();
        });
    }
    void finish() {
        Flash::finish();
        model::check(written == 1, "there is time enough");
    }
};
MODEL_SCENARIO(quiesce_busy, Busy).preemptions(1).stale_reads(1);

// Result: Never (sleeps for ever). The worker sleeps: it is woken, stands, and sleeps on.
struct Asleep : Busy {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.core(1, [this] {
            write();
            submit(0);
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(quiesce_asleep, Asleep).stale_reads(1).each_wake();

// Result: Never (the task waits for ever, or runs too early). A submit while the worker stands.
struct Submits : Busy {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        task[0].body = model::Callable([this] { pool.shutdown(); });
        on.core(1, [this] { write(long_time, [this] { submit(0); }); });
    }
};
MODEL_SCENARIO(quiesce_submits, Submits).stale_reads(1);

// Result: Never. In a task: the other core is busy, or searches.
struct InATask : Flash<2, 2> {
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] {
            write();
            pool.shutdown();
        });
        for (unsigned core = 0; core != 2; ++core) {
            on.core(core, [this, core] {
                task[core].prepare();
                const Status status = pool.submit_on(core, task[core]);
                model::check(status == Status::ok || (core == 1 && status == Status::closed), "it is taken");
                static_cast<void>(pool.run());
            });
        }
    }
    void finish() { model::check(task[0].as_promised() && written == 1, "it is written"); }
};
MODEL_SCENARIO(quiesce_in_a_task, InATask).preemptions(1).stale_reads(1);

// Result: Never. A core comes by itself, and goes, while it is written.
struct Comes : Flash<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            submit_on(0, 0);
            must(pool.poll(1).status);
        });
        on.core(1, [this] { write(); });
    }
};
MODEL_SCENARIO(quiesce_comes, Comes).stale_reads(2);

// Result: Never (the task waits for ever, or runs too early). A core is off: a submit by another one starts it now, or
// when it may.
struct Starts : Flash<1, 1> {
    void cores(model::Program& on) {
        on.late_core(0);
        task[0].body = model::Callable([this] { pool.shutdown(); });
        on.core(1, [this] { submit(0); });
        on.core(2, [this] { write(); });
    }
};
MODEL_SCENARIO(quiesce_starts, Starts).stale_reads(0);

// Result: Never. The owner submits: the core that is off is started behind the end.
struct StartsNobody : Flash<1, 1> {
    void cores(model::Program& on) {
        on.late_core(0);
        task[0].body = model::Callable([this] { pool.shutdown(); });
        on.core(1, [this] {
            write(long_time, [this] {
                submit(0);
                model::check(pool.live_cores() == 0, "no core is started");
            });
        });
    }
};
MODEL_SCENARIO(quiesce_starts_nobody, StartsNobody).preemptions(1).stale_reads(1);

// Result: Never (waits for ever). The core that was started never comes: it is given up at its deadline.
struct NeverComes : Flash<1, 1> {
    void cores(model::Program& on) {
        on.late_core(0, {model::Arrival::never});
        on.core(1, [this] {
            submit(0);
            write();
        });
    }
    void finish() { model::check(written == 1, "it is written"); }
};
MODEL_SCENARIO(quiesce_never_comes, NeverComes).time_jumps(1, 1000);

// Result: Never. Two at once: one of them may be told that the other was faster, and has stood by then.
struct Two : Flash<1, 1> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.core(1, [this] { write(); });
        on.core(2, [this] { write(); });
    }
    void finish() { model::check(written != 0 && written + refused == 2, "each has written, or was told"); }
};
MODEL_SCENARIO(quiesce_two, Two).preemptions(0).stale_reads(0).parked_at_end();

// Result: Never (both wait for each other). The same in tasks of the pool.
struct TwoTasks : Flash<2, 2> {
    void cores(model::Program& on) {
        for (Reader& one : task) one.body = model::Callable([this] { write(); });
        for (unsigned core = 0; core != 2; ++core) {
            on.core(core, [this, core] {
                submit_on(core, core);
                must(pool.poll(1).status);
            });
        }
    }
    void finish() {
        Flash::finish();
        model::check(written != 0 && written + refused == 2, "each has written, or was told");
    }
};
MODEL_SCENARIO(quiesce_two_tasks, TwoTasks).preemptions(1).stale_reads(1);

// Result: Never. Three cores: one sleeps, one works.
struct Three : Flash<3, 2> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.core(1, [this] {
            submit_on(1, 0);
            must(pool.poll(1).status);
        });
        on.core(2, [this] { write(); });
    }
    void finish() { model::check(task[0].as_promised() && written == 1, "it is written, and the task runs"); }
};
MODEL_SCENARIO(quiesce_three, Three).preemptions(1).stale_reads(0).parked_at_end();

// Result: Never (sleeps for ever). The pool ends meanwhile; the joiner runs what is left behind the end.
struct Ends : Flash<1, 1> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.core(1, [this] {
            write(long_time, [this] {
                submit(0);
                pool.shutdown();
            });
            must(pool.join());
            model::check(task[0].seen_runs() == 1, "it has run");
        });
    }
};
MODEL_SCENARIO(quiesce_ends, Ends).stale_reads(1);

// Result: Never. Another core ends the pool, and joins.
struct EndsElsewhere : Flash<1, 1> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.core(1, [this] { write(); });
        on.core(2, [this] {
            submit(0);
            pool.shutdown();
            must(pool.join());
        });
    }
};
MODEL_SCENARIO(quiesce_ends_elsewhere, EndsElsewhere).preemptions(1).stale_reads(0);

// Result: Never (a task reads while it is written). A foreign core joins, in the name of the pool's first core. That
// one works for nobody, and writes. (From a generated program.)
struct EndsInItsName : Flash<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            submit(0);
            pool.shutdown();
            write();
        });
        on.core(1, [this] { must(pool.join()); });
    }
    void finish() {
        model::check(task[0].seen_runs() == 1 && written == 1, "it is written, and the task runs");
    }
};
MODEL_SCENARIO(quiesce_ends_in_its_name, EndsInItsName);

// Result: Never (waits for itself until its time is up). Such a joiner writes in a task that was left. (From a
// generated program.)
struct WritesInItsName : Flash<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [] {});
        on.core(1, [this] {
            task[0].body = model::Callable([this] { write(); });
            submit(0);
            pool.shutdown();
            must(pool.join());
        });
    }
    void finish() {
        model::check(task[0].seen_runs() == 1 && written == 1, "it is written, and the task runs");
    }
};
MODEL_SCENARIO(quiesce_writes_in_its_name, WritesInItsName);

// Result: Never (waits until its time is up). The joiner, a core of the pool or in the name of one, calls quiesce() in
// a task that was left, while another core has all stand: it stands in that call. (From a generated program.)
template <unsigned joiner>
struct StandsInItsName : Flash<1, 1> {
    void cores(model::Program& on) {
        on.core(1 - joiner, [this] { write(); });
        on.core(joiner, [this] {
            task[0].body = model::Callable([this] { write(); });
            submit(0);
            pool.shutdown();
            must(pool.join());
        });
    }
    void finish() {
        model::check(task[0].seen_runs() == 1 && written + refused == 2 && written != 0,
                     "one writes at least");
    }
};
MODEL_SCENARIO(quiesce_stands_in_a_join, StandsInItsName<0>);
MODEL_SCENARIO(quiesce_stands_in_its_name, StandsInItsName<1>);

// Result: Never (a core is kept). No time at all: the worker is there, or all go on.
struct NoTime : Flash<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] { work(); });
        on.core(1, [this] {
            submit(0);
            write(0), write(0);
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(quiesce_no_time, NoTime).stale_reads(1);

// Result: Never. A joining core, whose child another one has, stands.
struct Forks : Flash<2, 2> {
    void cores(model::Program& on) {
        worker<true>(on, 1);
        task[0].body = model::Callable([this] {
            weft::fork_join([this] { static_cast<void>(flash.get()); },
                            [this] { static_cast<void>(flash.get()); });
        });
        on.core(0, [this] {
            submit_on(0, 0);
            must(pool.poll(1).status);
        });
        on.core(2, [this] { write(); });
    }
    void finish() { model::check(task[0].as_promised() && written == 1, "it is written, and the task runs"); }
};
MODEL_SCENARIO(quiesce_forks, Forks).preemptions(0).stale_reads(0).parked_at_end();

// Result: Never (sleeps for ever; reads while it is written). A core is asleep in a join, or about to be, and the child
// that another core has taken has it stand.
struct StolenJoin : Flash<2, 1> {
    Signal stolen;
    void cores(model::Program& on) {
        worker<true>(on, 1);
        task[0].body = model::Callable([this] {
            weft::fork_join([this] { stolen.wait(), static_cast<void>(flash.get()); },
                            [this] { stolen.signal(), write(); });
            static_cast<void>(flash.get());
        });
        on.core(0, [this] {
            forget_pools();
            submit_on(0, 0);
            must(pool.poll(1).status);
        });
    }
    void finish() { model::check(task[0].as_promised() && written == 1, "it is written, and the task runs"); }
};
MODEL_SCENARIO(quiesce_stolen_join, StolenJoin).stale_reads(1).parked_at_end().each_wake();

// Result: Sometimes. That core sleeps in its join: this one must fail.
struct StolenJoinSleeps : StolenJoin {
    void finish() { model::check(pool.stats(0).parks == 0, "nobody sleeps in the join"); }
};
MODEL_SCENARIO(quiesce_stolen_join_sleeps, StolenJoinSleeps)
    .parked_at_end()
    .finds("nobody sleeps in the join");

// Result: Never (a handler reads while it is written). A handler of the core that stands, or sleeps, or works.
struct Handler : Flash<1, 1> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.interrupt(0, [this] { static_cast<void>(flash.get()); });
        on.core(1, [this] {
            write();
            pool.shutdown();
        });
    }
    void finish() { model::check(written == 1, "there is time enough"); }
};
MODEL_SCENARIO(quiesce_handler, Handler).stale_reads(1);

// Result: Never. The core that was started has left the pool: it is back in its pen before it is written.
struct Pen : Flash<1, 1> {
    void cores(model::Program& on) {
        on.late_core(0);
        task[0].body = model::Callable([this] { pool.shutdown(); });
        on.core(1, [this] {
            submit(0);
            write(long_time, [this] {
                if (pool.live_cores() == 0) model::check(weft::Port::pen_turn(0) != 0, "it is in its pen");
            });
        });
    }
    void finish() { model::check(written == 1, "it is written"); }
};
MODEL_SCENARIO(quiesce_pen, Pen).pens().stale_reads(1);

// Result: Sometimes. It times out, and is written, so the scenario above is about both: these must fail.
struct NeverInTime : NoTime {
    void finish() { model::check(written == 0, "nothing is written"); }
};
MODEL_SCENARIO(quiesce_in_time, NeverInTime).finds("nothing is written");
struct AlwaysInTime : NoTime {
    void finish() { model::check(refused == 0, "nothing times out"); }
};
MODEL_SCENARIO(quiesce_times_out, AlwaysInTime).finds("nothing times out");

// Result: Never (waits for ever). The owner starts a timer while nobody is here, and no core may be started then. When
// it has let go, one comes to watch. (A review.)
struct TimerMeanwhile : Flash<2, 1> {
    weft::Timer timer{pool, task[0]};
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1);
        on.core(2, [this] {
            write(long_time, [this] {
                task[0].prepare();
                must(timer.start_after(100));
            });
        });
    }
};
MODEL_SCENARIO(quiesce_timer_meanwhile, TimerMeanwhile)
    .alarms()
    .parked_at_end()
    .preemptions(0)
    .stale_reads(0);

// Result: Never (a task reads while it is written). Another pool has just started a core: its entry is posted, and it
// has not left its pen. It is waited for. (An attack from outside.)
struct BesideAStart : Flash<1, 1> {
    weft::Pool<1, 2> other;
    void cores(model::Program& on) {
        on.late_core(0);
        task[0].body = model::Callable([this] { other.shutdown(); });
        on.core(1, [this] {
            task[0].prepare();
            must(other.submit(task[0]));
            write();
        });
    }
    void finish() {
        Flash::finish();
        model::check(written == 1, "there is time enough");
    }
};
MODEL_SCENARIO(quiesce_beside_a_start, BesideAStart).pens().stale_reads(1);

// Result: Never. The owner has seen core 0 in its pen when core 1 has it started, and goes back to its own one.
struct BesideStartsInTurn : Flash<2, 1> {
    weft::Pool<2, 2> other;
    Doing starts;
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1);
        starts.body = model::Callable([this] {
            task[0].prepare();
            must(other.submit_on(0, task[0]));
            other.shutdown();
        });
        on.core(2, [this] {
            starts.prepare();
            must(other.submit_on(1, starts));
            write();
        });
    }
    void finish() {
        Flash::finish();
        model::check(written == 1, "there is time enough");
    }
};
MODEL_SCENARIO(quiesce_beside_starts_in_turn, BesideStartsInTurn).pens().preemptions(1).stale_reads(1);

// Result: Never (core 0 reads while it is written). Core 1, which is none of the pool's, joins it, and stands in the
// name of core 0. That one works for another pool.
struct JoinerInAnothersName {
    weft::Pool<1, 2> pool, other;
    weft::Plain<uint32_t> flash{};
    Doing reads, left[2];
    Flag begun, ready, joins;
    void cores(model::Program& on) {
        on.late_core(0);
        reads.body = model::Callable([this] {
            begun.set(2);
            for (unsigned i = 0; i != 3; ++i) weft::Port::relax();
            static_cast<void>(flash.get());
            other.shutdown();
        });
        left[0].body = model::Callable([this] { joins.set(2); });
        on.core(1, [this] {
            ready.await();
            for (Doing& one : left) one.prepare(), must(pool.submit(one));
            pool.shutdown();
            must(pool.join());
        });
        on.core(2, [this] {
            reads.prepare();
            must(other.submit(reads));
            begun.await();
            ready.set(1);
            joins.await();
            if (pool.quiesce(long_time) != weft::Status::ok) return;
            flash.set(1);
            must(pool.resume());
        });
    }
    void finish() {
        for (Doing& one : left) model::check(one.as_promised(), "what is left runs");
    }
};
MODEL_SCENARIO(quiesce_joiner_in_anothers_name, JoinerInAnothersName)
    .pens()
    .parked_at_end()
    .preemptions(2)
    .stale_reads(0);

}  // namespace
