// SPDX-License-Identifier: MIT OR Apache-2.0
// The firmware tests: one image with all of them, the same sources for every board and for the host. The
// first word of a name is the promise that the test shows.
//
// Options on the command line: words select tests by name; `submits=N` is the size of E1_million_submits;
// `plugin=1` where the emulator's WFE does not see interrupts.
#include "harness.hpp"

namespace firmware {
extern const tap::Tests facts_tests, batch_tests, queues_tests, fair_tests, wake_tests, start_tests,
    faults_tests, shutdown_tests, join_tests, closing_tests, pinned_tests, isr_tests, sources_tests,
    work_tests, lifetime_tests, rest_tests, core_sets_tests, timers_tests, urgency_tests, preempt_tests,
    quiesce_tests, elastic_tests, blocking_tests, mandatory_tests, metrics_tests, searching_tests,
    watch_tests, sleep_tests, stack_mark_tests, host_tests, misuse_tests, fork_tests, beside_tests,
    loops_tests, stack_tests;
}  // namespace firmware

using namespace firmware;

extern "C" int board_main() {
    const tap::Tests files[] = {
        facts_tests,
        stack_mark_tests,
        batch_tests,
        queues_tests,
        fair_tests,
        wake_tests,
        start_tests,
#if __has_include("weft_host_faults.hpp")
        faults_tests,
#endif
        shutdown_tests,
        join_tests,
        closing_tests,

        pinned_tests,
        sources_tests,
        work_tests,
        lifetime_tests,
#if WEFT_REST
        rest_tests,
#endif
#if WEFT_CORE_SETS
        core_sets_tests,
#endif
#if WEFT_QUIESCE
        quiesce_tests,
#endif
#if WEFT_ELASTIC
        elastic_tests,
#endif
#if WEFT_BLOCKING
        blocking_tests,
#endif
#if WEFT_MANDATORY
        mandatory_tests,
#endif
        metrics_tests,
#if WEFT_FEW_SEARCHERS
        searching_tests,
#endif
#if WEFT_WATCH
        watch_tests,
#endif
#if WEFT_SLEEP_HOOKS
        sleep_tests,
#endif
#if WEFT_TIMERS
        timers_tests,
#endif
#if WEFT_URGENCY_LEVELS > 1
        urgency_tests,
#endif
#if WEFT_PREEMPTION
        preempt_tests,
#endif
        isr_tests,
#if __has_include("weft_host_faults.hpp")
        host_tests,
#endif
        misuse_tests,
        fork_tests,
        beside_tests,
        loops_tests,
        stack_tests,
    };
    return tap::run(files);
}
