// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: how one is explored, and made smaller when it fails.
#pragma once

#include "engine/explore.hpp"
#include "tree.hpp"

namespace fuzz {

struct Effort {
    unsigned samples = 400;    // executions by chance
    unsigned exhaustive = 60;  // of a bounded exhaustive search
    uint64_t seed = 1;
};

struct Found {
    weft::model::Result result;
    weft::model::Config config;  // with which it was found
    uint64_t executions = 0;
    uint64_t steps = 0;
};

// Explores the program; stops at its first failure. It must be legal: std::invalid_argument otherwise.
Found explore(Program& program, const Effort& effort);

// One execution.
weft::model::Result replay(Program& program, const std::string& schedule, bool traced);

// The smallest program found that still fails in the same way.
Program shrink(const Program& program, const Found& found, Found& smallest);

// The schedule of a failure, without what it does not need.
std::string minimised(Program& program, const Found& found);

}  // namespace fuzz
