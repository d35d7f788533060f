// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: what can be counted: statistics, and whose turn it is.
#include "sleepers.hpp"

namespace {

// Result: Never (a counter is wrong). One core: what its tasks submit, one by one and in a batch, and a ring that
// is full.
struct CountsOwn : Sleepers<1, 6> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            task[0].body = model::Callable([this] {
                submit(1), submit(2), submit(3);
                weft::Batch batch;
                for (unsigned which : {4, 5}) {
                    task[which].prepare();
                    must(batch.push(task[which]));
                }
                must(pool.submit(batch));
            });
            submit_here(0), work();
        });
    }
    void finish() {
        Sleepers::finish();
        const weft::CoreStats stats = pool.total();
        model::check(stats.submitted == 5, "all but the first came from a task");
        model::check(stats.executed == 6, "all have run");
        model::check(stats.overflows == 1, "the ring was full once");
        model::check(stats.stolen == 0, "nothing was stolen");
    }
};
MODEL_SCENARIO(figures_of_one_core, CountsOwn);

// Result: Never. Who looks around without having been called leaves another one's only task alone for a while.
struct PollerIsPatient {
    weft::Pool<2, 2> pool;
    weft::Atomic<uint32_t> there{0};
    Mark first, left;
    void cores(model::Program& on) {
        on.core_at_rest(1, [this] {
            weft::Batch both;
            first.prepare(), left.prepare();
            must(both.push(first)), must(both.push(left));
            must(pool.submit(both));
            model::check(pool.poll(1).tasks == 1, "the other one is in its ring");
            there.store(1, weft::release);
        });
        on.core(0, [this] {
            while (there.load(weft::acquire) == 0) weft::Port::relax();
            const uint32_t before = model::relaxes();
            model::check(pool.poll(1).tasks == 1, "there is something to steal");
            model::check(model::relaxes() - before == WEFT_STEAL_PATIENCE, "after so long");
        });
    }
    void finish() { model::check(first.runs == 1 && left.runs == 1, "both have run"); }
};
MODEL_SCENARIO(figures_of_a_patient_thief, PollerIsPatient);

// Result: Never. Who is woken for a task takes it without patience.
struct WokenIsNotPatient : Sleepers<2, 2> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] {
            task[0].body = model::Callable([this] { submit(1), goes_on(); });
            task[1].body = model::Callable([] {
                model::check(WEFT_SEARCH_ROUNDS != 0 || model::relaxes() == 0, "it was called for it");
            });
            worker_is_asleep.wait();
            submit_here(0), work();
        });
        on.core_at_rest(1, [this] {
            worker_is_asleep.signal();
            work();
        });
    }
    struct Signal {
        void wait() {
            while (here.load(weft::relaxed) == 0) weft::Port::park();
        }
        void signal() {
            here.store(1, weft::relaxed);
            weft::Port::unpark(0);
        }
        weft::Atomic<uint32_t> here{0};
    } worker_is_asleep;
    void finish() { model::check(going_on == 1 && task[1].runs == 1, "both have run"); }
};
MODEL_SCENARIO(figures_of_a_woken_thief, WokenIsNotPatient).parked_at_end();

// Result: Never (another core has to ask the owner of a queue). What a worker takes from the injector it puts into its
// ring, where it can be stolen by halves.
struct FillsRing {
    weft::Pool<2, 4> pool;
    weft::Atomic<uint32_t> there{0};
    Mark one[4];
    void cores(model::Program& on) {
        on.core_at_rest(1, [this] {
            for (Mark& each : one) {
                each.prepare();
                must(pool.submit(each));
            }
            model::check(pool.poll(1).tasks == 1 && pool.stats(1).stolen == 0, "one of the injector's");
            there.store(1, weft::release);
        });
        on.core(0, [this] {
            while (there.load(weft::acquire) == 0) weft::Port::relax();
            model::check(pool.poll(1).tasks == 1 && pool.stats(0).stolen == 1, "one of the other's ring");
            pool.shutdown();
            must(pool.join());
        });
    }
    void finish() {
        for (Mark& each : one) model::check(each.as_promised(), "every task runs exactly once");
    }
};
MODEL_SCENARIO(figures_of_a_refill, FillsRing);

