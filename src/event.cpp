// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Event. Each call first leaves what it brings (a task, a signal, the mark), then counts itself. The one that
// finds none before it sees to all, and to those that come meanwhile, until it has counted all of them out:
//
//     0 --a call--> 1 --more calls--> n --the first one has seen to n--> 0, or more have come: it goes on
//
// So the list of those that wait has one owner at a time, and no call is overlooked: it counts itself last.
#include <weft/event.hpp>

#include "internal.hpp"
#include "under_way.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::link;

Status Event::wait(Task& task, detail::From from) {
    const Status status = let_in(task, from);
    if (status != Status::ok) return status;
    static_cast<void>(detail::push(pushed_, task, 0));
    static_cast<void>(act(from));  // a pool that has ended: it waits
    return Status::ok;
}

Status Event::give(uint32_t what, detail::From from) {
    const Status status = check(from);
    if (status != Status::ok) return status;
    if (what == one) {
        given_.fetch_add(one, release);  // [W1] what was written before the signal
    } else {
        given_.fetch_or(is_set, release);  // [W1] as above
    }
    return act(from);
}

void Event::clear() {
    given_.fetch_and(0, relaxed);  // relaxed: no data
}

Status Event::act(detail::From from) {
    Status status = Status::ok;
    bool is_first = false;
    {
        const UnderWay under_way(handlers_, from);
        // [W2] what the call brings is there when it is counted. [Q3] the count of who was first
        is_first = calls_.fetch_add(1, acq_rel) == 0;
        // Ends: others go on with what they do, each call is seen to once.
        for (bool more = is_first; more;) {
            // [W2] what they bring; the list, from who had it before
            const uint32_t calls = calls_.load(acquire);
            if (!let_go(from)) status = Status::closed;
            more = calls_.fetch_sub(calls, release) != calls;  // [W2] the list, for the next one
        }
    }
    // Another call may be seeing to this one, or has seen to what it brought; and that may try no core again, or none.
    if (!detail::starts_none(from) && (!is_first || may_need_a_core())) bring_a_core(handlers_);
    return status;
}

// Takes what was pushed, and hands in whom it may. False: the pool has ended.
bool Event::let_go(detail::From from) {
    // The signals first: so whoever waited before a signal is found with it. (The other way round signals are taken for
    // nobody, with a wait before each of them.)
    const uint32_t given = given_.fetch_and(is_set, acquire);  // [W1] what was written before them
    // [W1] tasks and links
    Task* const newest = reinterpret_cast<Task*>(pushed_.exchange(0, acquire));
    if (newest != nullptr) {
        Task* const oldest = detail::in_order(newest);
        if (first_.get() == nullptr) {
            first_.set(oldest);
        } else {
            link(last_.get()).append(oldest);
        }
        last_.set(newest);
    }
    Batch go;
    Task* stays = first_.get();
    uint32_t left = given;
    for (; left != 0 && stays != nullptr; left -= (given & is_set) == 0) {
        Task* const task = stays;
        stays = link(task).next();
        go.append(task);
    }
    // None waits: one signal is kept for who comes. relaxed: this continues the release sequence of its giver [W1].
    if ((left & ~is_set) != 0) given_.fetch_add(one, relaxed);
    if (go.empty()) return true;
    Task* const last = go.last_;
    if (hand_in(go, from)) {
        first_.set(stays);
        return true;
    }
    link(last).set_next(stays);  // all stay
    return false;
}

void Event::take_back(Batch& left_over) {
    static_cast<void>(act(detail::From::task));  // what was pushed last, into the list
    give_back(left_over, first_.get());
    first_.set(nullptr);
}

}  // namespace WEFT_ABI
}  // namespace weft
