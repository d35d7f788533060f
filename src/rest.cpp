// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: a pool at rest. All its cores sleep and nothing is queued: who waits for that, and how it is found out.
//
// It cannot be read from one word: the tasks are in queues. So a core looks at all queues, between two looks at the
// cores (is_at_rest()). Each worker counts its turns: when it comes or wakes up, and when it goes or is about to park.
//
//     r1  the turns of each core: all even, none is awake [L3]     a worker comes, wakes up: turn; fence; takes a task
//     r2  every queue: nothing; fence [L4]                         it parks, or goes: turn; then the idle word, or the
//     r3  the turns again: the sum is as before                      roster
//
// Claim 8: if so, no task ran between r1 and r3, and nothing was queued but what is submitted from outside meanwhile.
//   1. Let X be a task that was submitted before, as the look knows [L1], or one that X has submitted, and so on. Say
//      that it runs, or is queued. It was in a queue first, and r2 looks there after that: what is done by a core
//      before its turn in r1 is seen [L3].
//   2. If X is still there, it is found. Else a core K has taken it, after its turn and its fence. Then r3 sees that
//      turn [L4], and either the sum differs, or r1 had seen it. Then K was awake, or X was done: K went off after it.
//   3. In the last case what X has submitted was in a queue before r1, and 1 holds for it.
//   4. A joiner may have taken it: then the pool is closing, as r3 sees, and is not found at rest any more.
// Claim 9: when a pool comes to rest, somebody finds it out.
//   1. Each core that parks looks, after its last look (see_to_rest()). Let K be the last one that parks or leaves. If
//      it parks, the others' turns are before their steps of the idle word or the roster, and these before its own: it
//      finds what it looks for. (A second round: the first one may have begun with a value that is old.)
//   2. If K leaves (a poll, a call), its step of the roster shows it the observers. It unparks all cores, and each
//      observer looks anew. An observer that came after that step has seen K go, by its own step of the roster [J1].
//   3. For the image's function nobody is told by who leaves a poll, a call or run(): it is awake itself. Who leaves
//      for good (WEFT_ELASTIC=1) takes a step of the idle word after its last turn, and unparks one that sleeps, which
//      looks anew. Who announces its park after that step has seen the turn, as its own step comes after it. If the
//      one that was unparked works meanwhile, it parks or leaves later, and all of this holds for it.
#include <weft/config.hpp>

#if WEFT_REST

#include "beside_a_sleep.hpp"

namespace weft {
inline namespace WEFT_ABI {

void detail::Roster::unpark_all(uint32_t cores) {
    for (uint32_t core = 0; core != cores; ++core) {
        WEFT_TRACE_EVENT(wake, 0, core);
        Port::unpark(core);
    }
}

Status Scheduler::on_all_asleep(void (*function)(void*), void* argument) {
    check_constructed();
    if (roster_.live() != 0) return Status::wrong_context;
    rest_.set_function(function, argument);
    return Status::ok;
}

Status Scheduler::wait_idle() {
    check_constructed();
    if (OnTop::is_no_task_context()) return Status::wrong_context;
    return wait_outside([this](Worker& worker) { return await_rest(worker); },
                        [this] { return await_rest_from_afar(); });
}

// r1, or r3.
Scheduler::Rested Scheduler::look_at_cores() const {
    Rested found;
    const Worker* const end = workers_ + cores_;
    for (const Worker* worker = workers_; worker != end; ++worker) {
        const uint32_t turns = worker->turns.load(acquire);  // [L3]
        found.turns += turns;
        found.awake |= turns & 1;
#if WEFT_PREEMPTION
        const uint32_t top_turns = worker->top_turns.load(acquire);  // [L3]
        found.turns += top_turns;
        found.awake |= top_turns & 1;
#endif
        found.waits |= worker->waits.load(relaxed);  // relaxed: after the turn
    }
    return found;
}

// Claim 8. `without_waits`: and no task waits for another one.
bool Scheduler::is_at_rest(bool without_waits) const {
    for (uint32_t rounds = 2; rounds != 0; --rounds) {
        const Rested before = look_at_cores();
        if (before.awake != 0 || (without_waits && before.waits != 0)) return false;
        if (work_visible()) return false;
        const Worker* const end = workers_ + cores_;
        for (const Worker* worker = workers_; worker != end; ++worker) {
            if (worker->pinned.looks_nonempty()) return false;
        }
        if (any_set_is_visible() || is_any_queued()) return false;
        Port::fence();  // [L4] who has taken something has come before [J3]
        // A joiner is no worker: it takes what is left, after `closing` and its fence [J3].
        if (idle_.look().is_closing()) return false;
        if (look_at_cores().turns == before.turns) return true;
    }
    return false;  // another core has just come, and will look itself, or tell who waits
}

// If somebody waits for rest, and the pool is at rest, tells them all. `own_bit`: of the caller, who need not be told.
bool Scheduler::serve_rest(uint32_t own_bit) {
    uint32_t last;
    if (!rest_.is_wanted(last) || !is_at_rest(true)) return false;
    rest_.serve(last);
    unpark_each((rest_.sleepers() << IdleBits::first_core) & ~own_bit);
    return true;
}

// A core that is about to sleep, after its last look. True: something was to be done, and it must look again.
bool Scheduler::see_to_rest(Worker& worker) {
    if (serve_rest(IdleBits::bit(worker.core))) return true;
    if (!rest_.has_function()) return false;
    IdleBits seen(0);
    do {
        seen = idle_.look();  // a guess; the step decides
        if (!seen.may_call() || !is_at_rest(false)) return false;
    } while (!idle_.begin_call(seen));  // ends: if not, the word has changed
    worker.active.set(Worker::in_function);
    {
        // Else a child of another core's would count between two steps of the loop's own count.
        const detail::ForksSerially serially;
        WEFT_TRACE_EVENT(all_asleep, reinterpret_cast<uintptr_t>(this), 0);
        rest_.call_function();
    }
    worker.active.set(Worker::in_loop);
    idle_.end_call();  // who has parked meanwhile has left the next call to this core: it looks again
    return true;
}

// A core of the pool, as a worker.
Status Scheduler::await_rest(Worker& worker) {
    const detail::TracedWait told;
    detail::ForkDeque& forks = forks_[worker.core];
    rest_.add(worker.core);
    roster_.add_observer();
    const uint32_t ticket = rest_.draw();
    bool closing = false;
    while (!closing && !rest_.is_served(ticket)) {  // ends: claim 9; or the pool is closing
        if (run_tasks(worker, 1, nullptr) != 0) continue;
        forks.set_idle(true);
        closing = !rest_until(worker, [this, ticket] { return rest_.is_served(ticket); }) || is_abandoned();
        forks.set_idle(false);
    }
    roster_.remove_observer();
    rest_.remove(worker.core);
    pass_on(worker);
    return rest_.is_served(ticket) ? Status::ok : Status::closed;
}

// A foreign core, as in attend_from_afar().
Status Scheduler::await_rest_from_afar() {
    const detail::TracedWait told;
    const uint32_t ticket = rest_.draw();
    while (!rest_.is_served(ticket)) {  // ends: with the rest, or the pool
        if (idle_.look().is_closing()) return Status::closed;
        if (!serve_rest(0)) Port::relax();
    }
    return Status::ok;
}

}  // namespace WEFT_ABI
}  // namespace weft

#endif  // WEFT_REST
