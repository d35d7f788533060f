// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: cores leave and come while all are to stand still. Claims 12 to 15; edges U1, U2, U3, I1.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// The other scenarios have these, too, of other libraries (Makefile).
namespace elastic_quiesce {
#include "sleepers.hpp"
}  // namespace elastic_quiesce
using namespace elastic_quiesce;

namespace {

using weft::Status;

constexpr uint32_t long_time = 0x7fffffffu;

// Result: Never (waits for ever). While all stand, the limit is raised or a core admitted; two tasks need both cores.
template <bool limit>
struct AllowedByTheOwner : Workers<2> {
    weft::Plain<uint32_t> page{};
    Meeting<2> both;
    Doing task[2];
    AllowedByTheOwner() { must(limit ? pool.limit_cores(1) : pool.retire(0)); }
    void cores(model::Program& on) {
        on.late_core(0);
        worker<true>(on, 1);
        on.core(2, [this] {
            must(pool.quiesce(long_time));
            page.set(1);
            for (Doing& one : task) {
                one.body = model::Callable([this] {
                    model::check(page.get() == 2, "it runs when all may go on");
                    both.arrive();
                });
                one.prepare();
                must(pool.submit(one));
            }
            must(limit ? pool.limit_cores(2) : pool.admit(0));
            page.set(2);
            must(pool.resume());
        });
    }
    void finish() {
        model::check(task[0].as_promised() && task[1].as_promised(), "each has run, with the other");
    }
};
MODEL_SCENARIO(quiesce_limit_raised_by_the_owner, AllowedByTheOwner<true>)
    .pens()
    .parked_at_end()
    .preemptions(1);
MODEL_SCENARIO(quiesce_admitted_by_the_owner, AllowedByTheOwner<false>).pens().parked_at_end().preemptions(1);

// Result: Never (is still here). The only one here is retired while it stands, when no core may be started: it leaves
// when it may go on.
struct RetiredByTheOwner : Workers<2> {
    Leaver second;
    void cores(model::Program& on) {
        on.late_core(0);
        second.sleeps(on, 1, pool);
        on.core(2, [this] {
            must(pool.quiesce(long_time));
            must(pool.retire(1));
            must(pool.resume());
        });
    }
    void finish() {
        second.must_have_left();
        model::check(pool.live_cores() == 1, "and is not counted any more");
    }
};
MODEL_SCENARIO(quiesce_retired_by_the_owner, RetiredByTheOwner).pens().parked_at_end().preemptions(1);

// Result: Never. A core naps, and leaves, while all are to stand: it does, or is in its pen; then it comes again.
struct NapsBeside : Workers<2> {
    weft::Plain<uint32_t> page{};
    Doing task[2];
    void cores(model::Program& on) {
        on.late_core(0);
        worker<true>(on, 1);
        for (Doing& one : task) one.body = model::Callable([this] { (void)page.get(); });
        on.core(2, [this] {
            must(pool.keep_alive(0));
            task[0].prepare();
            must(pool.submit_on(0, task[0]));
            must(pool.quiesce(long_time));
            page.set(1);
            must(pool.resume());
            task[1].prepare();
            must(pool.submit_on(0, task[1]));
            pool.shutdown();
            must(pool.join());
        });
    }
    void finish() { model::check(task[0].as_promised() && task[1].as_promised(), "each has run"); }
};
MODEL_SCENARIO(quiesce_beside_a_nap, NapsBeside).pens().alarms().preemptions(0).stale_reads(1);

// Result: Never (times out). Two may be here: a core in a task, and one on its way, which stands before it is counted
// as here. The task submits again: it does not wait for that one. By samples: two preemptions of four cores are too
// many.
struct TurnedAwayBesideARequest : Workers<3> {
    Doing task[3];
    TurnedAwayBesideARequest() { must(pool.limit_cores(2)); }
    void submit(unsigned which) {
        task[which].prepare();
        must(pool.submit(task[which]));
    }
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(2);
        task[0].body = model::Callable([this] {
            submit(1);
            weft::Port::relax();
            submit(2);
        });
        on.core(1, [this] {
            task[0].prepare();
            must(pool.submit_on(1, task[0]));
            work();
        });
        on.core(3, [this] {
            must(pool.quiesce(long_time));
            must(pool.resume());
        });
    }
    void finish() {
        for (Doing& one : task) model::check(one.as_promised(), "each has run");
    }
};
MODEL_SCENARIO(quiesce_turned_away_beside_a_request_pct, TurnedAwayBesideARequest)
    .pens()
    .parked_at_end()
    .mode(model::Mode::pct)
    .executions(30000);

