// SPDX-License-Identifier: MIT OR Apache-2.0
// For tests that hang: what a pool looks like, as comment lines. The words are read one by one, while cores may work.
#pragma once

#include <weft/weft.hpp>

#include "reveal.hpp"
#include "tap.hpp"

namespace tap {
namespace portrait {

struct Idle {
    friend constexpr auto reveal(Idle);
};
struct Roster {
    friend constexpr auto reveal(Roster);
};
struct Workers {
    friend constexpr auto reveal(Workers);
};
struct Injector {
    friend constexpr auto reveal(Injector);
};
struct RosterWord {
    friend constexpr auto reveal(RosterWord);
};
struct StackWord {
    friend constexpr auto reveal(StackWord);
};
template struct Reveal<Idle, &weft::Scheduler::idle_>;
template struct Reveal<Roster, &weft::Scheduler::roster_>;
template struct Reveal<Workers, &weft::Scheduler::workers_>;
template struct Reveal<Injector, &weft::Scheduler::injector_>;
template struct Reveal<RosterWord, &weft::detail::Roster::word_>;
template struct Reveal<StackWord, &weft::detail::TaskStack::word_>;

inline Hex word_of(const weft::detail::TaskStack& stack) {
    return hex((stack.*reveal(StackWord())).load(weft::relaxed));
}

}  // namespace portrait

inline void draw(const weft::Scheduler& pool) {
    using namespace portrait;
    // relaxed (all): it decides nothing
    note("pool of ", pool.cores(), " cores: idle word ", hex((pool.*reveal(Idle())).look().word()),
         " (from bit 8: parked cores; 1, 2: can start, can retry; 4: waking; 8, 16: closing, abandoning), "
         "roster ",
         hex(((pool.*reveal(Roster())).*reveal(RosterWord())).load(weft::relaxed)), ", injector ",
         word_of(pool.*reveal(Injector())));
    for (uint32_t core = 0; core < pool.cores(); ++core) {
        const weft::detail::Worker& worker = (pool.*reveal(Workers()))[core];
        const weft::CoreStats stats = pool.stats(core);
        note("  core ", core, ": power ", worker.power.load(weft::relaxed), ", ring ",
             worker.ring.looks_nonempty() ? "has tasks" : "empty", ", overflow ", word_of(worker.overflow),
             " (2: held, 4: tasks in its cache, 8 and up: the task pushed last), pinned ",
             word_of(worker.pinned), "; executed ", stats.executed, ", victims looked at ",
             stats.steal_attempts, ", slept ", stats.parks);
    }
}

}  // namespace tap
