// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Timer, and how a sleeping pool keeps its deadlines: one parked core, the watcher, has its alarm set.
//
//   a start, a new first deadline:             a core that parks, or is parked, in rest():
//     t1  publish the deadline [A1]              w1  announce_parked(), or a look: is `unwatched` set?
//     t2  set `unwatched`; who is parked?        w2  clear it: this core is the watcher
//     t3  unpark the watcher, else another       w3  read the deadline [A1], set the alarm
//         parked core; none: as a notify         w4  park()
//                                              a watcher that goes to work:
//                                                w5  set `unwatched`; who is parked? unpark one
//
// All of t2, w1, w2, w5 are steps of the idle word, so one order has them all.
// Claim 6: if a core of the pool stays parked while a timer is armed, an alarm is set to the first deadline or an
// earlier time, or some core is about to set it.
//   1. A core that parks after t2 sees `unwatched` in its own step, and goes on with w2 to w4.
//   2. Where a core was parked before t2, t3 unparks one, K. K sees `unwatched` after its park(), and goes on with w2.
//      Or K goes to work: then its last look at the word is after t2. leave_watch() finds `unwatched`, and unparks
//      another one that is parked. So the duty goes on, from core to core, until one takes it or none is parked.
//   3. Two that take it one after the other may meet in w3. The later one in the order of watcher_ has seen the
//      deadline of the other [A6], and stays the watcher.
//   4. With no core parked, `unwatched` stays. Whoever parks next meets it: 1. If a core can be started, the one that
//      goes to work starts it, and it parks: in leave_watch(), or, with the waking role, when it gives that up
//      (leaves_something()). That a refused core can be started, a start from outside says before t2 (claim 25).
//   5. A handler starts none, and a cancel neither. So a start whose request another call sees to, or whose deadline is
//      not the first, does t2 and t3 as well while none watches (Source::tell_if_none_watches()): for 4. If one
//      watches, it sees the timer in w5 [A6]. The deadline may not be published yet. So who goes to work goes by
//      whether any timer is live: a start is counted before its first step, until its timer is neither armed, nor
//      listed, nor between two steps of a start (has_live()). One word says so: a look at several would be no snapshot
//      of what goes from one to another.
// Claim 7: what is due is found by a look. The watcher looks after each park(). Cores that are awake look in each
// search, and every WEFT_FAIR_INTERVAL tasks. An alarm that comes early, or without cause, costs a look. One that comes
// late, or was lost: what is due is found by whoever looks next.
#include <weft/config.hpp>

#if WEFT_TIMERS

#include <weft/timer.hpp>

#include "internal.hpp"
#include "under_way.hpp"

