// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: long tasks, on a limited number of cores. docs/BLOCKING.md leads up to this. All of them stand in one queue:
//
//     submit_blocking(task) --push--> queue_ --count + 1, if there is room; try_lock, one task, unlock--> runs
//                                        ^                                                                |
//                                        +--- the next one may begin <--- count - 1 <--- it ends ---------+
//
// A *taker* is a core in its own loop: not in a nested one, nor in a poll. The queue is *open* if a task is there, and
// room. Three make it so, and tell it: who submits, who lowers the count, who raises the limit.
//
//     who makes it so                                  a taker P
//     q1  push; or a step of the count                 e1  in its sleep: its bit in takers_, then in the idle word;
//     q2  fence [I1]                                       fence [I1]; a look at queue and count
//     q3  queue and count: may one begin?              e2  awake: its bit goes; before it runs a task (`tells`):
//     q4  a taker sleeps: unpark it;                       fence [I1]; q3 and q4
//         else, if none is on its way: start one       e3  it ends one: count - 1; `tells`
//
// Claim 17: at no time do more run than the limit was when they began. Each is counted before it is taken, by a step of
// the word that has the limit, too; and until it has ended.
// Claim 18: a task that may begin is not left lying while a taker sleeps, or could be started.
//   1. Push, count and limit are three ways to open the queue. Of two who do a part each, by the fences the later one
//      sees both parts in q3 (store buffering): a push beside the end of the last task that had filled the room.
//   2. If q4 sees P's bit, and P misses in e2 that the queue is open, then e2 came before q2, and q4 would have seen
//      that the bit is gone. So P does not miss it; or it parks again, and sees it in e1. If q4 does not see the bit,
//      e1 comes after q2, and sees it.
//   3. If P sees it in e2, it takes the place of who opened it: q4 once more. So the duty goes on from core to core,
//      until the task is taken, the room is gone, or no taker sleeps or can come. Takers that are awake look when they
//      find nothing else, and every second time that their turn of the shared queues comes.
//   4. Who has counted itself, but found no task, takes that back: it was a reason for others to see no room. It does
//      as who ends one, e3.
//   5. A core that was refused is tried again in each q4 that is in no handler, also by who submits in a task or passes
//      the duty on: unlike an ordinary task it may not be run by that core, which may be about to wait for it.
//   6. A look does not count a queue that is held. Its holder goes on to e2 if something is left, before its own task.
// A nested core sleeps with a bit in the idle word, but none in takers_. So no wake for such a task goes to who must
// not take it. What is queued otherwise has nothing to do with all this.
#include <weft/config.hpp>

#if WEFT_BLOCKING

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::Chances;
using detail::IdleBits;
using detail::Power;
using detail::TaskStack;
using detail::word;
using detail::Worker;

// q1, q2. Told with what the caller may do, in a task, too: claim 18, 5.
Status Blocking::hand_in(Task& task, Chances chances) {
    Scheduler& pool = static_cast<Scheduler&>(*this);
    Chances of_others = chances;
    const Status status = pool.push_apart(queue_, task, of_others);
    if (status != Status::ok) return status;
    tell_of_blocking(pool, chances);
    return Status::ok;
}

Status Blocking::limit_blocking(uint32_t most_) {
    Scheduler& pool = static_cast<Scheduler&>(*this);
    pool.check_constructed();
    if (Scheduler::OnTop::is_no_task_context()) return Status::wrong_context;
    if (most_ == 0) return Status::out_of_range;
    if (most_ > pool.cores_) most_ = pool.cores_;
    detail::change(state_, count_mask << most_shift, most_ << most_shift);
    tell_of_blocking(pool, Chances::from_outside);
    return Status::ok;
}

// q2, and what follows.
void Blocking::tell_of_blocking(Scheduler& pool, Chances chances) {
    // [I1] what opens the queue, before the look at it, and at who sleeps; pairs with rest_until()
    Port::fence();
    tell(pool, chances);
}

