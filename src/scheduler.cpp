// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the way in (submit) and the worker's loop. The other parts of Scheduler: search.cpp (where the next task comes
// from), urgent.cpp (which goes first), idle.cpp (notify and park), power.cpp (starting cores), fork.cpp and call.cpp
// (fork-join), shutdown.cpp.
#include <weft/scheduler.hpp>

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::count;
using detail::link;
using detail::Power;
using detail::rarely;

// What the pool keeps for the calling core, or nullptr for a foreign core.
Scheduler::Worker* Scheduler::this_worker() {
    const uint32_t core = Port::core_id();
    return core < cores_ ? &workers_[core] : nullptr;
}

// Hands a claimed task in from outside.
Status Scheduler::inject(Task& task, Chances chances) {
    WEFT_TRACE_EITHER(chances == Chances::from_isr, inject_from_isr, inject, detail::function_of(task),
                      detail::trace_tag(&task));
    if (injector_.push(&task, &task)) return notify(chances);
    link(&task).unclaim();
    return Status::closed;
}

Status Scheduler::submit(Task& task) {
    if (WEFT_CHECKS && Port::in_isr()) return Status::wrong_context;
    const Status status = let_in(task);
    if (status != Status::ok) return status;
    Worker* const worker = active_worker();
    if (worker == nullptr) return inject(task, Chances::from_outside);
    count(worker->counters.submitted, 1);
    WEFT_TRACE_BY(worker, submit, detail::function_of(task), detail::trace_tag(&task));
    Task* const older = worker->ring.put(&task);
    if (WEFT_NEWEST_FIRST && older == nullptr) return notify(Chances::from_task);
    return worker->ring.push(older) ? notify(Chances::from_task) : spill(*worker, *older);
}

// The ring is full: the task goes to the overflow. What is in the ring stays, so it comes to its turn (DESIGN 4.2).
Status Scheduler::spill(Worker& worker, Task& task) {
    WEFT_TRACE_BY(&worker, spill, detail::function_of(task), detail::trace_tag(&task));
    count(worker.counters.overflows, 1);
    worker.overflow.push(&task, &task);  // never closed: nobody but its worker pushes
    return notify(Chances::from_task);
}

Status Scheduler::submit_from_isr(Task& task) {
    const Status status = let_in(task);
    return status == Status::ok ? inject(task, Chances::from_isr) : status;
}

// Any number of tasks in a few steps: the chain goes as it is to where rings are refilled from.
Status Scheduler::submit(Batch& batch) {
    if (most_urgent != 0) return rush(batch, Urgency::normal, Chances::from_outside);  // does the same
    return let_in(batch, Chances::from_outside);
}

// Queues the tasks of a batch, which is not empty, with one wake: if they are urgent, with those of their level; where
// thieves find them, if the caller is a worker's task; and else with the injector. closed: the pool has ended.
// `chances`: those of a caller that is no worker's task.
Status Scheduler::hand_in(Batch& batch, Chances chances) {
    Worker* const worker = may_retry(chances) && !detail::Preemption::runs_here() ? this_worker() : nullptr;
    detail::TaskStack* stack = &injector_;
    if (is_at_work(worker)) {
        count(worker->counters.submitted,
              batch.count_);  // accepted: such a stack is never closed under a worker
        stack = &worker->overflow;
        chances = Chances::from_task;
    }
    if (batch.level_.is_urgent()) stack = &urgent_queue(batch.level_);
    WEFT_TRACE_EITHER(chances == Chances::from_isr, hand_in_from_isr, hand_in,
                      detail::function_of(*batch.first_),
                      detail::trace_batch(batch.level_.number(), batch.count_));
    if (!stack->push(batch.first_, batch.last_, batch.length())) return Status::closed;
    const bool at_once = OnTop::preempts(batch.level_);
    batch.forget();
    return at_once ? OnTop::preempt(*this, chances) : notify(chances);
}

Status Scheduler::submit_on(uint32_t core, Task& task) {
    check_constructed();
    if (core >= cores_) return Status::unknown_core;
    if (OnTop::is_no_task_context()) return Status::wrong_context;
    const Status answer = let_in(task);
    if (answer != Status::ok) return answer;
    Worker& worker = workers_[core];
    visits(worker);
    // relaxed: see reach()
    const bool here =
        !is_out(worker) && (&worker == this_worker() || is_here(worker.power.load(relaxed)) || reach(worker));
    Status status = Status::core_unavailable;
    if (here) {
        WEFT_TRACE_EVENT(submit_on, detail::function_of(task), core);
        status = worker.pinned.push(&task, &task) ? Status::ok : Status::closed;
    } else if (roster_.is_sealed() || idle_.look().is_closing()) {
        status = Status::closed;  // what made reach() fail has been seen there
    }
    end_visit(worker);
    if (status != Status::ok) {
        link(&task).unclaim();
        return status;
    }
    Port::fence();  // [I1] the pinned task before the look at the core's bit; pairs with rest()
    // The bit stays: the core finds the task itself when it wakes.
    if (idle_.look().is_parked(core)) {
        WEFT_TRACE_EVENT(wake, 0, core);
        Port::unpark(core);
    }
    return Status::ok;
}