namespace weft {
inline namespace WEFT_ABI {

// ---- The watcher

// t2 and t3.
void Scheduler::tell_watcher(Chances chances) {
    if (may_retry(chances)) retry_starts();  // as with a submit: claim 25
    const IdleBits seen = idle_.lose_watch();
    if (seen.parked() == 0) {
        if (worth_waking(seen, chances)) static_cast<void>(wake(chances));
        return;
    }
    const uint32_t watcher = timers_.watcher();
    const uint32_t told = watcher < cores_ && seen.is_parked(watcher) ? watcher : seen.lowest_parked();
    WEFT_TRACE_EVENT(tell_watcher, 0, told);
    Port::unpark(told);
}

// Before each sleep, w1 to w3. False: a timer is due. (An alarm that was set for what is not armed any more, or by who
// is not the watcher any more, may come once.)
bool Scheduler::keep_watch(uint32_t core, IdleBits seen) {
    if (seen.is_unwatched() && idle_.take_watch().is_unwatched()) timers_.begin_watch(core);
    // What is wanted is announced by who holds the queue.
    if (!timers_.is_watched_by(core) || !timers_.is_armed() || timers_.is_wanted()) return true;
    Port::set_alarm(timers_.first());
    return !timers_.is_due();
}

// A core that goes to work: w5. `seen`: the idle word when it left, or later.
void Scheduler::leave_watch(uint32_t core, IdleBits seen) {
    if (timers_.end_watch(core)) {
        Port::clear_alarm();
        seen = idle_.lose_watch();
    } else if (!seen.is_unwatched()) {
        return;
    }
    const IdleBits others = seen.without(core);
    if (others.parked() != 0) {
        WEFT_TRACE_EVENT(tell_watcher, 0, others.lowest_parked());
        Port::unpark(others.lowest_parked());
    } else if (worth_waking(others, Chances::from_task)) {
        static_cast<void>(wake(Chances::from_task));
    }
}

// A worker that is not in a task: submits what is due.
void Scheduler::serve_timers() {
    if (idle_.look().is_closing()) return;  // they stay armed
    detail::TimerQueue::Due due;
    {
        const OnTop::GoesOn goes_on;  // calls wait for who holds the queue
        if (timers_.take_due(due)) tell_watcher(Chances::from_task);
    }
    for (uint32_t level = WEFT_URGENCY_LEVELS; level-- != 0;) {
        // By a worker: they are taken, also if the pool has been shut down meanwhile.
        if (due[level].empty()) continue;
        due[level].level_ = static_cast<Urgency>(level);
        static_cast<void>(hand_in(due[level], Chances::from_outside));
    }
}

// ---- Timer

Status Timer::start_at(uint32_t tick, uint32_t slack, detail::From from) {
    const uint32_t now = Port::now();
    return start(now, detail::has_come(tick, now) ? 0 : tick - now, 0, slack, from);
}

Status Timer::start_every(uint32_t period, uint32_t slack, detail::From from) {
    if (slack >= period) return Status::out_of_range;
    return start(Port::now(), period, period, slack, from);
}

Status Timer::start(uint32_t now, uint32_t delay, uint32_t period, uint32_t slack, detail::From from) {
    constexpr uint32_t half_a_turn = 1u << 31;
    check_constructed();
    const Status status = check(from, *follower_);
    if (status != Status::ok) return status;
    if (!level_.is_known()) return Status::out_of_range;
    if (delay >= half_a_turn || slack >= half_a_turn - delay) return Status::out_of_range;
    if (is_closing()) return Status::closed;
    Scheduler& pool = its_pool();          // the timer may end as soon as the step is made
    uint32_t seen = state_.load(relaxed);  // relaxed: a guess; the steps decide
    const GoesOn goes_on;
    timers(pool).count_in();
    // The former start does not count any more.
    while ((seen & armed) != 0) {  // ends: as below
        const uint32_t next = (seen & ~armed) | between;
        // [A8] this one is counted in. relaxed on failure: only compared again.
        if (state_.compare_exchange(seen, next, release, relaxed)) seen = next;
    }
    // Who reads one of these has seen that step, too: it does not take them for those of the former start.
    when_.store(now + delay, release);  // [A7]
    period_.store(period, release);     // [A7]
    slack_.store(slack, release);       // [A7]
    // [A3] what it wants, and what was written before. [A4] the holder has touched the timer for the last time, if
    // it is to be listed again. [A8] it is counted in. relaxed on failure: only compared again.
    while (
        !state_.compare_exchange(seen, ((seen & ~between) + one_start) | armed | listed, acq_rel, relaxed)) {
    }  // ends: another core has changed it, or (rarely) nothing
    if ((seen & live) != 0) timers(pool).count_out();  // it was counted before
    // Another call may have listed it, and sees to this start.
    if ((seen & listed) != 0 || !see_to(pool, *this, from)) tell_if_none_watches(pool, from);
    return Status::ok;
}

// Until the holder of the queue has seen to it.
inline void Timer::await_the_holder(detail::From from) const {
    // On top of a task nobody waits: that may be the holder.
    if (detail::starts_none(from)) return;
    // Ends: the holder comes to it, and does not stand still before. [A4] it has touched the timer for the last time.
    // [A5] what a run wrote that has ended
    while ((state_.load(acquire) & listed) != 0) Port::relax();
}

CancelResult Timer::cancel(detail::From from) {
    constexpr uint32_t in_force = armed | between | again;
    uint32_t seen = state_.load(relaxed);  // relaxed: a guess; the exchange decides
    Scheduler& pool = its_pool();
    {
        const GoesOn goes_on;
        // [A4] as in start(); and this call's last touch, if another one has listed the timer. [A8] it is counted in.
        // relaxed on failure: only compared again.
        while ((seen & in_force) != 0 &&
               !state_.compare_exchange(seen, (seen & ~in_force) | ((seen & armed) != 0 ? listed : 0),
                                        acq_rel, relaxed)) {
        }  // ends: as there
        if ((seen & live) == between) timers(pool).count_out();
        // A start that has come meanwhile has told by itself, but of what is the first one now. As a handler's: a
        // cancel starts no core.
        if ((seen & (armed | listed)) == armed) static_cast<void>(see_to(pool, *this, detail::From::isr));
    }
    await_the_holder(from);
    return (seen & fired) != 0               ? CancelResult::too_late
           : (seen & (armed | between)) != 0 ? CancelResult::cancelled
                                             : CancelResult::not_armed;
}

void Timer::run(Task& self) {
    Timer& timer = static_cast<Timer&>(self);
    Task& follower = *timer.follower_;
    do {
        WEFT_TRACE_EVENT(inner, detail::function_of(follower), 0);
        detail::TaskAccess::run(follower)(follower);
    } while (timer.begins_anew());
}

// At the end of a run. True: another start has fired meanwhile, and no queue takes the timer, as the pool ends. If that
// is abandoned, the run does not come, and nobody is there to hand it back.
bool Timer::begins_anew() {
    uint32_t seen = state_.load(relaxed);  // relaxed: a guess; the exchange decides
    // [A5] What the run wrote, for the next one, and for who cancels. [A3] What was written before the start that has
    // fired meanwhile. relaxed on failure: only compared again.
    while (!state_.compare_exchange(seen, seen & ~((seen & again) != 0 ? again : fired), acq_rel, relaxed)) {
    }  // ends: another core has changed it, or (rarely) nothing
    if ((seen & again) == 0) return false;
    Batch one;
    one.append_free(this);
    one.level_ = level_;
    if (hand_in(one, detail::From::task)) return false;
    detail::link(this).unclaim();
    return !is_abandoned();
}

}  // namespace WEFT_ABI
}  // namespace weft

#endif  // WEFT_TIMERS
