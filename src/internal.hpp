// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: small helpers shared by the sources of the scheduler.
#pragma once

#include <weft/scheduler.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

// The counter's own core, task context.
inline void count(Published<uint32_t>& counter, uint32_t by) {
    counter.store(counter.own() + by, relaxed);  // relaxed: statistics, see Scheduler::stats()
}

// Runs a task that no queue holds any more. From the first instruction of the run function on, the task may be gone or
// queued again: it is not touched afterwards.
inline void execute(Task* task) {
    const Task::Run run = TaskAccess::run(*task);
    link(task).unclaim();
    run(*task);
}

inline uint32_t word(Power power) { return static_cast<uint32_t>(power); }

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
