// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the law of strands, gates and events, for pools that are not shut down while they are used.
#pragma once

#include <string>

#include "tree.hpp"

namespace fuzz {

// To the pool itself, each time.
inline bool to_the_pool(Op op) { return op == Op::submit || op == Op::batch || op == Op::pin; }
inline bool calls_in(Op op) { return op == Op::call || op == Op::crew; }
inline bool ends_pool(Op op) { return op == Op::shutdown || op == Op::abandon; }
// A task that ends in a meeting, or not at all.
inline bool blocks_task(const Statement& statement) {
    const Block& body = statement.blocks[0];
    return !body.empty() && (body.back().op == Op::meet || body.back().op == Op::forever);
}
// An arrival at a gate that opens more than once: refused while the follower has not started.
inline bool may_be_early(const Program& program, const Layout& layout, const Statement& statement) {
    if (statement.op != Op::arrive) return false;
    return layout.arrivals[statement.number[0]] > program.gates[statement.number[0]].number[0];
}

// Nothing that others may wait for, or that hands in tasks. `timers`: it may start and cancel timers.
bool is_harmless(const Block& block, bool timers);

// Empty: legal.
std::string why_no_timers(const Program& program, const Layout& layout);

// Empty: legal. `workers` are sure to come; `blockers`: there are tasks that block.
std::string why_no_sources(const Program& program, const Layout& layout, unsigned pool, unsigned workers,
                           bool blockers);

}  // namespace fuzz
