// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: tasks that one worker brings to light, or holds, while another goes to sleep: somebody must tell the
// sleepers. Edge I1.
#include "sleepers.hpp"

namespace {

// Result: Never (waits for ever). The fair look at the shared queues finds a batch of two that need two cores; it held
// the injector when the other worker took its last look (tokio#4941: a task hidden behind the one that runs).
struct Tick : Sleepers<2, 3> {
    weft::Atomic<uint32_t> go{0};
    unsigned runs = 0;

    void cores(model::Program& on) {
        // Fills the turns up to the fair look: the last one ends when the batch is there.
        task[0].body = model::Callable([this] {
            if (++runs != WEFT_FAIR_INTERVAL - 1) {
                left.fetch_add(1, weft::relaxed);
                submit(0);
                return;
            }
            while (go.load(weft::relaxed) == 0) weft::Port::relax();
        });
        for (unsigned which : {1, 2}) task[which].body = model::Callable([this] { goes_on(); });
        on.core_at_rest(0, [this] { submit(0), work(); });
        worker<true>(on, 1);
        on.core(2, [this] {
            weft::Batch batch;
            for (unsigned which : {1, 2}) {
                task[which].prepare();
                must(batch.push(task[which]));
            }
            must(pool.submit(batch));
            go.store(1, weft::relaxed);
        });
    }
    void finish() { model::check(going_on == 2, "each core runs one of the long tasks"); }
};
MODEL_SCENARIO(sleep_tick, Tick).parked_at_end();

// Result: Never (waits for ever). A super-loop takes the only task that there is, and another one comes while it holds
// the injector: the worker that takes its last look at that moment does not count it, and its submitter has come too
// early to see that worker asleep. Who held the injector must tell.
struct HolderTells : Sleepers<2, 2> {
    bool by_poller = false;
    void cores(model::Program& on) {
        for (One& one : task) {
            one.body = model::Callable([this] {
                by_poller = by_poller || weft::Port::core_id() == 0;
                goes_on();
            });
        }
        on.core(0, [this] { pool.poll(1); });
        worker<true>(on, 1);
        on.core(2, [this] { submit(0), submit(1); });
    }
    void finish() { model::check(going_on == 2 || !by_poller, "each core runs one of the long tasks"); }
};
MODEL_SCENARIO(sleep_holder_tells, HolderTells).parked_at_end();

// Result: Never. One task wakes one core, and nobody in vain.
struct OneWakesOne : Sleepers<3, 1> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        worker<true>(on, 1);
        worker<true>(on, 2);
        task[0].body = model::Callable([this] { goes_on(); });
        on.core(3, [this] { submit(0); });
    }
    void finish() {
        const bool slept = WEFT_SEARCH_ROUNDS == 0;  // otherwise they may still be looking around
        model::check(going_on == 1 && (pool.total().parks == 1 || !slept), "two cores have slept on");
    }
};
MODEL_SCENARIO(sleep_one_wakes_one, OneWakesOne).wake(model::Wake::targeted).parked_at_end();

// Result: Never. What a worker finds for itself alone wakes nobody.
struct OwnWakesNobody : Sleepers<2, 2> {
    void cores(model::Program& on) {
        worker<true>(on, 1);
        task[1].body = model::Callable([this] { goes_on(); });
        on.core(0, [this] { submit_here(1), submit_here(0), work(); });  // the last comes first
    }
    void finish() {
        model::check(going_on == 1 && left.load(weft::relaxed) == 1 && pool.total().parks == 0,
                     "the other one has slept on");
    }
};
MODEL_SCENARIO(sleep_own_wakes_nobody, OwnWakesNobody).wake(model::Wake::targeted).parked_at_end();

// Result: Never (waits for ever). A super-loop steals two of three tasks, their owner runs the third, and a worker
// looks everywhere else and goes to sleep; none of the three ends. (spin_returns: one loop gives up, the patient
// thief's, after one turn.)
struct StealTells : Sleepers<3, 4, 4> {
    weft::Atomic<uint32_t> go{0};

    void cores(model::Program& on) {
        task[0].body = model::Callable([this] {
            submit(1), submit(2), submit(3);
            while (go.load(weft::relaxed) == 0) weft::Port::relax();
        });
        for (unsigned which : {1, 2, 3}) task[which].body = model::Callable([this] { goes_on(); });
        on.core_at_rest(0, [this] { submit_here(0), work(); });
        on.core(1, [this] {
            go.store(1, weft::relaxed);
            while (pool.poll(1).tasks == 0) weft::Port::relax();
        });
        worker<false>(on, 2);
    }
    void finish() { model::check(going_on == 3, "each core runs one of the long tasks"); }
};
MODEL_SCENARIO(sleep_steal_tells, StealTells).stale_reads(1).spin_returns(1).parked_at_end();

// Result: Never (goes round for ever). A task submits a batch that is larger than a ring, and its core goes to sleep
// while a thief holds the overflow: the last look does not count what is held. The thief leaves the rest there and runs
// dry. Who sees the sleeper's overflow then must take from it, too. `rested`: the thief wakes another core for the
// rest; else the others are awake, and the thief may leave the rest to the one that has the waking role.
template <bool rested>
struct SleeperKeepsOverflow : Sleepers<3, 6> {
    void submit_batch() {
        weft::Batch batch;
        for (unsigned which = 1; which != 6; ++which) {
            task[which].prepare();
            must(batch.push(task[which]));
        }
        must(pool.submit(batch));
    }
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] { submit_batch(); });
        worker<rested>(on, 0);
        worker<rested>(on, 1);
        on.core(2, [this] { submit_here(0), work(); });
    }
};
MODEL_SCENARIO(sleep_keeps_overflow, SleeperKeepsOverflow<true>).stale_reads(0);
MODEL_SCENARIO(sleep_keeps_overflow_pct, SleeperKeepsOverflow<false>)
    .mode(model::Mode::pct)
    .executions(50000);

// Result: Never. rayon#739, zephyr#32191: a task's memory is gone, or queued again, when its run function has ended.
template <bool again>
struct Gone {
    weft::Pool<2, 2> pool;
    struct One : Mark {
        One() : Mark(&One::run) {}
        static void run(weft::Task& self) {
            One& one = static_cast<One&>(self);
            Gone& all = *one.all;
            Mark::run(self);
            if (one.seen_runs() == (again ? 2 : 1)) {
                model::end_of_life(one);
                all.pool.shutdown();
            } else {
                must(all.pool.submit(one));
            }
        }
        Gone* all = nullptr;
    } task;

    void cores(model::Program& on) {
        task.all = this;
        on.core(0, [this] {
            task.prepare();
            must(pool.submit(task));
            must(pool.run());
        });
        on.core_at_rest(1, [this] { must(pool.run()); });
    }
    void finish() { model::check(task.runs == (again ? 2 : 1), "it ran as often as it was submitted"); }
};
MODEL_SCENARIO(task_frees_itself, Gone<false>).preemptions(3).stale_reads(3);
MODEL_SCENARIO(task_submits_itself, Gone<true>);

}  // namespace
