// SPDX-License-Identifier: MIT OR Apache-2.0
// The stress tests. Options on the command line: `seconds=N` for all tests together (default 8), `seed=S`
// (default 1), `round=R` repeats that one round.
#include "program.hpp"

namespace {

constexpr uint32_t test_count = 4;

void run(const stress::Profile& profile) {
    stress::run_programs(profile, tap::option("seconds", 8) * 1000 / test_count);
}

//                                             faults interrupts foreign second
void calls() { run(stress::Profile{false, false, false, false}); }
void calls_of_all() { run(stress::Profile{false, true, true, false}); }
void two_pools() { run(stress::Profile{false, true, true, true}); }
void faults() { run(stress::Profile{true, true, true, true}); }

constexpr tap::Test tests[] = {
    {"Z3_random_programs", calls},
    {"Z9_random_programs_with_interrupts_and_threads", calls_of_all},
    {"Z7_random_programs_with_two_pools", two_pools},
    {"Z6_random_programs_with_faults", faults},
};
static_assert(sizeof tests / sizeof tests[0] == test_count, "the time is shared among so many");

}  // namespace

extern "C" int board_main() { return tap::run(tests); }
