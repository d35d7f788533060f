// SPDX-License-Identifier: MIT OR Apache-2.0
// The stress tests. Options on the command line: `seconds=N` for all tests together (default 8), `seed=S` (default:
// SEED of the environment, as `make test SEED=S` sets it, or 1), `round=R` repeats that one round. A failure names all
// of them. They replay the program; how its threads meet is chance, so a round may need many repetitions.
#include <stdlib.h>

#include "program.hpp"

namespace {

constexpr uint32_t test_count = 7;

uint32_t default_seed() {
    const char* const text = getenv("SEED");
    return text == nullptr ? 1 : static_cast<uint32_t>(strtoul(text, nullptr, 0));
}

uint32_t seed() { return tap::option("seed", default_seed()); }
uint32_t milliseconds() { return tap::option("seconds", 8) * 1000 / test_count; }

void Z3_waves_of_batches_and_spills() { stress::run_waves("Z3_waves", seed(), milliseconds()); }
void B4_waves_of_forks() { stress::run_forks("B4_waves", seed(), milliseconds()); }
void N5_waits_over_two_pools() { stress::run_waits("N5_waits", seed(), milliseconds()); }

void run(const stress::Profile& profile) { stress::run_programs(profile, seed(), milliseconds()); }

// Of a profile: faults, interrupts, foreign threads, a second pool.
void Z3_random_programs() { run(stress::Profile{"Z3_random_programs", false, false, false, false}); }
void Z9_random_programs_with_interrupts_and_threads() {
    run(stress::Profile{"Z9_random_programs", false, true, true, false});
}
void Z7_random_programs_with_two_pools() {
    run(stress::Profile{"Z7_random_programs", false, true, true, true});
}
void Z6_random_programs_with_faults() { run(stress::Profile{"Z6_random_programs", true, true, true, true}); }

constexpr tap::Test tests[] = {
    TEST(Z3_waves_of_batches_and_spills),
    TEST(B4_waves_of_forks),
    TEST(N5_waits_over_two_pools),
    TEST(Z3_random_programs),
    TEST(Z9_random_programs_with_interrupts_and_threads),
    TEST(Z7_random_programs_with_two_pools),
    TEST(Z6_random_programs_with_faults),
};
static_assert(sizeof tests / sizeof tests[0] == test_count, "the time is shared among this many");

}  // namespace

extern "C" int board_main() { return tap::run({tests}); }
