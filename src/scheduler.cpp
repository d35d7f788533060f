// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the way in (submit), the worker's loop, statistics. The other parts of Scheduler: search.cpp (where the next
// task comes from), idle.cpp (notify and park), power.cpp (starting cores), shutdown.cpp.
#include <weft/scheduler.hpp>

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::count;
using detail::link;
using detail::Power;
using detail::word;

// The worker that the calling core is at this moment, or nullptr for a foreign core (or a core before run()).
Scheduler::Worker* Scheduler::current() {
    const uint32_t core = Port::core_id();
    if (core >= cores_) return nullptr;
    Worker& worker = workers_[core];
    return worker.active.get() != 0 ? &worker : nullptr;
}

// Everything that can refuse a task; on ok the task is claimed. Writes nothing otherwise.
Status Scheduler::admit(Task* task) {
    const Status status = detail::check(task);
    if (status != Status::ok) return status;
    // relaxed: a submit that comes after the shutdown in program order or by an edge sees it; one that races is decided
    // by the injector's `closed` mark, or ends in the ring of a worker that has not left.
    if ((idle_.load(relaxed) & closing) != 0) return Status::closed;
    return link(task).claim() ? Status::ok : Status::already_queued;
}

// Hands a claimed task in from outside.
Status Scheduler::inject(Task* task, uint32_t chances) {
    if (injector_.push(task, task)) return notify(chances);
    link(task).unclaim();
    return Status::closed;
}

Status Scheduler::submit(Task* task) {
    if (WEFT_CHECKS && Port::in_isr()) return Status::wrong_context;
    const Status status = admit(task);
    if (status != Status::ok) return status;
    Worker* const worker = current();
    if (worker == nullptr) return inject(task, from_outside);
    count(worker->counters.submitted, 1);
    return worker->ring.push(task) ? notify(from_task) : spill(*worker, task);
}

// The ring was full: its older half and the task go to the overflow, or a thief has made room.
Status Scheduler::spill(Worker& worker, Task* task) {
    Task* first = task;
    Task* last = nullptr;
    if (worker.ring.take_half(first, last) != 0) {
        count(worker.counters.overflows, 1);
        link(last).set_next(task);
    }
    worker.overflow.push(first, task);  // never closed: nobody but its worker pushes
    return notify(from_task);
}

Status Scheduler::submit_from_isr(Task* task) {
    const Status status = admit(task);
    return status == Status::ok ? inject(task, from_isr) : status;
}

// Any number of tasks in a few steps: the chain goes as it is to where rings are refilled from.
Status Scheduler::submit(Batch& batch) {
    if (WEFT_CHECKS && Port::in_isr()) return Status::wrong_context;
    if (batch.empty()) return Status::ok;
    if ((idle_.load(relaxed) & closing) != 0) return Status::closed;  // relaxed: as in admit()
    Worker* const worker = current();
    detail::TaskStack* stack = &injector_;
    uint32_t chances = from_outside;
    if (worker != nullptr) {
        count(worker->counters.submitted, batch.count_);  // accepted: an overflow is never closed
        stack = &worker->overflow;
        chances = from_task;
    }
    if (!stack->push(batch.first_, batch.last_)) return Status::closed;
    batch.forget();
    return notify(chances);
}

Status Scheduler::submit_on(uint32_t core, Task* task) {
    if (core >= cores_) return Status::unknown_core;
    if (WEFT_CHECKS && Port::in_isr()) return Status::wrong_context;
    const Status admitted = admit(task);
    if (admitted != Status::ok) return admitted;
    Worker& worker = workers_[core];
    Status status = Status::core_unavailable;
    // relaxed: a state that protects no data; a core that is or was on has its queue.
    if (core == Port::core_id() || worker.power.load(relaxed) > word(Power::absent) || start(core)) {
        status = worker.pinned.push(task, task) ? Status::ok : Status::closed;
    } else if ((roster_.load(relaxed) & sealed) != 0) {  // relaxed: as in enter()
        status = Status::closed;
    }
    if (status != Status::ok) {
        link(task).unclaim();
        return status;
    }
    Port::fence();  // [I1] the pinned task before the look at the core's bit; pairs with rest()
    // relaxed: ordered by the fence. The bit stays: the core finds the task itself when it wakes.
    if ((idle_.load(relaxed) & bit(core)) != 0) Port::unpark(core);
    return Status::ok;
}

