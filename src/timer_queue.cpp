// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: TimerQueue, see its header: who holds the queue, and the heap.
#include <weft/config.hpp>

#if WEFT_TIMERS

#include <weft/timer.hpp>

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

namespace {

// The tick from `due` to `due + slack` that has the most zeros at its end: what is due at about the same time meets
// there. (As Linux rounded its timers by their slack.)
// Without slack that is `due`. What is due now has used up its slack. Of two starts at the same time the timer may have
// the time of one and the slack of the other: that must not come to half a turn of the clock.
uint32_t rounded(uint32_t due, uint32_t slack, uint32_t now) {
    if (slack == 0 || due == now || slack >= (1u << 31) - (due - now)) return due;
    const uint32_t last = due + slack;
    uint32_t below = due ^ last;  // all bits below the highest one that differs
    for (uint32_t shift = 1; shift != 32; shift *= 2) below |= below >> shift;
    return last & ~(below >> 1);
}

}  // namespace

// ---- Requests

// True: the caller holds the queue now. False: whoever does sees to the timer; if there is none, tells the sleepers.
bool TimerQueue::hold(Timer* timer) {
    uintptr_t seen = word_.load(relaxed);  // relaxed: a guess; the exchange decides
    uintptr_t to = held;
    do {
        if (seen == 0) {
            to = held;
        } else if (timer == nullptr) {
            to = seen | wanted;
        } else {
            timer->next_request_.set(request(seen));
            to = reinterpret_cast<uintptr_t>(timer) | (seen & (wanted | held));
        }
        // [A2] the heap, from its last holder; the request, for this one. relaxed on failure: only compared again.
    } while (!word_.compare_exchange(seen, to, acq_rel, relaxed));
    return seen == 0;
}

// The holder sees to what was requested meanwhile, and lets go. `tell`, and returned: the sleepers must be told.
bool TimerQueue::let_go(bool tell) {
    for (;;) {  // ends: each round sees to all that came during the last one
        Timer* const root = root_.get();
        // relaxed (both): who will watch sees them when it takes the watch
        if (root != nullptr) first_.store(root->key_.get(), relaxed);
        armed_.store(root != nullptr, relaxed);
        uintptr_t seen = held;
        // [A2] the heap. relaxed on failure: only compared.
        if (word_.compare_exchange(seen, 0, release, relaxed)) return tell;
        if (seen == held) continue;  // failed without cause
        // [A2] the requests
        seen = word_.exchange(held, acquire);
        tell |= (seen & wanted) != 0;
        Timer* list = request(seen);
        while (list != nullptr) {
            Timer& timer = *list;
            list = timer.next_request_.get();
            tell |= look_at(timer);
        }
    }
}

// Makes the heap agree with what the timer wants. True: it is the first one now.
bool TimerQueue::look_at(Timer& timer) {
    bool earlier = false;
    uint32_t seen = timer.state_.load(acquire);  // [A3] what its start wants, and what was written before it
    do {
        if (timer.rank_.get() != 0) remove(timer);
        earlier = (seen & Timer::armed) != 0;
        if (earlier) {
            // [A7] First the time, then the clock: it does not stand before the time at which the start was made.
            const uint32_t when = timer.when_.load(acquire);
            const uint32_t now = Port::now();
            // No deadline is before base_, and this one not, either: what has passed is due now.
            Timer* const root = root_.get();
            const bool overdue = root != nullptr && has_come(root->key_.get(), now);
            base_.set(overdue ? root->key_.get() : now);
            timer.due_.set(when);
            insert(timer, has_come(when, now) ? now : when, now);
            earlier = root_.get() == &timer;
        }
        // [A4] the last touch of a timer that was cancelled. [A3] if the state has changed: it is looked at again.
    } while (!timer.state_.compare_exchange(seen, seen & ~Timer::listed, release, acquire));
    if ((seen & (Timer::live & ~Timer::listed)) == 0) count_out();
    return earlier;
}

bool TimerQueue::see_to(Timer& timer) { return hold(&timer) && let_go(look_at(timer)); }

bool TimerQueue::take_due(Due& due) {
    if (!hold(nullptr)) return false;
    const uint32_t now = Port::now();
    for (;;) {  // ends: what is put back is due later than now
        Timer* const timer = root_.get();
        if (timer == nullptr || !has_come(timer->key_.get(), now)) break;
        base_.set(timer->key_.get());  // the first one: none is before it
        remove(*timer);
        fire(*timer, now, due);
    }
    return let_go(false);
}

