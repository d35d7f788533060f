// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: what the sources of the scheduler share, and its fast paths.
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

#if WEFT_FORK_DEPTH == 0
inline bool refused_errand(Task*) { return false; }
#else
// The joiner, for a task that is left over: true if it was call()'s, whose caller runs it itself now.
bool refused_errand(Task* task);
#endif

inline uint32_t word(Power power) { return static_cast<uint32_t>(power); }

}  // namespace detail

// After tasks were made visible in any queue, by the core that did it. `chances`: from_isr, from_task or from_outside.
// Always ok: the last step of a submit.
inline Status Scheduler::notify(uint32_t chances) {
    Port::fence();  // [I1] the tasks before the look at the idle word; pairs with rest()
    const uint32_t seen = idle_.load(relaxed);  // relaxed: ordered by the fence
    return worth_waking(seen, chances) ? wake(chances) : Status::ok;
}

// The worker's next task. If it may stay, it sleeps until there is one; nullptr: time to leave the pool.
inline Task* Scheduler::next(Worker& worker, bool stay) {
    const uint32_t tick = worker.tick.get() - 1u;
    worker.tick.set(static_cast<uint16_t>(tick));
    Task* task = tick == 0 ? next_shared(worker) : nullptr;
    if (task == nullptr) task = worker.ring.pop();
    return task != nullptr ? task : search(worker, stay);
}

}  // namespace WEFT_ABI
}  // namespace weft
