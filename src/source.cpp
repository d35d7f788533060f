// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: how a strand, a gate or an event hands tasks to its pool.
#include <weft/detail/source.hpp>

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

Task* in_order(Task* newest) {
    Task* oldest = nullptr;
    while (newest != nullptr) {
        Task* const next = link(newest).next();
        link(newest).set_next(oldest);
        oldest = newest;
        newest = next;
    }
    return oldest;
}

Status Source::admit(Task& task, From from) const {
    const Status status = check(from);
    return status == Status::ok ? pool_->admit(task) : status;
}

// As Scheduler::submit(Batch&), but for what refuses.
bool Source::hand_in(Task* first, Task* last, From from) const {
    Scheduler::Worker* const worker = from == From::task ? pool_->active_worker() : nullptr;
    TaskStack& stack = worker != nullptr ? worker->overflow : pool_->injector_;
    if (!stack.push(first, last)) return false;
    const Chances chances = worker != nullptr    ? Chances::from_task
                            : from == From::task ? Chances::from_outside
                                                 : Chances::from_isr;
    return pool_->notify(chances) == Status::ok;
}

void Source::give_back(Batch& batch, Task* list) {
    while (list != nullptr) {
        Task* const task = list;
        list = link(task).next();
        batch.append(task);
    }
}

void Source::count_executed(uint32_t more) const {
    Scheduler::Worker* const worker = pool_->active_worker();
    if (worker != nullptr) count(worker->counters.executed, more);
}

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
