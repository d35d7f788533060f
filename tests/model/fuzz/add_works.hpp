// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: where works are begun, waited for, and taken back.
#pragma once

#include "random.hpp"
#include "tree.hpp"

namespace fuzz {

// `racing`: the pool may be shut down while it is used.
void add_works(Program& program, Random& random, bool racing);

}  // namespace fuzz
