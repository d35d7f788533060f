// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the end of a pool: shutdown against submit, wait and start; join and the destruction of the pool.
// Edges D1, J1, J2.
#include "tasks.hpp"

namespace {

using weft::Shutdown;

template <unsigned cores, unsigned tasks>
struct Ending {
    weft::Pool<cores, 2> pool;
    Mark task[tasks];
    unsigned accepted = 0;
    unsigned handed_back = 0;

    bool submit(unsigned which) {
        task[which].prepare();
        const weft::Status status = pool.submit(task[which]);
        model::check(status == weft::Status::ok || status == weft::Status::closed, "accepted or refused");
        task[which].given = status == weft::Status::ok;
        if (task[which].given) ++accepted;
        return task[which].given;
    }
    // Joins, destroys the pool at once, and looks at what the tasks did.
    void join() {
        weft::Batch left;
        must(pool.join(left));
        model::end_of_life(pool);
        while (weft::Task* one = left.pop()) {
            static_cast<Mark*>(one)->given = false;
            ++handed_back;
        }
    }
    void finish() {
        for (Mark& one : task)
            model::check(one.as_promised(), "every accepted task runs once or is handed back");
    }
};

// Result: Never. The joiner sees what the tasks wrote, and the pool is gone when it returns (zap's join; rayon#739).
struct JoinSees : Ending<1, 1> {
    void cores(model::Program& on) {
        on.late_core(0);
        on.core(1, [this] {
            submit(0);
            pool.shutdown();
            join();
            model::check(task[0].seen_runs() == 1, "drain: the task has run, and the joiner sees it");
        });
    }
};
MODEL_SCENARIO(join_sees_and_destroys, JoinSees).preemptions(4).stale_reads(3).each_wake();

// Result: Never. The joiner waits before anybody calls shutdown; a task does.
struct JoinFirst : Ending<1, 1> {
    struct Last : Mark {
        explicit Last() : Mark(&Last::run) {}
        static void run(weft::Task& self) {
            Last& last = static_cast<Last&>(self);
            weft::Scheduler& pool = *last.pool;
            Mark::run(self);
            pool.shutdown();
        }
        weft::Scheduler* pool = nullptr;
    } last;

    void cores(model::Program& on) {
        on.late_core(0);
        on.core(1, [this] {
            last.pool = &pool;
            last.prepare();
            must(pool.submit(last));
            join();
            model::check(last.seen_runs() == 1, "the task has run");
        });
    }
};
MODEL_SCENARIO(join_before_shutdown, JoinFirst).preemptions(3).stale_reads(3).each_wake();

// Result: Never. Nobody ever worked: only shutdown() can wake the joiner (J2).
struct NobodyThere : Ending<1, 1> {
    void cores(model::Program& on) {
        on.late_core(0);
        on.core(1, [this] {
            must(pool.join());
            model::check(WEFT_SEARCH_ROUNDS != 0 || model::relaxes() == 0, "it has slept all the time");
        });
        on.core(2, [this] { pool.shutdown(); });
    }
};
MODEL_SCENARIO(join_of_an_idle_pool, NobodyThere).preemptions(4).stale_reads(4).each_wake();

// Result: Never. Two cores join; the second one sees what the first one saw (J1).
struct JoinTwice : Ending<1, 1> {
    void join_too() {
        weft::Status status = weft::Status::wrong_context;  // while the other one waits
        while ((status = pool.join()) == weft::Status::wrong_context) weft::Port::relax();
        must(status);
        model::check(task[0].seen_runs() == 1, "the task has run, and each joiner sees it");
    }
    void cores(model::Program& on) {
        on.late_core(0, {model::Arrival::refused});
        on.core(1, [this] {
            submit(0);
            pool.shutdown();
            join_too();
        });
        on.core(2, [this] { join_too(); });
    }
};
MODEL_SCENARIO(join_twice, JoinTwice).preemptions(4).stale_reads(3);

// Result: Never (looks at all queues once more). Who joins again is told so by the roster.
struct JoinAgain : Ending<1, 1> {
    void cores(model::Program& on) {
        on.core(1, [this] {
            pool.shutdown();
            must(pool.join());
            const uint32_t before = model::steps();
            must(pool.join());
            model::check(model::steps() - before <= 3, "a look at the roster");
        });
    }
};
MODEL_SCENARIO(join_again, JoinAgain);

// Result: Never. A submit from a third core races the shutdown: refused, run or handed back, never lost, never both.
struct SubmitRace : Ending<1, 1> {
    weft::Atomic<uint32_t> done{0};

