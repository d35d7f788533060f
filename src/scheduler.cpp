// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the way in (submit) and the worker's loop. The other parts of Scheduler: search.cpp (where the next task comes
// from), idle.cpp (notify and park), power.cpp (starting cores), fork.cpp (fork-join), shutdown.cpp.
#include <weft/scheduler.hpp>

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::count;
using detail::link;
using detail::Power;
using detail::word;

// What the pool keeps for the calling core, or nullptr for a foreign core.
Scheduler::Worker* Scheduler::own() {
    const uint32_t core = Port::core_id();
    return core < cores_ ? &workers_[core] : nullptr;
}

// Everything that can refuse a task; on ok the task is claimed. Writes nothing otherwise.
Status Scheduler::admit(Task& task) {
    check_constructed();
    const Status status = detail::check(task);
    if (status != Status::ok) return status;
    // relaxed: a submit that comes after the shutdown in program order or by an edge sees it; one that races is decided
    // by the injector's `open` mark, or ends in the ring of a worker that has not left.
    if ((idle_.load(relaxed) & closing) != 0) return Status::closed;
    return link(&task).claim() ? Status::ok : Status::already_queued;
}

// Hands a claimed task in from outside.
Status Scheduler::inject(Task& task, uint32_t chances) {
    if (injector_.push(&task, &task)) return notify(chances);
    link(&task).unclaim();
    return Status::closed;
}

Status Scheduler::submit(Task& task) {
    if (WEFT_CHECKS && Port::in_isr()) return Status::wrong_context;
    const Status status = admit(task);
    if (status != Status::ok) return status;
    Worker* const worker = current();
    if (worker == nullptr) return inject(task, from_outside);
    count(worker->counters.submitted, 1);
    return worker->ring.push(&task) ? notify(from_task) : spill(*worker, task);
}

// The ring was full: its older half and the task go to the overflow, or a thief has made room.
Status Scheduler::spill(Worker& worker, Task& task) {
    Task* const first = worker.ring.take_half(&task);
    if (first != &task) count(worker.counters.overflows, 1);
    worker.overflow.push(first, &task);  // never closed: nobody but its worker pushes
    return notify(from_task);
}

Status Scheduler::submit_from_isr(Task& task) {
    const Status status = admit(task);
    return status == Status::ok ? inject(task, from_isr) : status;
}

// Any number of tasks in a few steps: the chain goes as it is to where rings are refilled from.
Status Scheduler::submit(Batch& batch) {
    if (WEFT_CHECKS && Port::in_isr()) return Status::wrong_context;
    check_constructed();
    if (batch.empty()) return Status::ok;
    if ((idle_.load(relaxed) & closing) != 0) return Status::closed;  // relaxed: as in admit()
    Worker* const worker = own();
    detail::TaskStack* stack = &injector_;
    uint32_t chances = from_outside;
    if (is_at_work(worker)) {
        count(worker->counters.submitted, batch.count_);  // accepted: an overflow is never closed
        stack = &worker->overflow;
        chances = from_task;
    }
    if (!stack->push(batch.first_, batch.last_)) return Status::closed;
    batch.forget();
    return notify(chances);
}

// Another core, off as it seems: is it here nevertheless, or can it be started? A load may show what is long past; a
// change of the state, by nothing, is made to the newest one.
bool Scheduler::reach(uint32_t core) {
    Atomic<uint32_t>& power = workers_[core].power;
    const uint32_t now = power.fetch_or(0, relaxed);  // relaxed: the state protects no data
    if (is_here(now)) return true;
    if (now != word(Power::absent) && start(core, static_cast<Power>(now))) return true;
    // Another core may have been faster. [T1] if its start was withdrawn since then, why: the pool may be closing
    return is_here(power.fetch_or(0, acquire));
}

Status Scheduler::submit_on(uint32_t core, Task& task) {
    check_constructed();
    if (core >= cores_) return Status::unknown_core;
    if (WEFT_CHECKS && Port::in_isr()) return Status::wrong_context;
    const Status admitted = admit(task);
    if (admitted != Status::ok) return admitted;
    Worker& worker = workers_[core];
    Status status = Status::core_unavailable;
    if (&worker == own() || is_here(worker.power.load(relaxed)) || reach(core)) {  // relaxed: see reach()
        status = worker.pinned.push(&task, &task) ? Status::ok : Status::closed;
        // relaxed (both): what made reach() fail has been seen there
    } else if (((roster_.load(relaxed) & sealed) | (idle_.load(relaxed) & closing)) != 0) {
        status = Status::closed;
    }
    if (status != Status::ok) {
        link(&task).unclaim();
        return status;
    }
    Port::fence();  // [I1] the pinned task before the look at the core's bit; pairs with rest()
    // relaxed: ordered by the fence. The bit stays: the core finds the task itself when it wakes.
    if ((idle_.load(relaxed) & bit(core)) != 0) Port::unpark(core);
    return Status::ok;
}

