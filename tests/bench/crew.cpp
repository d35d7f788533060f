// SPDX-License-Identifier: MIT OR Apache-2.0
// bench: keeping the other cores busy, or asleep.
#include "crew.hpp"

#include "machine.hpp"

namespace bench {
namespace {

constexpr uint32_t turns_until_parked = 64 + 2 * WEFT_STEAL_PATIENCE;  // a search is shorter
constexpr uint32_t patience = 1000000;                                 // turns

weft::Atomic<uint32_t> held;      // cores inside a Hold
weft::Atomic<uint32_t> released;  // Holds end

struct Hold : weft::Task {
    constexpr Hold() : Task(&Hold::run) {}

    static void run(weft::Task&) {
        const Turns turns;
        held.fetch_add(1, weft::relaxed);
        while (released.load(weft::relaxed) == 0) turns.pass();  // core 0 ends it
        held.fetch_sub(1, weft::relaxed);
    }
};

Hold holds[BOARD_CORES];
Empty nobody_to_start[4];

void wait_until_held(uint32_t cores) {
    const Turns turns;
    for (uint32_t i = 0; held.load(weft::relaxed) != cores; ++i) {
        if (i == patience) fail("a core does not come");
        turns.pass();
    }
}

}  // namespace

void hold_others(weft::Scheduler& pool) {
    released.store(0, weft::relaxed);
    for (uint32_t core = 1; core != pool.cores(); ++core) must(pool.submit_on(core, holds[core]));
    wait_until_held(pool.cores() - 1);
    // A submit that finds everybody busy looks for cores to start; from the second or third on, it knows of none.
    for (Empty& task : nobody_to_start) must(pool.submit(task));
}

void release_others() {
    released.store(1, weft::relaxed);
    wait_until_held(0);
    settle();
}

void settle() {
    const Turns turns;
    for (uint32_t i = 0; i != turns_until_parked; ++i) turns.pass();
}

void run_in(weft::Scheduler& pool, weft::Task& body) {
    must(pool.submit_on(0, body));
    must(pool.run());
    must(pool.join());
}

}  // namespace bench
