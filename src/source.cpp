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

static_assert(alignof(Task) > marks, "weft: the marks stand beside a task in a word");

uintptr_t push(Atomic<uintptr_t>& word, Task& task, uintptr_t first_marks) {
    uintptr_t seen = word.load(relaxed);  // relaxed: a guess; the exchange decides
    uintptr_t next = 0;
    do {
        link(&task).set_next(reinterpret_cast<Task*>(seen & ~marks));
        next = reinterpret_cast<uintptr_t>(&task) | (seen == 0 ? first_marks : seen & marks);
        // [Q3] the count of a call under way. [Q1] [W1] the task and its link, before who takes the list. [Q2] if the
        // strand was idle, what its last task wrote: the strand is handed in after this. relaxed on failure: only
        // compared again.
    } while (!word.compare_exchange(seen, next, acq_rel, relaxed));
    return seen;
}

Status Source::let_in(Task& task, From from) const {
    const Status status = check(from);
    return status == Status::ok ? pool_->let_in(task) : status;
}

inline Chances Source::chances(Scheduler& pool, From from) {
    if (from == From::isr) return Chances::from_isr;
    return pool.active_worker() != nullptr ? Chances::from_task : Chances::from_outside;
}

void Source::wake_or_start(const Atomic<uint32_t>& calls) const {
    // Ends: none of them waits for anything, nor stands still in it. [Q3] what they have handed in
    while (calls.load(acquire) != 0) Port::relax();
    const Chances all = chances(*pool_, From::task);
    if (may_retry(all)) pool_->retry_starts();  // for whoever sees to the call: claim 25
    static_cast<void>(pool_->notify(all));
}

bool Source::hand_in(Batch& tasks, From from) const {
    return pool_->hand_in(tasks, from == From::task ? Chances::from_outside : Chances::from_isr) ==
           Status::ok;
}

bool Source::hand_in(Task& self, uint32_t tasks, From from) const {
    // The usual way, and the shortest. It counts one task, and a shutdown refuses it.
    if (tasks == 1) {
        const Status status = from == From::task ? pool_->submit(self) : pool_->submit_from_isr(self);
        if (status == Status::ok) return true;
    }
    Batch one;
    one.append_free(&self);
    one.count_ = tasks;
    if (hand_in(one, from)) return true;
    link(&self).unclaim();
    return false;
}

#if WEFT_TIMERS
bool Source::see_to(Scheduler& pool, Timer& timer, From from) {
    if (!pool.timers_.see_to(timer)) return false;
    pool.tell_watcher(chances(pool, from));
    return true;
}

void Source::tell_if_none_watches(Scheduler& pool, From from) {
    const Chances all = chances(pool, from);
    if (may_retry(all)) pool.retry_starts();  // claim 25
    // Who watches starts another one when it goes to work.
    if (!pool.timers_.has_watcher()) pool.tell_watcher(all);
}
#endif

void Source::give_back(Batch& batch, Task* list) {
    while (list != nullptr) {
        Task* const task = list;
        list = link(task).next();
        batch.append(task);
    }
}

void Source::count(Published<uint32_t> Counters::*counter, uint32_t by) const {
    Scheduler::Worker* const worker = pool_->active_worker();
    if (worker != nullptr) detail::count(worker->counters.*counter, by);
}

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