// q3, q4
void Blocking::tell(Scheduler& pool, Chances chances) {
    if (!may_begin()) return;
    const uint32_t takers = takers_.load(relaxed);  // relaxed: after the fence; no data
    if (takers != 0) {
        const uint32_t lowest = IdleBits(takers).lowest_parked();
        WEFT_TRACE_EVENT(wake, 0, lowest);
        Port::unpark(lowest);  // it finds the task itself
        return;
    }
    if (detail::Preemption::runs_here()) chances = Chances::from_isr;  // it may interrupt a start
    // As in wake(): a core that submits from outside runs code of its own.
    Worker* const self = may_retry(chances) ? pool.this_worker() : nullptr;
    if (self != nullptr && !detail::ForkDeque::works_for_a_pool()) {
        Scheduler::move(*self, Power::off, Power::elsewhere);
    }
    const IdleBits seen = pool.idle_.look();
    if (seen.is_closing() || !has_chance(IdleBits(seen.word() & ~IdleBits::parked_cores), chances)) return;
    pool.start_one();
}

// e1
void Blocking::will_take(const Worker& worker) {
    takers_.fetch_or(IdleBits::bit(worker.core), relaxed);  // relaxed: ordered by the fence of rest_until()
}
void Blocking::will_not_take(const Worker& worker) {
    takers_.fetch_and(~IdleBits::bit(worker.core), relaxed);  // relaxed: ordered by the fence of e2, or of e1
}

// In a pool that is closing, where nobody is told: another core holds the queue, and may leave something.
bool Blocking::lingers(const Scheduler& pool) const {
    const bool some = may_begin(0) && !pool.is_abandoned();
    if (some) Port::relax();
    return some;
}

bool Blocking::reserves() {
    uint32_t seen = state_.load(relaxed);  // relaxed (all): it protects no data
    do {
        if (!has_room(seen)) return false;
    } while (!state_.compare_exchange(seen, seen + one_core, relaxed, relaxed));
    return true;
}

// By a taker (`may`), in its search: a task, which begins() tells from others.
Task* Blocking::take_blocking(Scheduler& pool, Worker& worker, bool may) {
    if (!may || !TaskStack::any_used(queue_) || pool.is_abandoned() || !reserves()) return nullptr;
    Task* list = queue_.try_lock();
    if (list == nullptr) {
        end_blocking(pool, worker);
        return nullptr;
    }
    Task* const task = TaskStack::next(list);
    if (queue_.unlock(list)) worker.tells.set(1);
    worker.blocks.set(1);
    detail::comes_from(worker, detail::Origin::blocking);
    needs_another(pool);
    pool.announce(worker);
    return task;
}

// The same where a taker's turn of the shared queues has come, every second time.
Task* Blocking::take_in_turn(Scheduler& pool, Worker& worker, bool may) {
    Task* const task = worker.had_turn.get() != 0 ? nullptr : take_blocking(pool, worker, may);
    worker.had_turn.set(task != nullptr);
    if (task == nullptr) return nullptr;
    worker.fair.cut();  // by a long task
#if WEFT_FORK_DEPTH
    pool.forks_[worker.core].set_idle(false);  // as in next_shared()
#endif
    return task;
}

// All who are here run such tasks, as it seems: then another one is to be here, for what a handler submits, who can
// start nobody (1.4).
void Blocking::needs_another(Scheduler& pool) const {
    Port::fence();  // [I1] that this core is counted, before the look at who is here; pairs with departs()
    // Who has to go says that it stays until l1; it is counted until l0, and looks at this after that.
    uint32_t here = pool.count_here();
    for (uint32_t core = 0; core != pool.cores_; ++core) {
        const uint32_t power = pool.workers_[core].power.load(relaxed);  // relaxed: a hint
        here += power == word(Power::starting) || (!WEFT_ELASTIC && power == word(Power::stays));
    }
    if (!blocks_all_of(here) || pool.idle_.look().is_closing()) return;
    pool.retry_starts();
    if (pool.idle_.look().may_start()) pool.start_one();
}

// Before each task of a loop: has it been taken here?
bool Blocking::begins(Worker& worker) {
    if (worker.blocks.get() == 0) return false;
    worker.blocks.set(0);
    return true;
}

// e3
void Blocking::end_blocking(Scheduler& pool, Worker& worker) {
    state_.fetch_sub(one_core, relaxed);  // relaxed: ordered by the fence of e2, or of e1
    worker.tells.set(1);
    pool.after_blocking(pool);
}

// The joiner, who is alone: what is left is as other tasks now.
void Blocking::hand_over(TaskStack& stack) {
    queue_.close();
    while (Task* list = queue_.try_lock()) {
        Task* const task = TaskStack::next(list);
        static_cast<void>(queue_.unlock(list));
        stack.push(task, task);
    }
}

}  // namespace WEFT_ABI
}  // namespace weft

#endif  // WEFT_BLOCKING