    void cores(model::Program& on) {
        on.late_core(0);
        on.core(1, [this] {
            submit(0);
            done.store(1, weft::release);
            weft::Port::unpark(2);
        });
        on.core(2, [this] {
            pool.shutdown();
            weft::Batch left;
            must(pool.join(left));
            while (done.load(weft::acquire) == 0) weft::Port::park();
            model::end_of_life(pool);
            while (weft::Task* one = left.pop()) static_cast<Mark*>(one)->given = false;
        });
    }
};
MODEL_SCENARIO(shutdown_submit_race, SubmitRace).each_wake();

// Result: Never. The same with a batch: the pool takes all of it, or the batch keeps all of it.
struct BatchRace : Ending<1, 2> {
    weft::Atomic<uint32_t> done{0};

    void cores(model::Program& on) {
        on.late_core(0, {model::Arrival::refused});
        on.core(1, [this] {
            weft::Batch batch;
            for (Mark& one : task) {
                one.prepare();
                must(batch.push(one));
            }
            const weft::Status status = pool.submit(batch);
            model::check(status == weft::Status::ok || status == weft::Status::closed, "accepted or refused");
            model::check(batch.size() == (status == weft::Status::ok ? 0 : 2),
                         "the batch keeps what was refused");
            while (weft::Task* one = batch.pop()) static_cast<Mark*>(one)->given = false;
            done.store(1, weft::release);
            weft::Port::unpark(2);
        });
        on.core(2, [this] {
            pool.shutdown();
            weft::Batch left;
            must(pool.join(left));
            while (done.load(weft::acquire) == 0) weft::Port::park();
            while (weft::Task* one = left.pop()) static_cast<Mark*>(one)->given = false;
        });
    }
};
MODEL_SCENARIO(shutdown_batch_race, BatchRace).each_wake();

// Result: Never. No worker ever came: the joiner itself runs what was accepted (V10, P5).
struct NoWorker : Ending<1, 2> {
    void cores(model::Program& on) {
        on.late_core(0, {model::Arrival::refused});
        on.core(1, [this] {
            submit(0), submit(1);
            pool.shutdown();
            join();
        });
    }
    void finish() {
        Ending::finish();
        model::check(handed_back == 0 && accepted == 2, "both ran on the joiner");
    }
};
MODEL_SCENARIO(join_without_worker, NoWorker).preemptions(3).stale_reads(3).each_wake();

// Result: Never. The joiner is a core of the pool: with drain it runs what is pinned to it, and so hands nothing back.
struct OwnPinned : Ending<2, 2> {
    void cores(model::Program& on) {
        on.core(1, [this] {
            for (Mark& one : task) {
                one.prepare();
                must(pool.submit_on(1, one));
            }
            pool.shutdown();
            weft::Batch left;
            must(pool.join(left));
            model::check(left.empty(), "nothing is left over");
            must(pool.join());  // says so again
        });
    }
    void finish() {
        Ending::finish();
        model::check(pool.live_cores() == 0, "nobody is there any more");
    }
};
MODEL_SCENARIO(join_runs_its_own_pinned, OwnPinned);

// Result: Never. Abandon: what did not run is handed back.
struct Abandon : Ending<1, 2> {
    void cores(model::Program& on) {
        on.late_core(0);
        on.core(1, [this] {
            submit(0), submit(1);
            pool.shutdown(Shutdown::abandon);
            join();
        });
    }
};
MODEL_SCENARIO(shutdown_abandon, Abandon).preemptions(3).stale_reads(3).each_wake();

// Result: Never. After the shutdown every way in is closed, and the tasks stay the caller's.
struct Refuses : Ending<1, 3> {
    void cores(model::Program& on) {
        on.late_core(0);
        on.core(1, [this] {
            pool.shutdown();
            for (Mark& one : task) one.prepare();
            weft::Batch batch;
            must(batch.push(task[2]));
            model::check(pool.submit(task[0]) == weft::Status::closed, "submit");
            model::check(pool.submit_from_isr(task[0]) == weft::Status::closed, "submit_from_isr");
            model::check(pool.submit_on(0, task[1]) == weft::Status::closed, "submit_on");
            model::check(pool.submit(batch) == weft::Status::closed && batch.size() == 1, "a batch");
            for (Mark& one : task) one.given = false;
            join();
        });
    }
};
MODEL_SCENARIO(shutdown_refuses, Refuses);

// Result: Never. shutdown() twice, from two cores, while the worker may be anywhere on its way to sleep.
struct Twice : Ending<1, 1> {
    weft::Atomic<uint32_t> done{0};

    void cores(model::Program& on) {
        on.late_core(0);
        on.core(1, [this] {
            submit(0);
            pool.shutdown();
            done.store(1, weft::release);
            weft::Port::unpark(2);
        });
        on.core(2, [this] {
            pool.shutdown();
            while (done.load(weft::acquire) == 0) weft::Port::park();
            join();
        });
    }
};
MODEL_SCENARIO(shutdown_twice, Twice).each_wake();

// Result: Never. An ISR of the worker's core shuts the pool down, at any point.
struct FromIsr : Ending<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            submit(0);
            const weft::Status status = pool.run();
            model::check(status == weft::Status::ok || status == weft::Status::closed,
                         "run() ends by the shutdown");
        });
        on.interrupt(0, [this] { pool.shutdown(); });
        on.core(1, [this] {
            weft::Batch left;
            must(pool.join(left));
            while (weft::Task* one = left.pop()) static_cast<Mark*>(one)->given = false;
        });
    }
};
MODEL_SCENARIO(shutdown_from_isr, FromIsr).each_wake();

