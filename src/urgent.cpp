// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: levels of urgency. Each level above the lowest has one queue, which all cores share and look at before all else
// between two tasks:
//
//     submit(task, urgency) --push--> urgent_[level - 1] --try_lock, one task, unlock--> runs on that core
//
// A task is taken alone, and what is left stays for others: in a ring it would be behind what is there. It is announced
// as all that a stack keeps behind its holder (claim 4 in idle.cpp).
#include <weft/config.hpp>

#if WEFT_URGENCY_LEVELS > 1

#include <weft/scheduler.hpp>

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::TaskStack;

Status Scheduler::rush(Task& task, Urgency urgency, Chances chances) {
    Batch one;
    Status status = one.push(task);
    if (status != Status::ok) return status;
    status = rush(one, urgency, chances);
    static_cast<void>(one.pop());  // refused: it is the caller's again
    return status;
}

Status Scheduler::rush(Batch& batch, Urgency urgency, Chances chances) {
    batch.level_ = urgency;
    return let_in(batch, chances);
}

// Between two tasks: the most urgent one. After many in a row: one from the highest level but one, then from the next,
// and at last two from the lowest, which are not taken here: of the own ring, and of the shared queues. What is in no
// place of its own the search takes before what is urgent, in a turn of the others.
// `due`: when a turn of those two is, and `passed` urgent tasks have gone before it. Too many have if what runs within
// them ends each row. Then the others have their turns as behind a row, each further one a level lower, and at last the
// lowest one that is due.
Task* Scheduler::next_urgent(Worker& worker, uint32_t due, uint32_t& passed) {
    const uint32_t executed = worker.counters.executed.own();
    const bool is_due = static_cast<int32_t>(executed - due) >= 0;
    const bool too_many = is_due && passed >= Worker::most_passed;
    const uint32_t others = too_many ? passed - Worker::most_passed : tasks_since_urgent(worker);
    const bool turn_of_others = too_many || is_turn_of_others(worker);
    uint32_t level = most_urgent;
    if (turn_of_others) {
        OnTop::serve_if_any(*this, worker);  // this level knows no turns
        level = others + 1 < highest_turn ? highest_turn - 1 - others : 0;
    }
    Task* const task = take_urgent(worker, level);
    if (task == nullptr) {
        if (too_many) {
            // For the search, in this round: a turn of the others.
            worker.urgent_row.set(WEFT_FAIR_INTERVAL);
            worker.urgent_until.set(executed - highest_turn);
        }
        return nullptr;
    }
    forks_[worker.core].set_idle(false);  // as in next_shared()
    if (is_due) worker.pass_over(due, passed, passed + 1);
    if (!turn_of_others) {
        worker.urgent_row.set(others == 0 ? static_cast<uint16_t>(worker.urgent_row.get() + 1) : 1);
        worker.urgent_until.set(executed + 1);
    }
    return task;
}

// A task of this level or of a lower one above the lowest.
Task* Scheduler::take_urgent(Worker& worker, uint32_t level) {
    for (; level != 0; --level) {
        TaskStack& stack = urgent_[level - 1];
        // Here they are run, not taken. Not by a joiner, who is no worker, and may have to hand them back.
        if (WEFT_PREEMPTION && level == most_urgent && worker.active.get() == Worker::in_loop) {
            OnTop::serve_if_any(*this, worker);
            continue;
        }
        // A core that is just taking one needs a few steps. To go on without it would be to wait for a whole task.
        for (uint32_t patience = WEFT_STEAL_PATIENCE; TaskStack::any_used(stack); --patience) {
            Task* const task = refill(worker, stack);
            if (task != nullptr) {
                detail::comes_from(worker, detail::Origin::urgent);
                if (worker.more.get() != 0 || worker.role.get() != 0) announce(worker);
                return task;
            }
            if (patience == 0) break;
            Port::relax();
        }
    }
    return nullptr;
}

}  // namespace WEFT_ABI
}  // namespace weft

#endif  // WEFT_URGENCY_LEVELS > 1
