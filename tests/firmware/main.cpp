// SPDX-License-Identifier: MIT OR Apache-2.0
// The firmware tests: one image with all of them, the same sources for every board and for the host. The
// first word of a name is the promise that the test shows.
//
// Options on the command line: words select tests by name; `submits=N` is the size of E1_million_submits;
// `plugin=1` where the emulator's WFE does not see interrupts.
#include "harness.hpp"
#include "tests.hpp"

using namespace firmware;

#define TEST(name) \
    { #name, name }

constexpr tap::Test tests[] = {
    TEST(Z1_first_submit_starts_one_core),
    TEST(Z2_task_is_two_words),
    TEST(Z2_job_runs_its_callable),
    TEST(Z3_batch_keeps_order),
    TEST(Z3_batch_from_outside),
    TEST(Z3_batch_from_task),
    TEST(Z3_batches_after_singles),
    TEST(Z3_poll_runs_at_most_n),
    TEST(Z3_poll_in_superloop),
    TEST(Z4_full_ring_overflows_by_half),
    TEST(Z4_overflow_while_others_block),
    TEST(Z4_thief_takes_the_larger_half),
    TEST(Z4_poll_leaves_work_for_thieves),
    TEST(Z5_single_submit_wakes_one_core),
    TEST(Z5_batch_of_n_wakes_at_most_n_cores),
    TEST(Z5_submit_meets_a_parking_core),
    TEST(Z5_submit_meets_a_waking_core),
    TEST(Z5_long_tasks_spread_over_all_cores),
    TEST(Z5_long_tasks_from_outside),
    TEST(Z5_long_tasks_find_parked_cores),
    TEST(Z5_role_is_not_kept_by_run_after_poll),
    TEST(Z5_all_park_at_rest),
    TEST(Z6_missing_cores),
#if __has_include("weft_host_faults.hpp")
    TEST(Z6_refused_once),
    TEST(Z6_refused_core_k),
    TEST(Z6_all_refused_then_retried),
    TEST(Z6_tasks_retry_now_and_then),
    TEST(Z6_all_absent),
    TEST(Z6_never_checks_in),
    TEST(Z6_never_checks_in_beside_run),
    TEST(Z6_never_checks_in_for_submit_on),
    TEST(Z6_races_the_deadline),
    TEST(Z6_checks_in_late_but_in_time),
    TEST(Z6_spurious_wakes),
    TEST(Z7_join_withdraws_starts),
#endif
    TEST(Z7_idle_pool),
    TEST(Z7_parked_workers),
    TEST(Z7_twice),
    TEST(Z7_from_task),
    TEST(Z7_from_other_core),
    TEST(Z7_from_isr),
    TEST(Z7_joiner_sleeps_until_shutdown),
    TEST(Z7_waking_core),
    TEST(Z7_mid_steal),
    TEST(Z7_join_runs_what_is_left),
    TEST(Z7_join_sees_results),
    TEST(Z7_foreign_joiner_runs_what_is_left),
    TEST(Z7_one_joiner_at_a_time),
    TEST(Z7_recreated_at_once),
    TEST(Z7_recreated_under_load),
    TEST(Z8_stalled_core_blocks_no_other),
    TEST(Z9_closed_pool_refuses),
    TEST(Z9_submits_of_a_draining_task),
    TEST(Z9_racing_submits_from_isr),
    TEST(Z9_racing_submits_from_other_core),
    TEST(Z9_abandoned_tasks_come_back),
    TEST(Z9_abandon_without_batch),
    TEST(Z9_drain_turns_into_abandon),
    TEST(V3_busy_ring_starves_nobody),
    TEST(V3_busy_overflow_starves_nobody),
    TEST(V3_busy_pinned_queue_starves_nobody),
    TEST(E1_bursts_run_exactly_once),
    TEST(E1_storm_coalesces),
    TEST(E1_interrupts_of_all_cores),
    TEST(E1_million_submits),
#if __has_include("weft_host_faults.hpp")
    TEST(E1_nested_interrupts),
#endif
    TEST(E2_runs_only_there),
    TEST(E2_pinned_to_itself_before_run),
    TEST(E2_pinned_from_tasks),
    TEST(E2_pinned_waits_for_a_busy_core),
    TEST(E2_wakes_its_parked_core),
    TEST(E2_absent_core_is_unavailable),
    TEST(E2_foreign_joiner_hands_back_pinned),
    TEST(E4_resubmit_from_its_own_run),
    TEST(E5_unknown_core),
    TEST(E5_nested_calls),
#if WEFT_CHECKS
    TEST(E4_queued_twice),
    TEST(E4_queued_in_a_batch),
    TEST(E4_two_cores_submit_one_task),
    TEST(E5_bad_tasks),
    TEST(E5_calls_in_isr),
#endif
    TEST(E9_ring_indices_wrap),
    TEST(P4_storm_of_events),
    TEST(V11_statistics_in_interrupt),
    TEST(V11_join_counts_what_it_runs),
};

extern "C" int board_main() { return tap::run(tests); }
