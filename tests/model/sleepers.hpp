// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: workers that sleep, and tasks of which the last one ends the pool.
#pragma once

#include "tasks.hpp"

// A pool whose last task shuts it down.
template <unsigned cores, unsigned tasks, unsigned ring = 2>
struct Sleepers {
    weft::Pool<cores, ring> pool;
    weft::Atomic<uint32_t> left{tasks};
    struct One : Mark {
        One() : Mark(&One::run) {}
        static void run(weft::Task& self) {
            One& one = static_cast<One&>(self);
            if (one.body) one.body();
            Mark::run(self);
            if (one.all->left.fetch_sub(1, weft::acq_rel) == 1) one.all->pool.shutdown();
        }
        Sleepers* all = nullptr;
        model::Callable body;
    } task[tasks];
    Meeting<2> two;

    Sleepers() {
        for (One& one : task) one.all = this;
    }
    void work() { must(pool.run()); }
    // Core `id` is a worker; `rested`: asleep before the others begin.
    template <bool rested>
    void worker(model::Program& on, unsigned id) {
        if (rested) {
            on.core_at_rest(id, [this] { work(); });
        } else {
            on.core(id, [this] { work(); });
        }
    }
    void submit(unsigned which) {
        task[which].prepare();
        must(pool.submit(task[which]));
    }
    // By a core that will be a worker: it runs there.
    void submit_here(unsigned which) {
        task[which].prepare();
        must(pool.submit_on(weft::Port::core_id(), task[which]));
    }
    // A task that does not end: it needs a core for itself. For scenarios that are over then: `parked_at_end`.
    void goes_on() {
        for (++going_on;;) weft::Port::park();
    }
    unsigned going_on = 0;
    void finish() {
        for (One& one : task) model::check(one.as_promised(), "every task runs exactly once");
    }
};
