// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: tasks for some of the cores (CoreSet). Each set has a queue, which its cores share:
//
//     submit_on(set, task) --push--> sets_[i] --try_lock, one task, unlock--> runs on a core of the set
//
// A task is taken alone, and never into a ring: others would steal it. As for a pinned task, a core of the set is
// unparked with its bit as it is, and without the waking role: it finds the task itself. The steps:
//
//     a submitter                                      a core P of the set
//     q1  make the task visible in the queue           e1  its bit goes, by itself or by wake(); or its power state
//     q2  fence [I1]                                       changes from `starting`
//     q3  a core of the set is parked: unpark it       e2  before it runs a task, or leaves (`tells`): fence [I1]
//     q4  else, if none is on its way: start one       e3  a queue has something: q3 and q4 for that set
//
// Claim 10: a task of a set is not left lying while a core of that set is parked, or could be started by who comes by.
//   1. If q3 or q4 sees P parked or on its way, and P misses the task in e3, then e2 came before q2, and q3 reads what
//      e1 wrote, or something newer (store buffering). So P does not miss it, or q3 goes on to another core.
//   2. If P sees it in e3, it does for it what the submitter does, and P is not parked any more, nor on its way. So the
//      duty goes on, from core to core, until the task is taken, or all cores of the set that can come are at work.
//      These look at the queue after each task at the latest when their ring is empty, and every WEFT_FAIR_INTERVAL.
//   3. A core of the set that parks looks at the queue after its bit and its fence (claim 1 in idle.cpp).
//   4. A look does not count a queue that is held. Its holder goes on to e2 if something is left then (claim 4 there).
//   5. A start that is withdrawn because it is overdue ends in e2 and e3, too (withdraw_overdue_starts()).
#include <weft/config.hpp>

#if WEFT_CORE_SETS

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::Power;
using detail::SetQueue;
using detail::TaskStack;
using detail::word;

namespace {

constexpr bool is_one_core(uint32_t set) { return (set & (set - 1)) == 0; }

}  // namespace

Status Scheduler::submit_for(CoreSet cores, Task& task, Chances chances) {
    Batch one;
    Status status = one.push(task);
    if (status != Status::ok) return status;
    status = submit_for(cores, one, chances);
    static_cast<void>(one.pop());  // refused: it is the caller's again
    return status;
}

Status Scheduler::submit_for(CoreSet cores, Batch& batch, Chances chances) {
    check_constructed();
    if (cores.empty()) return Status::out_of_range;
    const uint32_t all = (1u << cores_) - 1;
    if ((cores.mask() & ~all) != 0) return Status::unknown_core;
    if (cores.mask() == all) {
        batch.level_ = Urgency::normal;
        return let_in(batch, chances);
    }
    if (may_retry(chances) && OnTop::is_no_task_context()) return Status::wrong_context;
    if (batch.empty()) return Status::ok;
    if (idle_.look().is_closing()) return Status::closed;  // as for a task
    const uint32_t set = cores.mask() << IdleBits::first_core;
    TaskStack* const queue = set_queue(set);
    if (queue == nullptr) return Status::out_of_range;
    if (!reach_one(set, chances)) {
        return roster_.is_sealed() || idle_.look().is_closing() ? Status::closed : Status::core_unavailable;
    }
    WEFT_TRACE_EVENT(submit_for, detail::function_of(*batch.first_), cores.mask());
    if (!queue->push(batch.first_, batch.last_, batch.length())) return Status::closed;
    batch.forget();
    Port::fence();  // [I1] the tasks before the look at the cores; pairs with rest_until(), tell_of_sets()
    if (may_retry(chances) && (idle_.look().parked() & set) == 0 &&
        (withdraw_overdue_starts() & withdrawn) != 0) {
        start_one();  // what was withdrawn may have been for a task that any core may run, or for a timer
    }
    static_cast<void>(wake_one(set, chances));
    return Status::ok;
}

// Where its tasks go: one core has its pinned queue. nullptr: all places are taken by other sets.
TaskStack* Scheduler::set_queue(uint32_t set) {
    if (is_one_core(set)) return &workers_[IdleBits(set).lowest_parked()].pinned;
    for (SetQueue& each : sets_) {
        if (each.become(set)) return &each.tasks;
    }
    return nullptr;
}

