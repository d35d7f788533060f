// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: parts, which are callables that wait for each other. That is legal for none but tests: it asks
// for the core that README.md promises ("a forked child is on offer for every core that is idle when it is forked").
// So whatever a part needs must be idle, and nothing else may be going on.
#pragma once

#include <string>

#include "tree.hpp"
#include "world.hpp"

namespace fuzz {

// A callable of the program has a meeting.
bool has_parts(const Program& program);
// Empty: legal, and `demands` says what the judge may ask for. The program's shape is legal.
std::string why_no_parts(const Program& program, Demands& demands);

}  // namespace fuzz