// A timer that is due, out of the heap: its task goes to the batch of its level, and it goes back into the heap if it
// is periodic.
void TimerQueue::fire(Timer& timer, uint32_t now, Due& due) {
    const uint32_t period = timer.period_.load(acquire);  // [A7]
    const uint32_t missed = timer.missed_.load(relaxed);  // relaxed (all of this word): statistics
#if WEFT_TRACE
    const uintptr_t function = function_of(*timer.follower_);
#endif
    // relaxed: not older than what had it put into the heap [A2]; and the exchange decides
    uint32_t seen = timer.state_.load(relaxed);
    uint32_t to = seen;
    do {
        const bool fires = (seen & (Timer::armed | Timer::listed)) == Timer::armed;
        const bool left_out =
            fires && (seen & Timer::fired) != 0 && (period != 0 || (seen & Timer::again) != 0);
        timer.missed_.store(missed + (left_out ? 1 : 0), relaxed);
        if (!fires) return;  // a start or a cancel goes on
        to = seen | Timer::fired;
        if (period == 0) to = (to & ~Timer::armed) | ((seen & Timer::fired) != 0 ? Timer::again : 0);
        // [A5] what the last run wrote. [A4] If that run goes on and no period follows, all before was the last touch:
        // when it has ended, the timer may end. relaxed on failure: only compared again.
    } while (!timer.state_.compare_exchange(seen, to, acq_rel, relaxed));
    WEFT_TRACE_EVENT(timer, function, detail::trace_tag(&timer));
    if ((seen & Timer::fired) == 0) due[timer.level_.number()].append_free(&timer);
    if (period == 0) return count_out();
    const uint32_t passed = (now - timer.due_.get()) / period;  // periods
    if (passed != 0) timer.missed_.store(timer.missed_.load(relaxed) + passed, relaxed);
    timer.due_.set(timer.due_.get() + (passed + 1) * period);
    insert(timer, timer.due_.get(), now);
}

// ---- The heap

bool TimerQueue::comes_before(Timer& a, Timer& b) const {
#if WEFT_CHECKS
    static_cast<void>(rank_of(&a) + rank_of(&b));
#endif
    const uint32_t base = base_.get();
    return a.key_.get() - base < b.key_.get() - base;
}

void TimerQueue::insert(Timer& timer, uint32_t due, uint32_t now) {
    timer.key_.set(rounded(due, timer.slack_.load(acquire), now));  // [A7]
    timer.rank_.set(1);
    timer.left_.set(nullptr);
    timer.right_.set(nullptr);
    meld(&root_, nullptr, root_.get(), &timer);
}

void TimerQueue::remove(Timer& timer) {
    Timer* const above = timer.above_.get();
    Plain<Timer*>* place = &root_;
    if (above != nullptr) place = above->left_.get() == &timer ? &above->left_ : &above->right_;
    timer.rank_.set(0);
    meld(place, above, timer.left_.get(), timer.right_.get());
}

// Puts the trees a and b, as one, to where `place` is, below the node `above`.
void TimerQueue::meld(Plain<Timer*>* place, Timer* above, Timer* a, Timer* b) {
    Timer* const top = above;
    while (a != nullptr && b != nullptr) {
        if (comes_before(*b, *a)) {
            Timer* const first = b;
            b = a;
            a = first;
        }
        place->set(a);
        a->above_.set(above);
        above = a;
        place = &a->right_;
        a = a->right_.get();
    }
    if (a == nullptr) a = b;
    place->set(a);
    if (a != nullptr) a->above_.set(above);
    // Back up: all that was melded, then as far as a rank changes.
    for (; above != top; above = above->above_.get()) settle(*above);
    while (above != nullptr && settle(*above)) above = above->above_.get();
}

uint32_t TimerQueue::rank_of(Timer* timer) {
    if (timer == nullptr) return 0;
    const uint32_t rank = timer->rank_.get();
#if WEFT_CHECKS
    if (rank == 0)
        Port::panic("weft: a timer ended, or was made anew, while it was armed; cancel() it before",
                    Port::core_id(), timer);
#endif
    return rank;
}

// The branches of a node, and its rank, after one below it has changed. True: the rank has.
bool TimerQueue::settle(Timer& timer) {
    Timer* const left = timer.left_.get();
    Timer* right = timer.right_.get();
    if (rank_of(left) < rank_of(right)) {
        timer.left_.set(right);
        timer.right_.set(left);
        right = left;
    }
    const uint32_t rank = rank_of(right) + 1;
    if (timer.rank_.get() == rank) return false;
    timer.rank_.set(rank);
    return true;
}

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft

#endif  // WEFT_TIMERS
