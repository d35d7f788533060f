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

// Core 1 was refused, as it was in its `visit` yet, and can be started by now. Who does the rest is core `cores`.
template <unsigned cores = 2>
struct RefusedBefore : NeedsBoth<cores> {
    Doing long_one, early;
    Flag begun, go, done, idle_again, left;

    void begins(model::Program& on, model::Callable at_first = {}) {
        NeedsBoth<cores>::begins(on);
        visits_first_ = at_first;
        long_one.body = model::Callable([this] { begun.set(cores), go.await(); });
        early.body = model::Callable([this] { idle_again.set(cores); });
        this->visit.body = model::Callable([this] {
            if (visits_first_) visits_first_();
            done.set(cores);
            left.await();
        });
    }
    void submit_early() { early.prepare(), must(this->second.submit(early)); }
    // `early` asks for it; or the visit has done so.
    void is_refused(bool asks = true) {
        long_one.prepare();
        must(this->second.submit(long_one));
        begun.await();
        this->visits();
        done.await();
        if (asks) submit_early();
        go.set(0);
        idle_again.await();
        left.set(1);
        this->ends_first();
        for (int i = 0; i != 3; ++i) weft::Port::relax();
    }

private:
    model::Callable visits_first_;
};
