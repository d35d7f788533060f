// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Timer: a task that is submitted at a time, or periodically. With WEFT_TIMERS=1.
#pragma once

#include <weft/detail/source.hpp>

namespace weft {
inline namespace WEFT_ABI {

#if !WEFT_TIMERS

/// Not in this build: the message says what to do.
/// @context Does not compile.
template <class Count, bool timers = false>
constexpr uint32_t milliseconds(Count) {
    static_assert(timers,
                  "weft: timers are a setting: build the library and all that uses it with -DWEFT_TIMERS=1");
    return 0;
}

/// Not in this build: the message says what to do.
/// @lifetime Does not compile.
class Timer {
public:
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    template <class Follower, bool timers = false>
    constexpr Timer(Scheduler&, Follower&&, Urgency = Urgency::normal) {
        static_assert(
            timers,
            "weft: timers are a setting: build the library and all that uses it with -DWEFT_TIMERS=1");
    }
};

#else

/// `count` milliseconds, in ticks of the port's clock; the largest number of ticks if they are more.
/// @context Any context.
inline uint32_t milliseconds(uint32_t count) {
    const uint64_t ticks = uint64_t{count} * Port::ticks_per_ms();
    return ticks > ~0u ? ~0u : static_cast<uint32_t>(ticks);
}

/// Submits a task, the follower, when a time has come: once, or again and again. Ticks are those of Port::now(), see
/// milliseconds().
///
///     weft::Job blink([] { led.toggle(); });
///     weft::Timer timer{pool, blink};
///     timer.start_every(weft::milliseconds(500));
///
/// The follower is submitted at its time or later, never before. A core that sleeps is woken for it: one core, by
/// an alarm of its own clock; if none sleeps and some are off, a start by a task starts one to watch. If all cores of
/// the pool work (or wait in joins), one of them looks between two tasks, at least after every WEFT_FAIR_INTERVAL of
/// its tasks, or WEFT_FAIR_MOST. (The tasks of a strand's burst count, and nobody looks within it.)
///
/// With no core in the pool at all, and none that can be started (a handler starts none), it waits for the next one
/// that comes, or for the next start by a task. If nobody looks for half a turn of the clock (2^31 ticks) after its
/// time, it waits for another half. Armed timers do not keep a pool from ending: what is due after the shutdown does
/// not run.
///
/// A run sees what was written before the start. Runs of one timer do not overlap, and each sees what the ones before
/// it wrote. If the last run has not ended when a period is over, the next run is left out and counted: missed(). Where
/// a timer was started once, it runs after the last run; of several such starts one runs, and the others are counted.
/// A periodic timer does not drift: its times are the first one plus whole periods.
///
/// To start and to cancel take O(log n) steps with n timers armed; a core that finds others at it leaves its request to
/// them and does not wait; but cancel() does. (A leftist tree, see detail/timer_queue.hpp.)
/// @lifetime The timer and the follower stay alive and in place until the timer is not armed and its last run has
/// ended. When cancel() has returned cancelled or not_armed both may end, once any other task's cancel() of it has
/// returned, and each start has returned or been cancelled by an answer of its own.
///
/// After too_late cancel() says so until that run has ended. If the pool is abandoned before that, the run does not
/// come, and cancel() goes on saying so: join() hands back a task of the timer's own, which may be forgotten, and the
/// timer may end. (Not even that one comes back if the joiner itself was in the run before.)
/// @panics Checked builds, where it is found: it ended, or was made anew, while it was armed.
class Timer : private detail::Source, private Task {
public:
    /// A timer of this pool, not armed. The follower is not to be submitted by others.
    /// @context Any context, also at compile time.
    constexpr Timer(Scheduler& pool, Task& follower)
        : Source(pool), Task(&Timer::run), follower_(&follower) {}

#if WEFT_URGENCY_LEVELS > 1
    /// The same; the follower is submitted at this level. If there is no such level, each start says out_of_range.
    /// Only with WEFT_URGENCY_LEVELS of at least 2.
    /// @context Any context, also at compile time.
    constexpr Timer(Scheduler& pool, Task& follower, Urgency urgency)
        : Source(pool), Task(&Timer::run), follower_(&follower), level_(urgency) {}
#else
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    template <bool levels = false>
    Timer(Scheduler& pool, Task& follower, Urgency) : Timer(pool, follower) {
        static_cast<void>(detail::refuse_level<levels>());
    }
#endif

    /// For whatever else is to follow: the message says what to do instead.
    /// @context Does not compile.
    template <class Other, class = detail::Refused<Other&&, Task>>
    Timer(Scheduler& pool, Other&&, Urgency = Urgency::normal)
        : Source(pool), Task(&Timer::run), follower_(nullptr) {
        static_cast<void>(detail::refuse<Other, Task>());
    }

    /// Arms the timer: once, `delay` ticks from now. If it is armed already, this start takes the place of the former
    /// one; from then on that one does not fire. With `slack` it may come up to this many ticks later, if that saves a
    /// wake-up: timers whose times are close are served together.
    ///
    /// If several cores start one timer at the same time, or a handler in the middle of a start, it has the time of one
    /// of them, the period of one, and the slack of one.
    /// @context As Scheduler::submit(Task&).
    /// @return ok; out_of_range: the delay and the slack together are half a turn of the clock (2^31 ticks) or more;
    /// closed: the pool was shut down. In checked builds also wrong_context (interrupt handler); misaligned_task,
    /// null_run: the follower.
    Status start_after(uint32_t delay, uint32_t slack = 0) {
        return start(Port::now(), delay, 0, slack, detail::From::task);
    }
    /// The same from an interrupt handler, lock-free. It wakes a parked core but never powers one on.
    /// @context As Scheduler::submit_from_isr().
    /// @return As start_after(), without wrong_context.
    Status start_after_from_isr(uint32_t delay, uint32_t slack = 0) {
        return start(Port::now(), delay, 0, slack, detail::From::isr);
    }

    /// Arms the timer: once, when Port::now() has come to `tick`. A tick of the last half turn of the clock (2^31
    /// ticks) has passed: then it is submitted at once. The one that is half a turn away is out of range. `slack`: in
    /// ticks, as with start_after().
    /// @context As start_after().
    /// @return As start_after().
    Status start_at(uint32_t tick, uint32_t slack = 0) { return start_at(tick, slack, detail::From::task); }
    /// The same from an interrupt handler, as start_after_from_isr().
    /// @context As Scheduler::submit_from_isr().
    /// @return As start_after_from_isr().
    Status start_at_from_isr(uint32_t tick, uint32_t slack = 0) {
        return start_at(tick, slack, detail::From::isr);
    }

    /// Arms the timer: each `period` ticks, for the first time one period from now, until cancel(). `slack`: in ticks,
    /// as with start_after().
    /// @context As start_after().
    /// @return As start_after(); out_of_range also for a period of 0, and for a slack that is not below the period.
    Status start_every(uint32_t period, uint32_t slack = 0) {
        return start_every(period, slack, detail::From::task);
    }
    /// The same from an interrupt handler, as start_after_from_isr().
    /// @context As Scheduler::submit_from_isr().
    /// @return As start_every(), without wrong_context.
    Status start_every_from_isr(uint32_t period, uint32_t slack = 0) {
        return start_every(period, slack, detail::From::isr);
    }

    /// Takes a start back. The answer is final. A start that another core, or a handler, is just making comes before it
    /// or after it: then the answer is about the former one, and the timer is armed all the same.
    ///
    /// May wait for another core that is just changing the pool's timers: a few steps of that core, and what interrupts
    /// it there (handlers, tasks of a level that preempts); no other task.
    /// @context Task context of any core, also in the follower itself. Not in a handler: it may have interrupted that
    /// change, and would wait for ever.
    /// @return see CancelResult. When it was cancelled, or not armed, weft does not touch the timer any more.
    CancelResult cancel() { return cancel(detail::From::task); }
    /// The same from an interrupt handler. It waits for nobody, so another core may still touch the timer after it:
    /// before the timer ends, let a task call cancel(), too.
    /// @context Any context of any core.
    /// @return see CancelResult.
    CancelResult cancel_from_isr() { return cancel(detail::From::isr); }

    /// Will it fire? A hint: by the time that the caller reads it, it may have fired.
    /// @context Any context.
    bool is_armed() const { return (state_.load(relaxed) & (armed | between)) != 0; }  // relaxed: a hint
    /// How many runs were left out since it was made: periods that passed while nobody looked, and times that came
    /// while the run before had not ended (see above).
    /// @context Any context.
    uint32_t missed() const { return missed_.load(relaxed); }  // relaxed: statistics

private:
    friend class detail::TimerQueue;

    // See detail/timer_queue.hpp.
    static constexpr uint32_t armed = 1;
    static constexpr uint32_t listed = 2;
    static constexpr uint32_t fired = 4;
    static constexpr uint32_t again = 8;
    static constexpr uint32_t between = 16;
    static constexpr uint32_t one_start = 32;
    static constexpr uint32_t live = armed | listed | between;

    Status start_at(uint32_t tick, uint32_t slack, detail::From from);
    Status start_every(uint32_t period, uint32_t slack, detail::From from);
    Status start(uint32_t now, uint32_t delay, uint32_t period, uint32_t slack, detail::From from);
    CancelResult cancel(detail::From from);
    static void run(Task& self);
    inline void await_the_holder(detail::From from) const;
    bool begins_anew();

    Task* const follower_;
    WEFT_LEVEL level_{};  // the follower's
    Atomic<uint32_t> state_{};
    // What the last start wants.
    Atomic<uint32_t> when_{};
    Atomic<uint32_t> period_{};
    Atomic<uint32_t> slack_{};
    Atomic<uint32_t> missed_{};     // written by the holder of the queue
    Plain<Timer*> next_request_{};  // while listed: who came before
    // In the heap, by the holder of the queue.
    Plain<uint32_t> rank_{};  // nodes on the right spine from here on; 0: not in the heap
    Plain<uint32_t> due_{};   // not before this
    Plain<uint32_t> key_{};   // and at this, which has the slack in it
    Plain<Timer*> above_{};
    Plain<Timer*> left_{};
    Plain<Timer*> right_{};
};

#endif  // WEFT_TIMERS

}  // namespace WEFT_ABI
}  // namespace weft
