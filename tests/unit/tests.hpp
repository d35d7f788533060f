// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests: the parts of a pool by themselves, on the host. By file.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <vector>

#include <weft/weft.hpp>

#include "random.hpp"
#include "tap.hpp"
#include "wait.hpp"

namespace unit {

using weft::acq_rel;
using weft::acquire;
using weft::Atomic;
using weft::Batch;
using weft::Job;
using weft::Pool;
using weft::relaxed;
using weft::release;
using weft::Status;
using weft::Task;
using weft::detail::Ring;
using weft::detail::TaskStack;

// A task that only queues look at, with the number of times that somebody has got it.
struct Item : Task {
    constexpr Item() : Task(&Item::run) {}
    static void run(Task&) {}
    Atomic<uint32_t> taken{};
};

// In checked builds a link counts as queued from the moment that somebody claims it.
inline void claim(Task& task) { CHECK(weft::detail::link(&task).claim()); }
inline void unclaim(Task& task) { weft::detail::link(&task).unclaim(); }

// Does misuse() end in a panic that says so? In a child process, as the panic ends it: before there are threads.
bool panics(void (*misuse)(), const char* reason);

// ring.cpp
void Z4_ring_holds_its_capacity();
void Z4_ring_fills_from_a_list();
void Z4_ring_gives_its_older_half();
void Z4_thief_takes_the_larger_half();
void Z4_owner_and_thieves_race();
void E9_ring_wraps_anywhere();

// task_stack.cpp
void Z8_stack_gives_back_what_it_got();
void Z8_stack_keeps_the_rest();
void Z8_held_stack_blocks_nobody();
void Z8_pushes_while_held_are_not_lost();
void Z9_closed_stack_refuses();
void Z9_stack_closes_while_held();
void Z8_pushers_and_consumers_race();

// values.cpp
void Z3_batch_is_a_queue();
void Z3_batch_pops_are_free();
void E4_batch_refuses_queued_tasks();
void Z2_sizes();
void Z2_job_keeps_its_callable();
void E5_statuses_have_texts();

// pool.cpp
void Z1_pools_of_every_size();
void E5_foreign_threads();
void E2_foreign_thread_hands_back_pinned();
void Z7_one_thread_joins();
void V11_totals_are_sums();
void E10_panic_names_an_overflowed_stack();
void E5_pools_without_a_constructor_refuse();
void Z1_arrays_of_pools_work();

// fork.cpp
void B7_misuse_panics();
void B7_ranges_of_every_length();
void B7_loops_split_down_to_the_grain();
void B7_grain_0_is_1();
void V10_foreign_thread_forks();
void V10_abandoned_pool_forks_nothing();

// callables.cpp
void B7_callables_keep_what_they_change();
void B7_mutable_lambdas_keep_what_they_change();
void B7_callables_of_every_kind_are_called();
void B7_reduce_takes_what_its_type_holds();

// starts.cpp
void V10_foreign_thread_starts_core_after_core();
void V10_foreign_thread_without_any_core();

// deque.cpp
void B2_deque_full_of_stolen_children_begins_anew();
void B2_depths_count_what_found_no_room();
void B4_join_helps_only_deeper();
void B4_siblings_share_a_depth();
void B5_sleeps_of_a_join_are_counted();
void B8_steals_spread();

}  // namespace unit
