// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker, self-test: random programs against the axioms of RC11, and with against without reduction.
#pragma once

#include <stdint.h>

#include <string>

namespace litmus {

struct Comparison {
    unsigned programs = 0;
    uint64_t compared = 0;  // pairs of explorations
    uint64_t executions = 0;
    std::string difference;  // the first one; empty: none
};

// The checker's outcomes of straight-line programs, unbounded, against those of axiomatic.hpp.
Comparison compare_with_axioms(uint32_t first_seed, unsigned programs);

// The outcomes with partial-order reduction against those without, within each of many combinations of bounds.
Comparison compare_reductions(uint32_t first_seed, unsigned programs);

// How many executions the searches without reduction had, all together, against what Mode::estimate says: 5 % at most.
Comparison compare_estimates(uint32_t first_seed, unsigned programs);

}  // namespace litmus
