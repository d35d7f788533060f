// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: what scenarios of fork-join share.
#pragma once

#include "../kit/reveal.hpp"
#include "tasks.hpp"

namespace tap {
namespace portrait {

struct Forks {
    friend constexpr auto reveal(Forks);
};
struct Base {
    friend constexpr auto reveal(Base);
};
struct Idle {
    friend constexpr auto reveal(Idle);
};
template struct Reveal<Forks, &weft::Scheduler::forks_>;
template struct Reveal<Idle, &weft::Scheduler::idle_>;
template struct Reveal<Base, &weft::detail::ForkDeque::base_>;

}  // namespace portrait
}  // namespace tap

// How deep what this core forks first will be. By the core itself, or when all is over.
inline uint32_t depth_of_first_slot(const weft::Scheduler& pool, uint32_t core) {
    return ((pool.*reveal(tap::portrait::Forks()))[core].*reveal(tap::portrait::Base())).own();
}

// A task of the core that submits it, whose body forks; the pool ends with it.
struct Root : weft::Task {
    Root() : Task(&Root::run) {}
    template <class Body>
    void submit_to(weft::Scheduler& where, Body what) {
        pool = &where;
        body = model::Callable(what);
        must(where.submit_on(weft::Port::core_id(), *this));
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

// When all cores are here: as if somebody had looked whom to start.
inline void nobody_can_be_started(weft::Scheduler& pool) {
    (pool.*reveal(tap::portrait::Idle())).forbid_start();
}

// By core 1, before the others begin: finds that no other core can be started. As long as one might be, a deque that
// has made an offer goes on asking by itself.
inline void find_nobody_to_start(weft::Scheduler& pool) {
    forget_pools();
    weft::fork_join(pool, [] { fork_nothing(); });
}

// Core 1 is a worker that sleeps before the others begin. The first fork wakes it: from then on it is anywhere.
inline void sleeps_at_first(model::Program& on, weft::Scheduler& pool) {
    weft::Scheduler* const its = &pool;
    on.core_at_rest(1, [its] {
        find_nobody_to_start(*its);
        must(its->run());
    });
}

// The calling core has work of its own until somebody asks for it: what it forks next must be offered.
inline void wait_until_asked(const weft::detail::ForkDeque* deque = weft::detail::ForkDeque::current()) {
    while (!deque->hungry()) weft::Port::relax();
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