// What run() and poll() share. `tasks`: as max_tasks of work(), and in the end how many it ran.
Status Scheduler::run_or_poll(uint32_t& tasks) {
    const Status status = check_in();
    if (status != Status::ok) return status;
#if WEFT_ELASTIC
    Worker& worker = workers_[Port::core_id()];
    const bool stays = tasks == until_closed;
    worker.by_itself.set(1);
    tasks = work(tasks);
    // In a task of another pool it can be started when that has ended.
    const Power to = detail::ForkDeque::works_for_a_pool() ? Power::off : Power::elsewhere;
    const bool goes_on = stays && steps_out(worker, to, false);
    if (goes_on) idle_.allow_retry();
#else
    tasks = work(tasks);
    constexpr bool goes_on = false;
#endif
    roster_.count_out();
    return goes_on ? Status::retired : Status::ok;
}

Status Scheduler::run() {
    uint32_t tasks = until_closed;
    return run_or_poll(tasks);
}

// A poll that is not the first one, or a guest's. If nothing is to be seen, it finds nothing. It only reads: it is not
// counted in. What is held counts, as it is about to be shared, and a deque that is yet to be asked for more: then it
// goes the full way. So does what is refused.
inline bool Scheduler::polls_in_vain() const {
    const uint32_t core = Port::core_id();
    if (core >= cores_ || OnTop::is_no_task_context() || is_owner()) return false;
    const Worker& self = workers_[core];
    // relaxed: this core has set it. Where another one leaves it (a start, who admits it), the next poll sees that.
    const uint32_t power = self.power.load(relaxed);
    const bool visits = power <= detail::word(Power::elsewhere) && detail::ForkDeque::works_for_a_pool();
    const bool was_here = power == detail::word(Power::on) || visits;
    if (!was_here || self.active.get() != 0) return false;
    if (has_due_timer() || detail::TaskStack::any_used(self.pinned) || set_is_visible(core)) return false;
    return !tasks_visible(0);
}

Polled Scheduler::poll(uint32_t max_tasks) {
    if (max_tasks == 0) return {Status::ok, 0};
    Status status = Status::ok;
    const bool closing = idle_.look_for_the_end();
    if (!detail::for_size && !closing && polls_in_vain()) {
        max_tasks = 0;
    } else {
        status = run_or_poll(max_tasks);
        if (status != Status::ok) {
            max_tasks = 0;
        } else if (max_tasks == 0 && closing) {
            status = Status::closed;  // nothing was found after the look: the rest is other workers'
        }
    }
    // One way out: early returns cost 24 bytes on AArch64.
    return {status, max_tasks};
}

// The life of the calling core as a worker, after it was counted in and before it is counted out. Returns how many
// tasks it has run, if it does not stay.
uint32_t Scheduler::work(uint32_t max_tasks) {
    const bool stays = max_tasks == until_closed;
#if WEFT_FORK_DEPTH
    {
        const Worker& self = *this_worker();
        // It has nothing to do yet, unless an earlier poll() has left it something.
        forks_[self.core].set_idle(stays && !self.ring.looks_nonempty());
    }
#endif
    Worker& worker = become_worker(stays ? Power::stays : Power::on);
    // There is work somewhere: a core that stays takes the waking role for its search if that is free, unless it has
    // tasks of its own from an earlier poll().
    if (stays) {
        comes_to_stay(*this, worker);
        const uint16_t role = worker.ring.looks_nonempty() ? 0 : IdleBits::waking;
        worker.role.set(idle_.come_to_stay(role).free_role() & role);
    }
    detail::ForkDeque* const before = forks_[worker.core].enter(*this);
    const uint32_t ran = run_tasks(worker, max_tasks, nullptr);
    worker.fair.cut();
#if WEFT_FORK_DEPTH
    if (stays && !detail::is_leaving(worker.power.load(relaxed))) answer_calls(worker);  // relaxed: its own
#endif
    stop_working(worker, before);
#if WEFT_FORK_DEPTH
    if (!stays && detail::ForkDeque::works_for_a_pool()) ends_as_guest(worker);
#endif
    return ran;
}

