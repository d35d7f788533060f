// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the umbrella header. A work-stealing scheduler for bare-metal multicore.
#pragma once

#include <weft/batch.hpp>
#include <weft/pool.hpp>
#include <weft/scheduler.hpp>
#include <weft/status.hpp>
#include <weft/task.hpp>
#if WEFT_FORK_DEPTH
#include <weft/fork_join.hpp>
#include <weft/parallel.hpp>
#include <weft/task_group.hpp>
#endif
