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
    if (!injector_.push(task, task)) {
        link(task).unclaim();
        return Status::closed;
    }
    notify(chances);
    return Status::ok;
}

Status Scheduler::submit(Task* task) {
    if (WEFT_CHECKS && Port::in_isr()) return Status::wrong_context;
    const Status status = admit(task);
    if (status != Status::ok) return status;
    Worker* const worker = current();
    if (worker == nullptr) return inject(task, from_outside);
    push_local(*worker, task);
    notify(from_task);
    return Status::ok;
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
    detail::TaskStack& stack = worker != nullptr ? worker->overflow : injector_;
    if (!stack.push(batch.first_, batch.last_)) return Status::closed;
    if (worker != nullptr) count(worker->counters.submitted, batch.count_);
    batch.forget();
    notify(worker != nullptr ? from_task : from_outside);
    return Status::ok;
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

// Owner.
void Scheduler::push_local(Worker& worker, Task* task) {
    count(worker.counters.submitted, 1);
    while (!worker.ring.push(task)) {  // ends: take_half gives 0 only when thieves made room, so the next push succeeds
        Task* first = nullptr;
        Task* last = nullptr;
        if (worker.ring.take_half(first, last) == 0) continue;
        count(worker.counters.overflows, 1);
        link(last).set_next(task);
        worker.overflow.push(first, task);  // closed only after this worker has left
        return;
    }
}

// run() and poll(): the calling core as a worker of this pool, counted in; or nullptr and the reason.
Scheduler::Worker* Scheduler::enlist(Status& status) {
    const uint32_t core = Port::core_id();
    status = Status::unknown_core;
    if (core >= cores_) return nullptr;
    Worker& worker = workers_[core];
    status = Status::wrong_context;
    if (worker.active.get() != 0 || (WEFT_CHECKS && Port::in_isr())) return nullptr;
    status = enter() ? Status::ok : Status::closed;
    return status == Status::ok ? &worker : nullptr;
}

Status Scheduler::run() {
    Status status = Status::ok;
    if (Worker* const worker = enlist(status)) work(*worker, 0);
    return status;
}

uint32_t Scheduler::poll(uint32_t max_tasks) {
    Status status = Status::ok;
    if (max_tasks == 0) return 0;
    Worker* const worker = enlist(status);
    return worker != nullptr ? work(*worker, max_tasks) : 0;
}

// A worker's life, from its first step to the moment it counts itself out; the pool may be gone when this returns.
// `max_tasks`: how many it runs at most, not waiting for any; or 0: it stays until the pool closes, parking when there
// is nothing to do. Returns how many tasks it ran.
uint32_t Scheduler::work(Worker& worker, uint32_t max_tasks) {
    // From now on nobody starts this core; a start that is under way will be refused, as the core is here.
    worker.power.exchange(word(Power::on), relaxed);  // relaxed: the state protects no data
    // There is work somewhere: a core that stays takes the waking role for its search if that is free, unless it has
    // tasks of its own from an earlier poll().
    if (max_tasks == 0 && !worker.ring.looks_nonempty()) worker.waking.set((change(0, waking) & waking) == 0);
    worker.active.set(true);
    arm_stack_canary(worker);
    uint32_t ran = 0;
    while (!abandoned()) {  // ends: abandoned, nothing left to do, or enough
        Task* const task = next(worker, max_tasks == 0);
        if (task == nullptr) break;
        check_stack_canary(worker, task);
        count(worker.counters.executed, 1);
        detail::execute(task);
        ++ran;
        if (ran == max_tasks && max_tasks != 0) break;  // 0: it stays, for more tasks than 32 bits can count
    }
    worker.active.set(false);
    leave();
    return ran;
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
    Port::panic("weft: the stack overflowed before this task; give this core a larger stack", worker.core, task);
}
#else
void Scheduler::arm_stack_canary(Worker&) {}
void Scheduler::check_stack_canary(Worker&, Task*) {}
#endif

}  // namespace WEFT_ABI
}  // namespace weft
