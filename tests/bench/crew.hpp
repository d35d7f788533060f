// SPDX-License-Identifier: MIT OR Apache-2.0
// bench: the other cores of a pool, kept busy inside a task each, or left to go to sleep.
#pragma once

#include <weft/weft.hpp>

#include "figures.hpp"

namespace bench {

inline void must(weft::Status status) {
    if (status != weft::Status::ok) fail(weft::describe(status));
}

// A task that does nothing: one instruction, the return.
struct Empty : weft::Task {
    constexpr Empty() : Task(&Empty::run) {}
    static void run(weft::Task&) {}
};

// From a task on core 0: brings every other core of the pool into a task and keeps it there. On return all cores of
// the pool are on and busy, and the pool knows that there is nobody left to wake or to start.
void hold_others(weft::Scheduler& pool);

// Ends that. The cores search, find nothing, and park before this returns.
void release_others();

// Gives every core so many turns that each one that has nothing to do has parked.
void settle();

// Runs `body` as a task of `pool` on core 0; the pool is closed and empty when this returns.
void run_in(weft::Scheduler& pool, weft::Task& body);

}  // namespace bench