// Result: Never (lost). A core that polled has left a task in its ring, and the joiner's claims fail by themselves: it
// runs the task nevertheless.
struct FailedExchanges {
    weft::Pool<2, 2> pool;
    Mark left;
    struct First : weft::Task {
        First() : Task(&First::run) {}
        static void run(weft::Task& self) { static_cast<First&>(self).submits(); }
        model::Callable submits;
    } first;
    void cores(model::Program& on) {
        on.core_at_rest(1, [this] {
            left.prepare();
            first.submits = model::Callable([this] { must(pool.submit(left)); });
            must(pool.submit(first));
            model::check(pool.poll(1).tasks == 1, "the first one");
        });
        on.core(0, [this] {
            pool.shutdown();
            must(pool.join());
        });
    }
    void finish() { model::check(left.as_promised(), "the task in the ring has been run"); }
};
MODEL_SCENARIO(join_in_spite_of_failed_exchanges, FailedExchanges).spurious_exchanges(4);

// Result: Never (lost). A super-loop leaves when poll() says that the pool is over. What only its core can run, and was
// submitted before the shutdown, it has run by then.
struct PollHearsOfTheEnd {
    weft::Pool<2, 2> pool;
    Mark pinned;
    void cores(model::Program& on) {
        on.core_at_rest(1, [this] {
            weft::Polled polled = pool.poll(1);
            for (; polled.status == weft::Status::ok; polled = pool.poll(1)) {
                if (polled.tasks == 0) weft::Port::relax();
            }
            model::check(polled.status == weft::Status::closed && polled.tasks == 0, "it is over");
            model::check(pinned.as_promised(), "its own task came first");
        });
        on.core(0, [this] {
            pinned.prepare();
            must(pool.submit_on(1, pinned));
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(shutdown_is_told_to_a_poll, PollHearsOfTheEnd).preemptions(3);

// Result: Never (an access to what is gone). The joiner destroys the pool at once, while the core whose shutdown()
// ended it is still in that call.
struct GoneBeforeTheShutdown {
    weft::Pool<1, 2> pool;
    void cores(model::Program& on) {
        on.core(0, [this] {
            must(pool.join());
            model::end_of_life(pool);
        });
        on.core(1, [this] { pool.shutdown(); });
    }
};
MODEL_SCENARIO(join_before_the_shutdown_returns, GoneBeforeTheShutdown).preemptions(3).stale_reads(3);

// Result: Never (an access to what is gone). A join that returns ok while another one is about to return: the pool may
// be destroyed at once, also where tasks are left over.
struct GoneBeforeTheJoiner {
    weft::Pool<1, 2> pool;
    Mark left;
    void cores(model::Program& on) {
        on.core(0, [this] {
            must(pool.submit(left));
            pool.shutdown(weft::Shutdown::abandon);
            static_cast<void>(pool.join());
        });
        on.core(1, [this] {
            if (pool.join() != weft::Status::wrong_context) return;  // core 0 is in its join, else
            while (pool.join() != weft::Status::ok) weft::Port::relax();
            model::end_of_life(pool);
        });
    }
};
MODEL_SCENARIO(join_before_another_returns, GoneBeforeTheJoiner).preemptions(3);

// Result: Never (a task waits for ever). A batch of two that wait for each other, and the shutdown right behind it. A
// core that finds the queue held by the other one, who is about to share what is in it, does not leave for that.
struct WaitsForWhoHolds {
    weft::Pool<2, 2> pool;
    struct Meets : Mark {
        Meets() : Mark(&Meets::run) {}
        static void run(weft::Task& self) {
            static_cast<Meets&>(self).two->arrive();
            Mark::run(self);
        }
        Meeting<2>* two = nullptr;
    } task[2];
    Meeting<2> two;
    void cores(model::Program& on) {
        for (unsigned id : {0, 1}) on.core_at_rest(id, [this] { must(pool.run()); });
        on.core(2, [this] {
            weft::Batch both;
            for (Meets& one : task) one.two = &two, one.prepare(), must(both.push(one));
            must(pool.submit(both));
            pool.shutdown();
        });
    }
    void finish() {
        for (Meets& one : task) model::check(one.as_promised(), "both have run");
    }
};
MODEL_SCENARIO(shutdown_waits_for_who_holds, WaitsForWhoHolds).stale_reads(2);

}  // namespace