// The turn of the shared queues has come: a task from there, or nullptr.
inline Task* Scheduler::next_shared(Worker& worker) {
#if WEFT_ELASTIC || WEFT_BLOCKING
    Task* task = take_what_is_left(worker);
#else
    Task* task = nullptr;
#endif
    if (task == nullptr) {
        retry_starts();
        task = search_shared(worker);
    }
    if (task != nullptr) forks_[worker.core].set_idle(false);  // it has come with nothing to do, see work()
    return task;
}

// A worker's loop, for three who have one, by its arguments. run() and cores that were started: until_closed, parking
// when there is nothing to do. poll(): at most `max_tasks`, waiting for none. finish(), for the joiner: all that is
// left, and a batch for what does not run. Without that batch it ends at once if the pool is abandoned.
uint32_t Scheduler::run_tasks(Worker& worker, uint32_t max_tasks, Batch* left_over) {
    const bool armed = arm_stack_canary(worker);
    uint32_t left = max_tasks;  // counted only by who does not stay
    // Copies: loops within tasks have turns of their own meanwhile, which take nothing from this one's.
    uint32_t due = worker.fair_at.get();
    uint32_t passed = worker.passed();
    for (;;) {  // ends: abandoned, nothing left to do, or enough
        stands_if_asked(worker);
        Task* task = nullptr;
        if (rarely(is_abandoned())) {
            detail::only_if_needed();
            if (left_over == nullptr) {
                task = take_mandatory(*this, worker);
                if (task == nullptr) break;
            }
        }
        if (task == nullptr && max_tasks == until_closed && is_asked_to_go(worker) && departs(*this, worker))
            break;
        const uint32_t executed = worker.counters.executed.own();
        // By the sign: what a task does in its joins counts, too.
        const int32_t since = static_cast<int32_t>(executed - due);
        const bool is_due = since >= 0;
        if (rarely(is_due) && has_due_timer()) serve_timers();
        if (task == nullptr && has_urgent()) task = next_urgent(worker, due, passed);
        if (rarely(is_due) && task == nullptr && worker.take_turn(executed, since, due, passed)) {
            task = take_in_turn(*this, worker, max_tasks == until_closed);
            if (task == nullptr) task = next_shared(worker);
        }
        if (task == nullptr) task = worker.ring.pop();
        if (rarely(task == nullptr)) task = find(worker, max_tasks);
        if (task == nullptr) break;
        const bool must_run = is_mandatory(worker);
        const detail::Origin origin = detail::taken_from(worker);
        if (rarely(left_over != nullptr) && is_abandoned() && !must_run) {
            if (!detail::settle(task)) left_over->append(task);
            continue;
        }
        check_stack_canary(worker);
        tell_before_a_task(worker);
        worker.counters.executed.store(executed + 1, relaxed);  // relaxed: statistics
        detail::count_from(worker.counters, origin, 1);
        const bool blocks = begins(worker);
        detail::execute(task, &worker);
        ends(*this, worker, blocks);
        if (rarely(max_tasks != until_closed) && --left == 0) break;
    }
    disarm_stack_canary(worker, armed);
    return max_tasks - left;
}

#if WEFT_CHECKS
namespace {

constexpr uint32_t canary = 0x5afe57acu;
// The core is in run_tasks(). Each entry is touched by its own core only. A foreign core, which can only be here as a
// joiner, has none.
bool is_running_tasks[Port::max_cores];

}  // namespace

// False: this is a loop within a task of another pool's loop, which has armed the canary.
bool Scheduler::arm_stack_canary(Worker& worker) {
    uint32_t* const limit = Port::stack_limit();
    worker.stack_limit.set(limit);
    const uint32_t core = Port::core_id();
    if (core < Port::max_cores && is_running_tasks[core]) {
        check_stack_canary(worker);
        return false;
    }
    if (core < Port::max_cores) is_running_tasks[core] = true;
    if (limit != nullptr) *limit = canary;
    return true;
}

void Scheduler::check_stack_canary(Worker& worker) {
    const uint32_t* const limit = worker.stack_limit.get();
    if (limit == nullptr || *limit == canary) return;
    Port::panic(stack_overflow, Port::core_id(), nullptr);
}

void Scheduler::disarm_stack_canary(Worker& worker, bool armed) {
    check_stack_canary(worker);
    const uint32_t core = Port::core_id();
    if (armed && core < Port::max_cores) is_running_tasks[core] = false;
}
#else
bool Scheduler::arm_stack_canary(Worker&) { return false; }
void Scheduler::check_stack_canary(Worker&) {}
void Scheduler::disarm_stack_canary(Worker&, bool) {}
#endif

}  // namespace WEFT_ABI
}  // namespace weft
