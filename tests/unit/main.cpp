// SPDX-License-Identifier: MIT OR Apache-2.0
// The unit tests: one program with all of them.
#include <unistd.h>

#include "harness.hpp"

namespace unit {
extern const tap::Tests panics_tests, pool_tests, ring_tests, task_stack_tests, values_tests, fork_tests,
    callables_tests, deque_tests, offer_tests, starts_tests, groups_tests, sources_tests, work_tests,
    rest_tests, core_sets_tests, urgency_tests, preempt_tests, quiesce_tests, timers_tests, metrics_tests,
    search_length_tests, turns_tests, fairness_tests;
}  // namespace unit

using namespace unit;

extern "C" int board_main() {
    alarm(100);  // ends the program where a test hangs
    const tap::Tests files[] = {
        panics_tests,
        pool_tests,
        metrics_tests,
        ring_tests,
        task_stack_tests,
        values_tests,
        fork_tests,
        callables_tests,
        deque_tests,
        offer_tests,
        starts_tests,
        groups_tests,
        sources_tests,
        work_tests,
        fairness_tests,
#if WEFT_REST
        rest_tests,
#endif
#if WEFT_CORE_SETS
        core_sets_tests,
#endif
#if WEFT_URGENCY_LEVELS - WEFT_PREEMPTION > 1
        urgency_tests,
#endif
#if WEFT_PREEMPTION
        preempt_tests,
#endif
#if WEFT_QUIESCE
        quiesce_tests,
#endif
#if WEFT_SEARCH_MOST
        search_length_tests,
#endif
#if WEFT_FAIR_MOST || WEFT_RANDOM_VICTIMS
        turns_tests,
#endif
#if WEFT_TIMERS
        timers_tests,
#endif
    };
    return tap::run(files);
}
