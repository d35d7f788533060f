// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: a level that preempts. Its tasks wait in the queue of the most urgent level. They are run by the handler of an
// interrupt that the submitter makes pending on some core, on top of what that core does: a task, a search, its sleep.
// (The smallest form of preemption: Samek and Ward, "Build a Super Simple Tasker", Embedded Systems Design, 2006.)
//
//     submit --push, fence--> takes the `ready` bit of a core --Port::interrupt--> interrupted() --> run_on_top()
//     run_on_top():  clears its core's bit, runs all that it finds, sets the bit, fence, looks once more
//
// Claim 11: a task of this level is run at once by some core that works for the pool, as soon as one of them is in no
// such task and has not masked the interrupt. It takes no part in the protocol of sleep (DESIGN, chapter 6).
//   1. A core that has its bit set runs no such task, or looks at the queue after the step that sets the bit. So who
//      finds no bit set leaves its task to cores that look: its push, fence, load of the bits; their bit, fence, look.
//      One of the two sees the other (store buffering [I1]).
//   2. Who clears a bit interrupts that core. Its handler looks at the queue: it reads from the step that cleared the
//      bit, or from the interrupt [X1]. If the core has left the pool before, it looked after its last step of
//      `ready_`, and has interrupted another one, or notified.
//   3. A handler that finds its core in run_on_top() already, between two tasks, returns at once: the bit is not set
//      yet, and run_on_top() looks again after the step that sets it.
//   4. A queue that is held does not count in these looks. Its holder looks at `more` after its unlock, and interrupts
//      another core (as in claim 4 of idle.cpp).
//   5. If no core can be interrupted as none works for the pool, submit() notifies as for any urgent task: one is
//      started, and looks before its first task. So DESIGN, chapter 6, holds for what nobody is interrupted for.
#include <weft/config.hpp>

#if WEFT_PREEMPTION

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::Preemption;
using detail::TaskStack;

namespace {

// Between two accesses that a handler on this core must not see in the other order.
void order_for_handlers() { __atomic_signal_fence(__ATOMIC_ACQ_REL); }

}  // namespace

// ---- The submitter

// After tasks of this level were pushed. Always ok: the last step of a submit.
Status Scheduler::OnTop::preempt(Scheduler& pool, Chances chances) {
    // [I1] the task before the look at who is ready; pairs with run_on_top(), can_be_interrupted()
    Port::fence();
    return interrupt_one(pool) ? Status::ok : pool.notify(chances);
}

// After that fence. A core that sleeps is preferred, then the calling one, to whom the way is shortest. False: none
// can be interrupted; if any works for the pool it is in a task of this level, and looks after that.
bool Scheduler::OnTop::interrupt_one(Scheduler& pool) {
    uint32_t ready = pool.ready_.load(relaxed);  // relaxed: after the fence; the step decides
    const uint32_t core = Port::core_id();
    const uint32_t self = core < pool.cores_ ? IdleBits::bit(core) : 0;
    while (ready != 0) {                                             // ends: each round takes a bit out
        const uint32_t parked = ready & pool.idle_.look().parked();  // a hint
        const uint32_t from = parked != 0 ? parked : ready;
        const uint32_t chosen = (from & self) != 0 ? self : from & (0 - from);  // the lowest
        ready &= ~chosen;
        // [X1] the task, for the handler. Acquire: what the core did before it was ready.
        if ((pool.ready_.fetch_and(~chosen, acq_rel) & chosen) == 0) continue;  // another submit was faster
        WEFT_TRACE_EVENT(interrupt, reinterpret_cast<uintptr_t>(&pool), IdleBits(chosen).lowest_parked());
        for (uint32_t victim = 0; victim != pool.cores_; ++victim) {
            if (chosen == IdleBits::bit(victim)) Port::interrupt(victim, &OnTop::interrupted);
        }
        return true;
    }
    return false;
}

// ---- The core

