// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: what scenarios of fork-join share.
#pragma once

#include "tasks.hpp"

// A task whose body forks; the pool ends with it.
struct Root : weft::Task {
    Root() : Task(&Root::run) {}
    template <class Body>
    void submit_to(weft::Scheduler& where, Body what) {
        pool = &where;
        body = model::Callable(what);
        must(where.submit(*this));
    }
    static void run(weft::Task& self) {
        Root& root = static_cast<Root&>(self);
        root.body();
        root.pool->shutdown();
    }
    model::Callable body;
    weft::Scheduler* pool = nullptr;
};

// The calling core is in no pool: what an execution that was given up has left is forgotten.
inline void forget_pools() { weft::detail::ForkDeque::leave(nullptr); }

// Takes back what it offers, most of the time: who wants more must ask again.
inline void fork_nothing() {
    weft::fork_join([] {}, [] {});
}

// One of two cores waits until the other has come by. Asleep: no step of a scenario is spent on looking again.
class Signal {
public:
    void wait() {
        while (here_.load(weft::relaxed) == 0) weft::Port::park();
    }
    void signal() {
        here_.store(1, weft::relaxed);
        weft::Port::unpark(weft::Port::core_id() ^ 1);
    }

private:
    weft::Atomic<uint32_t> here_{0};
};