// run() and poll(). `tasks`: as max_tasks of work(), and in the end how many it ran.
Status Scheduler::engage(uint32_t& tasks) {
    const Status status = enlist();
    if (status != Status::ok) return status;
    tasks = work(tasks);
    leave();
    return Status::ok;
}

Status Scheduler::run() {
    uint32_t tasks = 0;  // no bound
    return engage(tasks);
}

Polled Scheduler::poll(uint32_t max_tasks) {
    const Status status = max_tasks != 0 ? engage(max_tasks) : Status::ok;
    return {status, status == Status::ok ? max_tasks : 0};
}

// The life of the calling core as a worker, between enter() and leave(). `max_tasks`: how many tasks it runs at most,
// not waiting for any; or 0: it stays until the pool closes, parking when there is nothing to do. Returns how many.
uint32_t Scheduler::work(uint32_t max_tasks) {
#if WEFT_FORK_DEPTH
    // It has nothing to do yet, unless an earlier poll() has left it something.
    forks_[Port::core_id()].set_idle(max_tasks == 0 && !workers_[Port::core_id()].ring.looks_nonempty());
#endif
    Worker& worker = arrive(WEFT_FORK_DEPTH != 0 && max_tasks == 0 ? Power::stays : Power::on);
    // There is work somewhere: a core that stays takes the waking role for its search if that is free, unless it has
    // tasks of its own from an earlier poll().
    if (max_tasks == 0 && !worker.ring.looks_nonempty()) {
        worker.role.set(static_cast<uint16_t>(waking & ~change(idle_, 0, waking)));
    }
    detail::ForkDeque* const before = forks_[worker.core].enter(*this);
    const uint32_t ran = serve(worker, max_tasks, nullptr);
#if WEFT_FORK_DEPTH
    if (max_tasks == 0) answer_calls(worker);
#endif
    detail::ForkDeque::leave(before);
    worker.active.set(false);
    return ran;
}

// Runs tasks: see work(). Also the joiner does so, who is no worker; what is abandoned goes to its batch.
uint32_t Scheduler::serve(Worker& worker, uint32_t max_tasks, Batch* left_over) {
    const bool armed = arm_stack_canary(worker);
    uint32_t left = max_tasks;
    for (;;) {  // ends: abandoned, nothing left to do, or enough
        if (left_over == nullptr && abandoned()) break;
        const uint32_t executed = worker.counters.executed.own();
        // By the sign: what a task does in its joins counts, too.
        const bool fair = static_cast<int32_t>(executed - worker.fair_at.get()) >= 0;
        Task* task = fair ? next_shared(worker) : nullptr;
        if (task == nullptr) task = worker.ring.pop();
        if (task == nullptr) task = search(worker, max_tasks);
        if (task == nullptr) break;
        if (left_over != nullptr && abandoned()) {
            if (!detail::settle(task)) left_over->append(task);
            continue;
        }
        check_stack_canary(worker);
        worker.counters.executed.store(executed + 1, relaxed);  // relaxed: statistics
        detail::execute(task);
        if (--left == 0 && max_tasks != 0) break;  // a core that stays runs more tasks than 32 bits can count
    }
    disarm_stack_canary(worker, armed);
    return max_tasks - left;
}

#if WEFT_CHECKS
namespace {

constexpr uint32_t canary = 0x5afe57acu;
// The core is in serve(). Each entry is touched by its own core only. A foreign core, which can only be here as a
// joiner, has none.
bool is_serving[Port::max_cores];

}  // namespace

// False: this is a loop within a task of another pool's loop, which has armed the canary.
bool Scheduler::arm_stack_canary(Worker& worker) {
    uint32_t* const limit = Port::stack_limit();
    worker.stack_limit.set(limit);
    const uint32_t core = Port::core_id();
    if (core < Port::max_cores && is_serving[core]) {
        check_stack_canary(worker);
        return false;
    }
    if (core < Port::max_cores) is_serving[core] = true;
    if (limit != nullptr) *limit = canary;
    return true;
}

void Scheduler::check_stack_canary(Worker& worker) {
    const uint32_t* const limit = worker.stack_limit.get();
    if (limit == nullptr || *limit == canary) return;
    Port::panic("weft: the stack overflowed; give this core a larger stack", Port::core_id(), nullptr);
}

void Scheduler::disarm_stack_canary(Worker& worker, bool armed) {
    check_stack_canary(worker);
    const uint32_t core = Port::core_id();
    if (armed && core < Port::max_cores) is_serving[core] = false;
}
#else
bool Scheduler::arm_stack_canary(Worker&) { return false; }
void Scheduler::check_stack_canary(Worker&) {}
void Scheduler::disarm_stack_canary(Worker&, bool) {}
#endif

}  // namespace WEFT_ABI
}  // namespace weft
