// SPDX-License-Identifier: MIT OR Apache-2.0
// Scenarios in which a core of one pool has to do with another one, and is to be had there when its own has ended: so
// two tasks that need both cores of that pool run. After sleepers.hpp.
#pragma once

// Core 0 stays in `second`; core 1 begins as one of `first`, by `visit`.
template <unsigned cores = 2>
struct NeedsBoth {
    weft::Pool<2, 2> first;
    weft::Pool<cores, 2> second;
    Doing visit, task[2];
    Meeting<2> both;

    void begins(model::Program& on) {
        on.core_at_rest(0, [this] { must(second.run()); });
        on.late_core(1);
        for (Doing& one : task) one.body = model::Callable([this] { both.arrive(); });
    }
    void visits() {
        visit.prepare();
        must(first.submit_on(1, visit));
    }
    void ends_first() {
        first.shutdown();
        must(first.join());
    }
    void submit_both() {
        for (Doing& one : task) one.prepare(), must(second.submit(one));
    }
    void finish() {
        for (Doing& one : task) model::check(one.as_promised(), "both run");
    }
};
