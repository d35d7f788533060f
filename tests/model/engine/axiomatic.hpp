// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker, self-test: an independent judge of straight-line programs. It enumerates execution graphs (who reads
// from whom, in which order the stores to a word come) and keeps those that the axioms of RC11 allow. It shares no code
// with the checker's memory.
#pragma once

#include <set>
#include <string>

#include "random_program.hpp"

namespace litmus {

struct Verdict {
    // RC11 with acyclic (program order + reads-from), that is, without load buffering.
    std::set<std::string> rc11;
    // And the order that the fences have among themselves agrees with (program order + reads-from), too. This is what a
    // machine that executes one step after the other can show; see docs/VERIFICATION.md.
    std::set<std::string> machine;
};

// For programs of Flavour::words_only. Outcomes as in scenario_of().
Verdict judge(const RandomProgram& program);

}  // namespace litmus
