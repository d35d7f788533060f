// SPDX-License-Identifier: MIT OR Apache-2.0
// Stress tests: random programs of calls, and the account of what became of each task.
//
// One round is one program: a pool, perhaps a second one beside it, tasks that submit tasks, threads that are
// no cores, interrupts, faults; then the end of it all. The seed and the round decide every choice; only the
// timing differs.
#pragma once

#include <stdint.h>

#include <vector>

#include <weft/weft.hpp>

#include "random.hpp"
#include "tap.hpp"

namespace stress {

// What the programs of a test may contain.
struct Profile {
    const char* name;  // of the test
    bool faults;
    bool interrupts;
    bool foreign_threads;
    bool second_pool;
};

// Runs programs for this many milliseconds. Where a round fails, or does not come to its end, the command that
// repeats it is printed.
void run_programs(const Profile& profile, uint32_t seed, uint32_t milliseconds);

// The same for waves of tasks and of forks: see waves.cpp and forks.cpp.
void run_waves(const char* name, uint32_t seed, uint32_t milliseconds);
void run_forks(const char* name, uint32_t seed, uint32_t milliseconds);
void run_waits(const char* name, uint32_t seed, uint32_t milliseconds);

}  // namespace stress
