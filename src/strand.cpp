// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Strand. The strand is a task itself, and is queued in its pool while it has tasks:
//
//     idle --submit: the first task--> scheduled --a worker--> runs --nothing left--> idle
//                                          ^                    |
//                                          +-- after a burst ---+
//
// The word says whether it is scheduled, so one step of a submit both adds the task and finds out whether the strand
// has to be handed in; and one step of the end both finds nothing and makes it idle. So it is queued once at a time,
// and never idle with a task in it.
#include <weft/strand.hpp>

#include "internal.hpp"
#include "under_way.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::link;

Status Strand::submit(Task& task, detail::From from) {
    const Status status = let_in(task, from);
    if (status != Status::ok) return status;
    bool left_to_others = false;
    bool queued = false;
    {
        const UnderWay under_way(handlers_, from);
        left_to_others = detail::push(pushed_, task, scheduled) != 0;
        queued = left_to_others || hand_in(*this, 1, from);
    }
    if (left_to_others) {
        if (from == detail::From::task) count(&detail::Counters::submitted, 1);
        if (!detail::starts_none(from)) bring_a_core(handlers_);
    }
    if (queued) return Status::ok;
    // The pool has ended. The strand stays scheduled, for ever: what others have added meanwhile is left for
    // take_back(), and this task, the oldest one, is the caller's again.
    Task* const others = link(take_pushed()).next();
    list_.set(others);
    link(&task).unclaim();
    return Status::closed;
}

Task* Strand::take_pushed() {
    // [Q1] tasks and links
    return detail::in_order(reinterpret_cast<Task*>(pushed_.exchange(scheduled, acquire) & ~detail::marks));
}

void Strand::run_burst(Task& self) { static_cast<Strand&>(self).run_burst(); }

void Strand::run_burst() {
    uint32_t ran = 0;
    while (!is_abandoned()) {  // ends: abandoned, nothing left, or enough
        if (list_.get() == nullptr) list_.set(take_pushed());
        Task* const task = list_.get();
        if (task == nullptr) {
            uintptr_t seen = scheduled;
            // [Q2] what the strand's tasks wrote, before the next one. relaxed on failure: it is taken next.
            if (pushed_.compare_exchange(seen, 0, release, relaxed)) break;
            continue;
        }
        const bool enough = ran != 0 && (ran % WEFT_STRAND_BURST == 0 || urgent_waits());
        // A pool that ends refuses: its joiner runs what is left, and no other task waits for that.
        if (enough && hand_in(*this, 0, detail::From::task)) break;
        list_.set(link(task).next());
        detail::execute(task, nullptr);
        ++ran;
    }
    count(&detail::Counters::executed, ran - 1);  // the worker itself counts the strand as one
#if WEFT_METRICS
    if (ran != 0) count(detail::word_of(detail::Origin::strand), ran - 1);
#endif
}

void Strand::take_back(Batch& left_over) {
    give_back(left_over, list_.get());
    give_back(left_over, take_pushed());
    list_.set(nullptr);
}

}  // namespace WEFT_ABI
}  // namespace weft
