// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the three kinds that are made in ways of their own, and what all kinds need.
#pragma once

#include "random.hpp"
#include "tree.hpp"

namespace fuzz {

inline Statement plain(Op op, unsigned pool = 0, uint32_t first = 0, uint32_t second = 0) {
    Statement statement;
    statement.op = op;
    statement.pool = pool;
    statement.number[0] = first;
    statement.number[1] = second;
    return statement;
}
void add_pool(Program& program, Random& random, unsigned cores);

// To a program of two pools whose last core, the client, does all: timers that fire once, started by the client or by
// one of its tasks; handlers that submit or offer; the client has all others stand still.
void add_timers_to(Program& program, Random& random);
void add_handlers_to(Program& program, Random& random);
void add_stills_to(Program& program, Random& random, unsigned pool);

// Both expect a program that has its machine and nothing else. Two pools that call each other:
void make_between(Program& program, Random& random);
// Parts, see parts.hpp:
void make_parts(Program& program, Random& random);
// Cores that leave as soon as they find nothing (WEFT_ELASTIC):
void make_leaving(Program& program, Random& random);

}  // namespace fuzz
