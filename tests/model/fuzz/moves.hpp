// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: cores that move between two pools (ELASTIC 4), and tasks of the one pool that use the other one.
// These have a law of their own, as it is a core outside that says who is where, one move behind the other.
#pragma once

#include <string>

#include "random.hpp"
#include "tree.hpp"
#include "world.hpp"

namespace fuzz {

// Both pools, or a follower, are about who comes and goes.
bool has_moves(const Program& program);
// Empty: legal, and `demands` says what the judge may ask for. The program's shape is legal.
std::string why_no_moves(const Program& program, const Layout& layout, Demands& demands);
// Expects a program that has its machine and nothing else.
void make_moves(Program& program, Random& random);

}  // namespace fuzz
