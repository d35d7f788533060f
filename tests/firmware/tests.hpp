// SPDX-License-Identifier: MIT OR Apache-2.0
// The firmware tests, by file. Each is named after the promise that it shows.
#pragma once

namespace firmware {

// facts.cpp
void Z1_first_submit_starts_one_core();
void Z2_task_is_two_words();
void Z2_job_runs_its_callable();

// batch.cpp
void Z3_batch_keeps_order();
void Z3_batch_from_outside();
void Z3_batch_from_task();
void Z3_batches_after_singles();
void Z3_poll_runs_at_most_n();
void Z3_poll_in_superloop();

// queues.cpp
void Z4_full_ring_overflows_by_half();
void Z4_overflow_while_others_block();
void Z4_thief_takes_the_larger_half();
void Z4_poll_leaves_work_for_thieves();
void Z8_stalled_core_blocks_no_other();
void E9_ring_indices_wrap();

// fair.cpp
void V3_busy_ring_starves_nobody();
void V3_busy_overflow_starves_nobody();
void V3_busy_pinned_queue_starves_nobody();

// wake.cpp
void Z5_single_submit_wakes_one_core();
void Z5_batch_of_n_wakes_at_most_n_cores();
void Z5_submit_meets_a_parking_core();
void Z5_submit_meets_a_waking_core();
void Z5_long_tasks_spread_over_all_cores();
void Z5_long_tasks_from_outside();
void Z5_long_tasks_find_parked_cores();
void Z5_role_is_not_kept_by_run_after_poll();
void Z5_all_park_at_rest();

// start.cpp
void Z6_missing_cores();

// faults.cpp
void Z6_refused_once();
void Z6_refused_core_k();
void Z6_all_refused_then_retried();
void Z6_tasks_retry_now_and_then();
void Z6_all_absent();
void Z6_never_checks_in();
void Z6_never_checks_in_beside_run();
void Z6_never_checks_in_for_submit_on();
void Z6_races_the_deadline();
void Z6_checks_in_late_but_in_time();
void Z6_spurious_wakes();
void Z7_join_withdraws_starts();

// shutdown.cpp
void Z7_idle_pool();
void Z7_parked_workers();
void Z7_twice();
void Z7_from_task();
void Z7_from_other_core();
void Z7_from_isr();
void Z7_joiner_sleeps_until_shutdown();
void Z7_waking_core();
void Z7_mid_steal();
void Z7_join_runs_what_is_left();
void Z7_join_sees_results();
void Z7_recreated_at_once();
void Z7_recreated_under_load();

// join.cpp
void Z7_foreign_joiner_runs_what_is_left();
void Z7_one_joiner_at_a_time();
void E2_foreign_joiner_hands_back_pinned();
void V11_join_counts_what_it_runs();

// closing.cpp
void Z9_closed_pool_refuses();
void Z9_submits_of_a_draining_task();
void Z9_racing_submits_from_isr();
void Z9_racing_submits_from_other_core();
void Z9_abandoned_tasks_come_back();
void Z9_abandon_without_batch();
void Z9_drain_turns_into_abandon();

// pinned.cpp
void E2_runs_only_there();
void E2_pinned_to_itself_before_run();
void E2_pinned_from_tasks();
void E2_pinned_waits_for_a_busy_core();
void E2_wakes_its_parked_core();
void E2_absent_core_is_unavailable();

// isr.cpp
void E1_bursts_run_exactly_once();
void E1_storm_coalesces();
void E1_interrupts_of_all_cores();
void E1_million_submits();
void P4_storm_of_events();
void V11_statistics_in_interrupt();

// host.cpp
void E1_nested_interrupts();

// misuse.cpp
void E4_resubmit_from_its_own_run();
void E4_queued_twice();
void E4_queued_in_a_batch();
void E4_two_cores_submit_one_task();
void E5_bad_tasks();
void E5_unknown_core();
void E5_nested_calls();
void E5_calls_in_isr();

// fork.cpp
void B1_owner_takes_the_newest();
void B1_thief_takes_the_oldest();
void B1_last_child_has_one_winner();
void B2_full_deque_runs_inline();
void B2_recursion_beyond_the_deque();
void B3_fork_meets_a_parking_core();
void B3_offer_wakes_one_core();
void B3_parts_of_a_group_get_a_core_each();
void B3_parts_of_a_loop_get_a_core_each();
void B4_join_meets_its_thief();
void B4_sleeping_joiner_is_woken();
void V10_waiting_join_helps();

// beside.cpp
void B5_at_rest_after_forks();
void B6_outside_work_between_stolen_children();
void B6_outside_work_between_tasks();
void B9_search_rounds_are_bounded();
void B_private_work_waits_for_a_tick_at_most();
void B_private_work_waits_for_a_chunk_at_most();

// loops.cpp
void B7_loops_of_every_type();
void B7_nested();
void B7_outside_of_pools_runs_serially();
void B7_group_ends_before_wait();
void V10_boot_core_before_run();
void V10_from_inside();
void V10_core_of_another_pool();

// stack.cpp
void B7_join_stack_is_bounded();

}  // namespace firmware