// Result: Never (waits for ever). A task is pinned to core 1 while that polls, and it polls no more. It is admitted
// while all stand, when no core may be started: it is started for that task when they may go on.
struct AdmittedForAPinByTheOwner : Workers<2> {
    Flag polled, pinned;
    Doing task;
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.late_core(1);
        on.core(1, [this] {
            must(pool.poll(1).status);
            polled.set(2);
            pinned.await();
        });
        on.core(2, [this] {
            polled.await();
            task.prepare();
            must(pool.submit_on(1, task));
            pinned.set(1);
            must(pool.retire(1));
            must(pool.quiesce(long_time));
            must(pool.admit(1));
            must(pool.resume());
        });
    }
    void finish() { model::check(task.as_promised(), "it has run"); }
};
MODEL_SCENARIO(quiesce_admitted_for_a_pin_by_the_owner, AdmittedForAPinByTheOwner)
    .pens()
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);

// Result: Never (a task reads while it is written). Two cores of another pool start each other in turn, and go back to
// their pens: each may be in there when the owner looks at it, also when it looks again.
struct BesideStartsInCircles : Workers<1> {
    weft::Pool<2, 2> other;
    weft::Plain<uint32_t> flash{};
    Doing turn[4];
    unsigned written = 0;
    void start(unsigned which) {
        const uint32_t core = which % 2;
        turn[which].prepare();
        Status status = Status::core_unavailable;
        while ((status = other.submit_on(core, turn[which])) == Status::core_unavailable) weft::Port::relax();
        must(status);  // ends: it is on its way back to its pen
    }
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1);
        for (unsigned which = 0; which != 4; ++which) {
            turn[which].body = model::Callable([this, which] {
                static_cast<void>(flash.get());
                if (which == 3) return other.shutdown();
                must(other.admit(1 - which % 2));
                must(other.retire(which % 2));
                start(which + 1);
            });
        }
        on.core(2, [this] {
            start(0);
            must(pool.quiesce(long_time));
            flash.set(1);
            must(pool.resume());
            ++written;
        });
    }
    void finish() {
        for (Doing& one : turn) model::check(one.as_promised(), "every task runs exactly once");
        model::check(written == 1, "there is time enough");
    }
};
MODEL_SCENARIO(quiesce_beside_starts_in_circles, BesideStartsInCircles)
    .pens()
    .mode(model::Mode::pct)
    .executions(30000);

// Result: Never (a task reads while it is written). The same without a pool: two cores that start each other, and each
// time that the owner looks at one, the other one runs. They have been in their pens in both looks, and one of them has
// been started in between. (An error planted from outside: no other scenario had starts enough for two looks.)
struct BesideTwoWhoStartEachOther : Workers<1> {
    static constexpr unsigned entries = 5;
    struct Entry {
        BesideTwoWhoStartEachOther* all = nullptr;
        unsigned number = 0;
    } entry[entries];
    Flag second;
    weft::Plain<uint32_t> flash{};
    static void run(void* argument) {
        Entry& self = *static_cast<Entry*>(argument);
        if (self.number == 1) self.all->second.set(1);
        if (self.number + 1 != entries) self.all->start(self.number + 1);
        static_cast<void>(self.all->flash.get());
    }
    void start(unsigned number) {
        entry[number] = Entry{this, number};
        // Refused: it is on its way back to its pen, and no more are started.
        static_cast<void>(weft::Port::start_core(number % 2, &run, &entry[number]));
    }
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1);
        on.core(2, [this] {
            start(0);
            second.await();
            if (pool.quiesce(0) != weft::Status::ok) return;  // it looks once: most often one runs
            flash.set(1);
            must(pool.resume());
        });
    }
    void finish() {}
};
MODEL_SCENARIO(quiesce_beside_two_who_start_each_other, BesideTwoWhoStartEachOther)
    .pens()
    .preemptions(4)
    .stale_reads(0);

// Result: Never (is still here). The last one here is retired, and looks for a successor while all are to stand.
struct RetiredBesideARequest : Workers<2> {
    Leaver second;
    void cores(model::Program& on) {
        on.late_core(0);
        second.sleeps(on, 1, pool);
        on.core(2, [this] {
            must(pool.retire(1));
            must(pool.quiesce(long_time));
            must(pool.resume());
        });
    }
    void finish() {
        second.must_have_left();
        model::check(pool.live_cores() == 1, "and is not counted any more");
    }
};
MODEL_SCENARIO(quiesce_beside_the_last_one_retired, RetiredBesideARequest)
    .pens()
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);

}  // namespace
