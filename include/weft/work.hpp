// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Work: a task that one can wait for, and take back. Completion: a task that does nothing but end a wait.
#pragma once

#include <weft/detail/round.hpp>
#include <weft/scheduler.hpp>

namespace weft {
inline namespace WEFT_ABI {

/// What Work and Completion share: a task whose end one can wait for, and that can be taken back. It is queued as any
/// task: by submit(), at a level of urgency, pinned, in a batch, to a strand, or as what follows a gate, an event or a
/// timer.
///
/// A *round* begins with the object, and with each reset(). It is done when the task's turn in its queue is over: it
/// has run to its end, or it was cancelled. One submit belongs to a round.
/// @lifetime It stays alive and in place until its round is done, also if it was cancelled: the queue that holds it
/// does not know. From is_done() or an ok of wait() on weft does not touch it any more.
class Waitable : public Task {
public:
    /// Waits until the round is done.
    /// - In a task of the pool: the core runs other tasks of the pool meanwhile, on the same stack, and sleeps if there
    ///   are none. What it runs may wait, too: give stacks room for as many tasks as may wait at once. The wait ends
    ///   when what was begun meanwhile has ended.
    /// - Outside: a core of the pool works for it meanwhile, as with Scheduler::poll(). A foreign core looks again and
    ///   again, with Port::relax() in between.
    ///
    /// It never ends if the task is not queued, or can only run when the caller has ended: the caller itself, a later
    /// task of its strand, one that is pinned to a core whose task waits for the caller. Nor if the task itself waits
    /// below the caller on the same stack, or stands behind such a task in its strand: what is begun in a wait must not
    /// wait for the task that waits. Who waits only for what it has submitted itself to this pool, not to a strand,
    /// is safe. So is a wait for what went to another pool, while some core works for that one, or the caller may.
    ///
    /// The pool is being shut down: the wait goes on while anything that is queued runs. When all cores that are left
    /// wait, and none can go on, all waits end for tasks that have not begun. What those that waited do then may still
    /// let the task run. A foreign core's wait may end while no core is at work; then who joins runs the task. (In a
    /// task of another pool it ends at once, if a core joins this one already.) If the pool is abandoned such a wait
    /// ends at once, though a core that has taken the task already runs it, and a mandatory one is run by somebody.
    ///
    /// Once the task has begun, a wait for it ends when it does, whatever becomes of the pool: two tasks that wait for
    /// each other wait for ever. So do tasks of several pools that wait in a circle: a core that waits in another pool
    /// counts as one that may go on, as what it waits for there may come from anywhere. Abandon one of these pools.
    /// @context Task context of any core, one at a time; not inside fork_join() and its like.
    /// @return ok; at once where the round is done, in any task context. closed: the pool was shut down before the
    /// task's turn; it stays alive until join() has returned, which hands it back or runs it. wrong_context: another
    /// core waits for it; the core is between a fork of this pool and its join, if only further down its stack, below a
    /// call into another pool; a foreign core in a task of another pool, or in a function of on_sleep() or
    /// on_all_asleep(); in checked builds also an interrupt handler.
    Status wait();

    /// Takes it back: its work will not be done, if its turn has not come. At its turn the pool lets go of it, and the
    /// round is done. If it is not queued yet, the next submit is without effect. Costs other tasks nothing, and takes
    /// one atomic step.
    /// @context Any context of any core, also in the work itself (too_late).
    /// @return cancelled: its work will not be done (again so if it was cancelled before). too_late: it runs, or has
    /// run.
    CancelResult cancel() { return round_.cancel(); }

    /// Begins the next round, before the next submit: when the round is done, or when no queue holds the task (it was
    /// not submitted, or join() has handed it back).
    /// @context Any context of any core, while nobody waits for it.
    /// @return ok; not_expected: it runs.
    Status reset() { return round_.reset() ? Status::ok : Status::not_expected; }

    /// Is the round done? Then all that the run wrote is visible.
    /// @context Any context.
    bool is_done() const { return round_.is_done(); }
    /// Was it taken back in this round?
    /// @context Any context.
    bool is_cancelled() const { return round_.is_cancelled(); }

protected:
    /// For the class that derives from it.
    /// @context Any context, also at compile time.
    constexpr Waitable(Scheduler& pool, Run run) : Task(run), pool_(&pool) {}

    /// First in the run function: is the work to be done?
    /// @context The run function.
    /// @return false: it was taken back.
    /// @panics Checked builds: it was queued again without reset().
    bool begin() {
        bool first = true;
        const bool wanted = round_.begin(first);
        if (WEFT_CHECKS && !first) queued_again();
        return wanted;
    }
    /// Last in the run function: the object may be gone from here on.
    /// @context The run function.
    void end(bool has_run) { round_.end(has_run); }

private:
    friend class Scheduler;
    friend class Elasticity;

    [[noreturn, gnu::cold, gnu::noinline]] void queued_again() const {
        Port::panic("weft: a Work or Completion ran twice in a round; reset() it before it is queued again",
                    Port::core_id(), this);
    }

    Scheduler* const pool_;
    detail::Round round_{};
};

/// A callable as a task that one can wait for, and take back:
///
///     weft::Work blur{pool, [&] { blur_rows(image); }};
///     pool.submit(blur);    ...    if (late) blur.cancel();    ...    blur.wait();
///
/// @lifetime As Waitable. The callable ends with the Work.
template <class Callable>
class Work : public Waitable {
public:
    /// Takes the callable over. It may submit anything but this Work.
    /// @context Any context; at compile time where the callable can be.
    constexpr Work(Scheduler& scheduler, Callable callable)
        : Waitable(scheduler, detail::unless_null(callable, &Work::run_callable)),
          callable_(static_cast<Callable&&>(callable)) {}

private:
    static void run_callable(Task& self) {
        constexpr bool is_called = detail::is_called_with<Callable>;
        static_assert(is_called,
                      "weft: a Work's callable is called without arguments: capture what it needs");
        Work& work = static_cast<Work&>(self);
        const bool wanted = work.begin();
        if constexpr (is_called) {
            if (wanted) static_cast<void>(work.callable_());
        }
        work.end(wanted);
    }

    Callable callable_;
};
template <class Pool, class Callable>
Work(Pool&, Callable) -> Work<Callable>;

/// A task that does nothing but end a wait: for what has no end of its own that one could wait for. As the follower of
/// a Gate it stands for n tasks; submitted to a Strand, for all that is in it so far; as a Timer's follower, for a
/// time; let go by an Event, for its signal. A gate that it has followed may end with it. A strand, an event and a
/// timer go on for some steps: see there until when they stay alive.
///
///     weft::Completion all{pool};
///     weft::Gate gate{pool, all, 3};     // three tasks arrive
///     all.wait();
///
/// @lifetime As Waitable.
class Completion : public Waitable {
public:
    /// Of this pool.
    /// @context Any context, also at compile time.
    constexpr explicit Completion(Scheduler& pool) : Waitable(pool, &Completion::run_nothing) {}

private:
    static void run_nothing(Task& self) {
        Completion& completion = static_cast<Completion&>(self);
        completion.end(completion.begin());
    }
};

}  // namespace WEFT_ABI
}  // namespace weft