// Is a core of the set here, or can one be started?
bool Scheduler::reach_one(uint32_t set, Chances chances) {
    bool here = false;
    for (uint32_t core = 0; core != cores_; ++core) {
        // relaxed: a hint, see reach()
        here |= (set & IdleBits::bit(core)) != 0 && is_here(workers_[core].power.load(relaxed));
    }
    for (bool tried = false, again = true; !here && again; tried = true) {  // ends: as in reach()
        if (may_retry(chances) && (start_any_of(set, Power::off) || start_any_of(set, Power::elsewhere)))
            return true;
        again = false;
        for (uint32_t core = 0; core != cores_; ++core) {
            if ((set & IdleBits::bit(core)) == 0) continue;
            uint32_t now = detail::change(workers_[core].power, 0, 0);
            // Another core may have been faster: see reach(). A handler does not wait for it, and trusts in that start.
            while (now == word(Power::claimed) && may_retry(chances)) {
                again = !tried;  // its start may have been refused: once for this call, too
                Port::relax();
                now = detail::change(workers_[core].power, 0, 0);
            }
            here |= is_here(now) || now == word(Power::claimed);
        }
    }
    const uint32_t self = Port::core_id();
    // The calling core may come by itself, as with submit_on(uint32_t, Task&).
    return here || (self < cores_ && (set & IdleBits::bit(self)) != 0);
}

// q3 and q4. True: a core is on its way, by this call. The parked core's bit stays: it finds the task when it wakes.
bool Scheduler::wake_one(uint32_t set, Chances chances) {
    const IdleBits seen = idle_.look();
    const uint32_t parked = seen.parked() & set;
    if (parked != 0) {
        WEFT_TRACE_EVENT(wake, 0, IdleBits(parked).lowest_parked());
        Port::unpark(IdleBits(parked).lowest_parked());
        return false;
    }
    return !seen.is_closing() && has_chance(IdleBits(seen.word() & ~IdleBits::parked_cores), chances) &&
           start_one_of(set);
}

// As start_one(), for the cores of a set: one that is off, unless one is on its way; if none is, and nobody is here who
// stays, one that ran other code when it was seen last.
bool Scheduler::start_one_of(uint32_t set) {
    Found seen = 0;
    for (uint32_t core = 0; core != cores_; ++core) {
        // relaxed: after a fence, see claim 10
        if ((set & IdleBits::bit(core)) != 0) seen |= 1u << workers_[core].power.load(relaxed);
    }
    if ((seen & coming) != 0) return false;
    if (start_any_of(set, Power::off)) return true;
    return (seen & residents) == 0 && start_any_of(set, Power::elsewhere);
}

// As start_any().
bool Scheduler::start_any_of(uint32_t set, Power from) {
    uint32_t core = start_cursor_.load(relaxed);  // relaxed (both): a hint
    for (uint32_t left = cores_; left != 0; --left) {
        if (++core >= cores_) core = 0;
        if ((set & IdleBits::bit(core)) != 0 && start(core, from)) {
            start_cursor_.store(core, relaxed);
            return true;
        }
    }
    return false;
}

// e2 and e3. True: a core is on its way, by this call.
bool Scheduler::tell_of_sets(Chances chances) {
    Port::fence();  // [I1] that this core does not wait any more, before the look; pairs with submit_for()
    bool comes = false;
    for (const SetQueue& each : sets_) {
        if (each.tasks.looks_nonempty()) comes |= wake_one(each.cores(), chances);
    }
    return comes;
}

// A task for a set that this core is in. The sets take turns at being the first.
Task* Scheduler::take_of_sets(Worker& worker) {
    for (uint32_t i = 0; i != WEFT_CORE_SETS; ++i) {
        SetQueue& queue = sets_[worker.next_set.get()];
        worker.next_set.set((worker.next_set.get() + 1) % WEFT_CORE_SETS);
        if ((queue.cores() & IdleBits::bit(worker.core)) == 0) continue;
        bool left = false;
        Task* const task = queue.take(left);
        if (left) must_tell(worker);
        if (task != nullptr) return task;
    }
    return nullptr;
}

// The joiner: what it may not run itself is left over.
void Scheduler::close_sets(Worker* self, Batch& left_over) {
    for (SetQueue& each : sets_) {
        each.tasks.close();
        if (self != nullptr && (each.cores() & IdleBits::bit(self->core)) != 0) continue;
        bool left = false;
        while (Task* const task = each.take(left)) left_over.append(task);
    }
}

}  // namespace WEFT_ABI
}  // namespace weft

#endif  // WEFT_CORE_SETS
