// SPDX-License-Identifier: MIT OR Apache-2.0
// The unit tests: one program with all of them.
#include <unistd.h>

#include "tests.hpp"

using namespace unit;

#define TEST(name) \
    { #name, name }

constexpr tap::Test tests[] = {
    TEST(E10_panic_names_an_overflowed_stack),  // first: it forks, and there are no other threads yet
    TEST(B7_misuse_panics),                     // as well
    TEST(E5_pools_without_a_constructor_refuse),
    TEST(Z1_arrays_of_pools_work),
    TEST(Z4_ring_holds_its_capacity),
    TEST(Z4_ring_fills_from_a_list),
    TEST(Z4_ring_gives_its_older_half),
    TEST(Z4_thief_takes_the_larger_half),
    TEST(Z4_owner_and_thieves_race),
    TEST(E9_ring_wraps_anywhere),
    TEST(Z8_stack_gives_back_what_it_got),
    TEST(Z8_stack_keeps_the_rest),
    TEST(Z8_held_stack_blocks_nobody),
    TEST(Z8_pushes_while_held_are_not_lost),
    TEST(Z9_closed_stack_refuses),
    TEST(Z9_stack_closes_while_held),
    TEST(Z8_pushers_and_consumers_race),
    TEST(Z3_batch_is_a_queue),
    TEST(Z3_batch_pops_are_free),
    TEST(E4_batch_refuses_queued_tasks),
    TEST(Z2_sizes),
    TEST(Z2_job_keeps_its_callable),
    TEST(E5_statuses_have_texts),
    TEST(Z1_pools_of_every_size),
    TEST(E5_foreign_threads),
    TEST(E2_foreign_thread_hands_back_pinned),
    TEST(Z7_one_thread_joins),
    TEST(V11_totals_are_sums),
    TEST(B7_ranges_of_every_length),
    TEST(B7_loops_split_down_to_the_grain),
    TEST(B7_grain_0_is_1),
    TEST(B7_callables_keep_what_they_change),
    TEST(B7_mutable_lambdas_keep_what_they_change),
    TEST(B7_callables_of_every_kind_are_called),
    TEST(B7_reduce_takes_what_its_type_holds),
    TEST(B2_deque_full_of_stolen_children_begins_anew),
    TEST(B2_depths_count_what_found_no_room),
    TEST(B4_join_helps_only_deeper),
    TEST(B4_siblings_share_a_depth),
    TEST(B5_sleeps_of_a_join_are_counted),
    TEST(B8_steals_spread),
    TEST(V10_foreign_thread_forks),
    TEST(V10_abandoned_pool_forks_nothing),
    TEST(V10_foreign_thread_starts_core_after_core),
    TEST(V10_foreign_thread_without_any_core),
};

extern "C" int board_main() {
    alarm(100);  // ends the program where a test hangs
    return tap::run(tests);
}
