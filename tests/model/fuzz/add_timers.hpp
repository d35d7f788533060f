// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: timers for one that has none yet.
#pragma once

#include "random.hpp"
#include "tree.hpp"

namespace fuzz {

// Timers, and who starts and cancels them. Nobody ends a pool yet. `racing`: somebody will, at any time. `endless`:
// nobody will.
void add_timers(Program& program, Random& random, bool racing, bool endless);

// The program is complete: calls behind the end of the pool.
void add_late_cancels(Program& program, Random& random);

}  // namespace fuzz