// From here on all pools that this core works in take it for a handler.
inline void Scheduler::OnTop::enter_top([[maybe_unused]] Worker& worker, uint32_t core) {
    Preemption::running[core] = true;
    order_for_handlers();
#if WEFT_REST
    // [L3] the time for which nothing ran is over
    worker.top_turns.store(worker.top_turns.own() + 1, release);
    Port::fence();  // [L4] that it is awake, before what it takes is gone
#endif
    for (Worker* each = Preemption::innermost[core]; each != nullptr; each = each->outer.get()) {
        each->suspended.set(each->active.get());
        each->active.set(Worker::preempted);
    }
}

inline void Scheduler::OnTop::leave_top([[maybe_unused]] Worker& worker, uint32_t core) {
    for (Worker* each = Preemption::innermost[core]; each != nullptr; each = each->outer.get()) {
        each->active.set(each->suspended.get());
    }
#if WEFT_REST
    worker.top_turns.store(worker.top_turns.own() + 1, release);  // [L3] what it did
#endif
    order_for_handlers();
    Preemption::running[core] = false;
}

// One task, alone, as everything that is urgent. `more`: others are to be told of what is left.
inline Task* Scheduler::OnTop::take(Scheduler& pool, bool& more) {
    TaskStack& queue = pool.urgent_[most_urgent - 1];
    for (uint32_t patience = WEFT_STEAL_PATIENCE;; --patience) {  // ends: at 0
        Task* list = queue.try_lock();
        if (list != nullptr) {
            Task* const task = TaskStack::next(list);
            more = queue.unlock(list);
            return task;
        }
        // Who holds the queue needs a few steps, unless it is interrupted; then it looks for others itself.
        if (patience == 0 || !TaskStack::any_used(queue)) return nullptr;
        Port::relax();
    }
}

// Runs what there is of this level: `on_top` of the core's task or sleep, or between two tasks. What is left in an
// abandoned pool the joiner hands back.
inline void Scheduler::OnTop::serve_all(Scheduler& pool, Worker& worker, bool on_top) {
    while (run_on_top(pool, worker, on_top)) {
        // ends: nothing is left
    }
#if WEFT_REST
    if (on_top) Port::unpark(worker.core);  // it may sleep, and be the one to tell who waits for rest
#endif
}

// True: there is more. Out of line, as is the end of it: what counts is how soon the first task begins, and a compiler
// would prepare for all that may follow before it.
bool Scheduler::OnTop::run_on_top(Scheduler& pool, Worker& worker, bool on_top) {
    const uint32_t core = worker.core;
    enter_top(worker, core);  // first: an interrupt in between must not set the bit again
    const uint32_t own_bit = IdleBits::bit(core);
    // Nobody chooses a core that runs such a task. relaxed: nobody else sets the bit
    if ((pool.ready_.load(relaxed) & own_bit) != 0)
        pool.ready_.fetch_and(~own_bit, acq_rel);  // [X1] as below
    // It forks in none of its pools: serially, that is.
    detail::ForkDeque* const deque = detail::ForkDeque::put(core, nullptr);
    while (!pool.is_abandoned()) {
        bool more = false;
        Task* const task = take(pool, more);
        if (task == nullptr) break;
        if (more) {
            Port::fence();  // [I1] the unlock before the look at who is ready
            interrupt_one(pool);
        }
        if (!on_top && worker.role.get() != 0) pool.announce(worker);
        detail::count(worker.counters.preempting, 1);
        detail::execute(task, &worker);
    }
    return end_on_top(pool, worker, deque);
}

bool Scheduler::OnTop::end_on_top(Scheduler& pool, Worker& worker, detail::ForkDeque* deque) {
    detail::ForkDeque::put(worker.core, deque);
    leave_top(worker, worker.core);
    // [X1] acquire: the task of who has cleared the bit. Release: what this core did
    pool.ready_.fetch_or(IdleBits::bit(worker.core), acq_rel);
    Port::fence();  // [I1] the bit before the look at the queue
    return !pool.is_abandoned() && pool.urgent_[most_urgent - 1].looks_nonempty();
}

