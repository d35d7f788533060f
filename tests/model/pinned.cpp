// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: tasks pinned to a core that works already, against thieves and against the end of the pool.
// Edges I1, D1.
#include "sleepers.hpp"

namespace {

// Result: Never. Tasks pinned to a core run there and nowhere else, however idle the others are.
struct Stays : Sleepers<2, 2> {
    void cores(model::Program& on) {
        for (One& one : task) {
            one.body =
                model::Callable([] { model::check(weft::Port::core_id() == 0, "runs where it was pinned"); });
        }
        on.core(0, [this] {
            for (One& one : task) {
                one.prepare();
                must(pool.submit_on(0, one));
            }
            work();
        });
        worker<true>(on, 1);
    }
};
MODEL_SCENARIO(pinned_stays, Stays).preemptions(4).stale_reads(4);

// A worker on core 0, somebody outside who ends the pool, and a task pinned to the worker.
template <unsigned cores>
struct Ending {
    weft::Pool<cores, 2> pool;
    Mark task;
    bool handed_back = false;

    void run() {
        const weft::Status status = pool.run();
        model::check(status == weft::Status::ok || status == weft::Status::closed, "ends by the shutdown");
    }
    weft::Status submit() {
        task.prepare();
        const weft::Status status = pool.submit_on(0, task);
        task.given = status == weft::Status::ok;
        return status;
    }
    void join() {
        weft::Batch left;
        must(pool.join(left));
        while (left.pop() != nullptr) handed_back = true;
    }
    void finish() {
        const int ends = task.runs + (handed_back ? 1 : 0);
        model::check(ends == (task.given ? 1 : 0), "an accepted task runs once or is handed back");
    }
};

// Result: Never. A pinned submit races the end of the pool.
struct JoinRace : Ending<1> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { run(); });
        on.core(1, [this] { static_cast<void>(submit()); });
        on.core(2, [this] { pool.shutdown(), join(); });
    }
};
MODEL_SCENARIO(pinned_join_race, JoinRace).preemptions(3).stale_reads(2).each_wake();

// Result: Never. The same with a core that can be started: it is there for the task, or the pool is closed.
struct StartRace : Ending<1> {
    void cores(model::Program& on) {
        on.late_core(0);
        on.core(1, [this] {
            const weft::Status status = submit();
            model::check(status == weft::Status::ok || status == weft::Status::closed,
                         "nothing keeps the core from being started");
        });
        on.core(2, [this] { pool.shutdown(), join(); });
    }
};
MODEL_SCENARIO(pinned_start_join_race, StartRace);

// Result: Never. The same while somebody else's start of that core is withdrawn by the end of the pool.
struct WithdrawnRace : Ending<1> {
    Mark other;
    void cores(model::Program& on) {
        on.late_core(0);
        on.core(1, [this] {
            other.prepare();
            must(pool.submit(other));
            pool.shutdown(weft::Shutdown::abandon);
            weft::Batch left;
            must(pool.join(left));
            while (weft::Task* const one = left.pop()) {
                if (one == &task) handed_back = true;
            }
        });
        on.core(2, [this] {
            const weft::Status status = submit();
            model::check(status == weft::Status::ok || status == weft::Status::closed,
                         "the pool has ended; the core could be started");
        });
    }
};
MODEL_SCENARIO(pinned_start_abandon_race, WithdrawnRace);

// Result: Never. Drain: what was pinned before the shutdown still runs, also where park() returned without cause (D1).
struct RunsWhatIsPinned : Ending<1> {
    void cores(model::Program& on) {
        on.core(0, [this] { run(); });
        on.core(1, [this] {
            while (submit() == weft::Status::core_unavailable) weft::Port::relax();
            pool.shutdown(), join();
            model::check(task.seen_runs() == 1, "the task has run");
        });
    }
};
MODEL_SCENARIO(shutdown_runs_what_is_pinned, RunsWhatIsPinned).spurious_parks(1).each_wake();

// Result: Never. The same, while the core is woken for a task that another takes: it may see the shutdown without
// having been woken for it.
struct WokenInVain : Ending<2> {
    Mark other;
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { run(); });
        on.core(1, [this] {
            other.prepare();
            other.given = pool.submit(other) == weft::Status::ok;
            pool.poll(1);
        });
        on.core(2, [this] {
            while (submit() == weft::Status::core_unavailable) weft::Port::relax();
            pool.shutdown(), join();
            model::check(task.seen_runs() == 1, "the task has run");
        });
    }
};
MODEL_SCENARIO(shutdown_seen_by_chance, WokenInVain).each_wake();

// Result: Never (a task waits for ever). A submit is just starting the only core, and is refused. Who pins a task
// meanwhile must not be told that the core is there: nobody would come for it. So the answer waits for the end of
// that start.
struct RefusedMeanwhile : Sleepers<1, 2> {
    void cores(model::Program& on) {
        on.late_core(0, {model::Arrival::refused, model::Arrival::normal});
        on.core(1, [this] { submit(0); });
        on.core(2, [this] {
            task[1].prepare();
            weft::Status status = weft::Status::core_unavailable;
            while ((status = pool.submit_on(0, task[1])) == weft::Status::core_unavailable)
                weft::Port::relax();
            must(status);
        });
    }
};
MODEL_SCENARIO(pinned_refused_meanwhile, RefusedMeanwhile);

}  // namespace
