// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: strands, gates and events for one that has none yet.
#pragma once

#include "random.hpp"
#include "tree.hpp"

namespace fuzz {

// Some tasks go through strands and events from now on. Arrivals, signals and handlers are added, here and there.
// Nobody ends a pool yet. `racing`: somebody will, at any time.
void add_sources(Program& program, Random& random, bool racing);

}  // namespace fuzz
