// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: tasks of two pools that wait for works of each other, there and back. A core within such a wait
// runs tasks of the other pool, which may wait for what is in the first one, and forks at each depth (work.hpp).
#pragma once

#include <string>

#include "random.hpp"
#include "tree.hpp"
#include "world.hpp"

namespace fuzz {

// Works beside two pools, and no core moves (moves.hpp).
bool has_waits_across(const Program& program);
// Empty: legal, and `demands` says what the judge may ask for. The program's shape is legal.
std::string why_no_waits_across(const Program& program, const Layout& layout, Demands& demands);
// Expects a program that has its machine and nothing else.
void make_across(Program& program, Random& random);

}  // namespace fuzz