// run() and poll(): may the calling core become a worker of this pool? ok: it is counted in.
Status Scheduler::enlist() {
    if (Port::core_id() >= cores_) return Status::unknown_core;
    if ((WEFT_CHECKS && Port::in_isr()) || current() != nullptr) return Status::wrong_context;
    return enter() ? Status::ok : Status::closed;
}

Status Scheduler::run() {
    const Status status = enlist();
    if (status == Status::ok) {
        work(0);
        leave();
    }
    return status;
}

uint32_t Scheduler::poll(uint32_t max_tasks) {
    if (max_tasks == 0 || enlist() != Status::ok) return 0;
    const uint32_t ran = work(max_tasks);
    leave();
    return ran;
}

// The life of the calling core as a worker, between enter() and leave(). `max_tasks`: how many tasks it runs at most,
// not waiting for any; or 0: it stays until the pool closes, parking when there is nothing to do. Returns how many.
uint32_t Scheduler::work(uint32_t max_tasks) {
    Worker& worker = arrive();
    // There is work somewhere: a core that stays takes the waking role for its search if that is free, unless it has
    // tasks of its own from an earlier poll().
    if (max_tasks == 0 && !worker.ring.looks_nonempty())
        worker.waking.set((change(idle_, 0, waking) & waking) == 0);
    detail::ForkDeque* const before = forks_[worker.core].enter(*this);
    const uint32_t ran = serve(worker, max_tasks);
    detail::ForkDeque::leave(before);
    worker.active.set(false);
    return ran;
}

// The calling core is a worker from now on.
Scheduler::Worker& Scheduler::arrive() {
    Worker& worker = workers_[Port::core_id()];
    // From now on nobody starts this core. A start may be under way while it comes here by itself, by run() or poll():
    // then it is withdrawn, here or by start(), whoever comes later. acquire: [P1] what start() posted.
    if (worker.power.exchange(word(Power::on), acquire) == word(Power::starting) &&
        Port::cancel_start(worker.core, this)) {
        leave();
    }
    worker.active.set(true);
    return worker;
}

// Runs tasks: see work(). Also the joiner does so, who is no worker.
uint32_t Scheduler::serve(Worker& worker, uint32_t max_tasks) {
    const bool stay = max_tasks == 0;
    arm_stack_canary(worker);
    uint32_t left = max_tasks;
    while (!abandoned()) {  // ends: abandoned, nothing left to do, or enough
        Task* const task = next(worker, stay);
        if (task == nullptr) break;
        check_stack_canary(worker, task);
        count(worker.counters.executed, 1);
        detail::execute(task);
        if (--left == 0 && !stay) break;  // a core that stays runs more tasks than 32 bits can count
    }
    return max_tasks - left;
}

#if WEFT_CHECKS
namespace {
constexpr uint32_t canary = 0x5afe57acu;
}

void Scheduler::arm_stack_canary(Worker& worker) {
    uint32_t* const limit = Port::stack_limit();
    worker.stack_limit.set(limit);
    if (limit != nullptr) *limit = canary;
}

void Scheduler::check_stack_canary(Worker& worker, Task* task) {
    const uint32_t* const limit = worker.stack_limit.get();
    if (limit == nullptr || *limit == canary) return;
    Port::panic("weft: the stack overflowed before this task; give this core a larger stack", worker.core,
                task);
}
#else
void Scheduler::arm_stack_canary(Worker&) {}
void Scheduler::check_stack_canary(Worker&, Task*) {}
#endif

}  // namespace WEFT_ABI
}  // namespace weft