// Result: Never (a counter is wrong). Who polls takes half of another one's ring, and then its overflow.
struct CountsStolen {
    weft::Pool<2, 2> pool;
    weft::Atomic<uint32_t> there{0};
    Mark left[4];
    struct First : weft::Task {
        First() : Task(&First::run) {}
        static void run(weft::Task& self) { static_cast<First&>(self).submits(); }
        model::Callable submits;
    } first;
    void cores(model::Program& on) {
        on.core_at_rest(1, [this] {
            first.submits = model::Callable([this] {
                for (Mark& one : left) {
                    one.prepare();
                    must(pool.submit(one));
                }
            });
            must(pool.submit_on(1, first));
            model::check(pool.poll(1).tasks == 1, "the first one");
            there.store(1, weft::release);
        });
        on.core(0, [this] {
            while (there.load(weft::acquire) == 0) weft::Port::relax();
            for (uint32_t steals = 1; steals != 4; ++steals) {
                model::check(pool.poll(1).tasks == 1, "there is something to steal");
                const weft::CoreStats stats = pool.stats(0);
                model::check(stats.executed == steals, "each poll ran one");
                model::check(stats.stolen <= steals && stats.stolen >= 1, "and had to steal");
                model::check(stats.steal_attempts == stats.stolen, "there is one victim");
            }
            pool.shutdown();
            must(pool.join());
        });
    }
    void finish() {
        for (Mark& one : left) model::check(one.as_promised(), "every task runs exactly once");
        model::check(pool.stats(0).submitted == 0 && pool.stats(1).submitted == 4,
                     "by whom it was submitted");
    }
};
MODEL_SCENARIO(figures_of_a_thief, CountsStolen);

// Result: Never. A ring that never runs dry: what waits in the injector is the next task after WEFT_FAIR_INTERVAL
// others, and so on. `one_by_one`: by a core that polls for one task, again and again.
template <bool one_by_one>
struct FairInterval : Sleepers<1, 3> {
    uint32_t runs = 0;
    uint32_t others = 0;
    void inject(unsigned which) {
        task[which].prepare();
        must(pool.submit_from_isr(task[which]));
    }
    void cores(model::Program& on) {
        on.core(0, [this] {
            task[0].body = model::Callable([this] {
                if (++runs == 1) inject(1);
                if (others == 2) return;
                left.fetch_add(1, weft::relaxed);
                submit(0);
            });
            task[1].body = model::Callable([this] {
                ++others;
                model::check(runs == WEFT_FAIR_INTERVAL, "the shared queues have their turn");
                inject(2);
            });
            task[2].body = model::Callable([this] {
                ++others;
                model::check(runs == 2 * WEFT_FAIR_INTERVAL - 1, "and again");
            });
            submit_here(0);
            if (!one_by_one) return work();
            while (pool.poll(1).status == weft::Status::ok) {
            }
        });
    }
    void finish() { model::check(others == 2, "both have had their turn"); }
};
MODEL_SCENARIO(figures_of_fairness, FairInterval<false>);
MODEL_SCENARIO(figures_of_fairness_one_by_one, FairInterval<true>);

// Result: Never. Queues that never run dry, of tasks that queue themselves again: each has its turn.
struct TakeTurns : Sleepers<1, 3> {
    uint32_t runs[2] = {};
    void again(unsigned which, uint32_t rounds) {
        if (++runs[which] == rounds) return;
        left.fetch_add(1, weft::relaxed);
        task[which].prepare();
        must(which == 0 ? pool.submit_on(0, task[which]) : pool.submit_from_isr(task[which]));
        const uint32_t ahead = runs[0] > runs[1] ? runs[0] - runs[1] : runs[1] - runs[0];
        model::check(ahead <= 1, "in turns");
    }
    void cores(model::Program& on) {
        on.core(0, [this] {
            task[0].body = model::Callable([this] { again(0, 6); });
            task[1].body = model::Callable([this] { again(1, 6); });
            submit_here(0);
            task[1].prepare();
            must(pool.submit_from_isr(task[1]));
            submit(2);
            work();
        });
    }
    void finish() { model::check(runs[0] == 6 && runs[1] == 6, "all turns"); }
};
MODEL_SCENARIO(figures_of_turns, TakeTurns);

}  // namespace
