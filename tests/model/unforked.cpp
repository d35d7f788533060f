// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: waiting without forks (WEFT_FORK_DEPTH=0). There no core knows that it is in a task of another pool.
#include "waits.hpp"

namespace {

MODEL_SCENARIO(unforked_wait_in_a_task, InATask).stale_reads(1).each_wake();
MODEL_SCENARIO(unforked_wait_outside, Outside).stale_reads(1);
MODEL_SCENARIO(unforked_wait_for_who_never_comes, NeverComesToAForeignCore)
    .ticks_per_call(1000)
    .stale_reads(1);
MODEL_SCENARIO(unforked_wait_in_another_pools_task_beside_a_join, OtherPoolBesideAJoin).stale_reads(0);

}  // namespace