// The handler of Port::interrupt(): for all pools that this core works in.
void Scheduler::OnTop::interrupted() {
    const uint32_t core = Port::core_id();
#if WEFT_QUIESCE
    for (Worker* worker = Preemption::innermost[core]; worker != nullptr; worker = worker->outer.get()) {
        Scheduler& pool = *worker->pool.get();
        // A step reads the newest value; a load may be behind the interrupt. [U2] This core may be about to come, and
        // not have looked at the door: if a request has just ended, the tasks below see what the owner wrote.
        const uint32_t number = pool.standstill_.request().fetch_or(0, acquire);
        if (number != 0 && !Preemption::goes_on[core] && !pool.is_owner()) {
            static_cast<void>(pool.stands(*worker, number));
        }
    }
#endif
    if (Preemption::running[core]) return;
    for (Worker* worker = Preemption::innermost[core]; worker != nullptr; worker = worker->outer.get()) {
        serve_all(*worker->pool.get(), *worker, true);
    }
}

#if WEFT_QUIESCE
// All that work for the pool, after the request.
void Scheduler::OnTop::interrupt_for_quiescing(Scheduler& pool) {
    for (uint32_t core = 0; core != pool.cores_; ++core) {
        if (core != Port::core_id() && pool.workers_[core].stand.number() != 0) {
            Port::interrupt(core, &OnTop::interrupted);
        }
    }
}

Scheduler::OnTop::GoesOn::GoesOn()
    : core_(Port::core_id()), before_(core_ < Port::max_cores && Preemption::goes_on[core_]) {
    if (core_ < Port::max_cores) Preemption::goes_on[core_] = true;
    order_for_handlers();
}

// The interrupt may have come meanwhile, and gone; for any pool that this core works in.
Scheduler::OnTop::GoesOn::~GoesOn() {
    order_for_handlers();
    if (core_ >= Port::max_cores) return;
    Preemption::goes_on[core_] = before_;
    order_for_handlers();
    if (before_) return;
    for (Worker* worker = Preemption::innermost[core_]; worker != nullptr; worker = worker->outer.get()) {
        const Scheduler& pool = *worker->pool.get();
        if (pool.standstill_.asked() == 0 || pool.is_owner()) continue;
        Port::interrupt(core_, &OnTop::interrupted);
        return;
    }
}
#endif

// Between two tasks. Not by a joiner, who is no worker, and may have to hand them back.
void Scheduler::OnTop::serve_if_any(Scheduler& pool, Worker& worker) {
    if (worker.active.get() == Worker::in_loop && TaskStack::any_used(pool.urgent_[most_urgent - 1])) {
        serve_all(pool, worker, false);
    }
}

// The core has become a worker. It looks at the queue before its first task.
void Scheduler::OnTop::can_be_interrupted(Scheduler& pool, Worker& worker) {
    worker.pool.set(&pool);
    worker.outer.set(Preemption::innermost[worker.core]);
    order_for_handlers();
    Preemption::innermost[worker.core] = &worker;
    // relaxed: who takes the bit interrupts this core, and its handler comes after all that this core did; and what is
    // queued already it finds after the fence
    pool.ready_.fetch_or(IdleBits::bit(worker.core), relaxed);
    Port::fence();  // [I1] the bit before the look at the queue
}

// The core leaves the pool. It may have been chosen, and its handler not have come yet.
void Scheduler::OnTop::cannot_be_interrupted(Scheduler& pool, Worker& worker) {
    Preemption::innermost[worker.core] = worker.outer.get();
    order_for_handlers();
    // [X1] as in run_on_top()
    pool.ready_.fetch_and(~IdleBits::bit(worker.core), acq_rel);
    Port::fence();  // [I1] the bit before the look at the queue
    if (!pool.urgent_[most_urgent - 1].looks_nonempty() || interrupt_one(pool)) return;
    // The submit that has chosen this core may have come from outside: claim 25.
    static_cast<void>(pool.notify(Chances::from_outside));
}

}  // namespace WEFT_ABI
}  // namespace weft

#endif  // WEFT_PREEMPTION
