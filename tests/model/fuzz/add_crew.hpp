// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: where cores are made to stand still, and where they are asked to leave.
#pragma once

#include "random.hpp"
#include "tree.hpp"

namespace fuzz {

void add_stills(Program& program, Random& random, bool racing);
void add_crew(Program& program, Random& random);
void add_limits(Program& program, Random& random);

}  // namespace fuzz
