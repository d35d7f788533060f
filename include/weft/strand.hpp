// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Strand: tasks that never overlap, in the order of their submits.
#pragma once

#include <weft/detail/source.hpp>

namespace weft {
inline namespace WEFT_ABI {

/// A serial queue on top of a pool. Its tasks run one after the other, in the order in which they were submitted, on
/// whatever core is free: what they share needs no lock. Each sees all that the ones before it wrote. No core ever
/// waits for its turn in a strand. After WEFT_STRAND_BURST tasks in a row, other tasks of the pool get their turn; to
/// poll() such a burst is one task.
///
///     WEFT_CONSTINIT weft::Pool<4> pool{};
///     WEFT_CONSTINIT weft::Strand display{pool};
///     display.submit(draw); display.submit(flush);  // flush comes after draw, and both are alone with the display
///
/// Intrusive: any number of strands, and of tasks in them. (As the strands of Boost.Asio and serial dispatch queues;
/// the queue is the multi-producer stack that the consumer turns round.)
/// @lifetime Until its pool was joined, and every call has returned: it is touched when its last task has returned. A
/// strand is for one pool, and its pool is used once.
class Strand : private detail::Source, private Task {
public:
    /// A strand of this pool, with nothing in it.
    /// @context Any context, also at compile time.
    constexpr explicit Strand(Scheduler& pool) : Source(pool), Task(&Strand::run_burst) {}

    /// Queues a task behind those that are in the strand. A call from an interrupt handler (or on the level that
    /// preempts) that is just handing the strand in, on another core, is waited for.
    /// @context As Scheduler::submit(Task&).
    /// @return As Scheduler::submit(Task&). A task that is accepted while the pool ends may be left: take_back().
    /// @lifetime As Scheduler::submit(Task&).
    Status submit(Task& task) { return submit(task, detail::From::task); }

    /// The same from an interrupt handler, lock-free.
    /// @context As Scheduler::submit_from_isr().
    /// @return As Scheduler::submit_from_isr().
    /// @lifetime As Scheduler::submit(Task&).
    Status submit_from_isr(Task& task) { return submit(task, detail::From::isr); }

    /// For whatever else is given: the message says what to do instead.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other, class = detail::Refused<Other&&, Task>>
    auto submit(Other&&) {
        return detail::refuse<Other, Task>();
    }

    /// For whatever else is given: the message says what to do instead.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other, class = detail::Refused<Other&&, Task>>
    auto submit_from_isr(Other&&) {
        return detail::refuse<Other, Task>();
    }

    /// Appends to `left_over` the tasks that have not run, in their order: the pool was abandoned, or ended while a
    /// submit to the strand was under way. That one may have been to hand in those of others as well, also some that
    /// were accepted before. So ask each strand, whatever join() says: it returns a strand that is queued, as a task
    /// that may be forgotten, but none that was running when the pool was abandoned.
    /// @context Task context of one core, after join() and every submit to the strand have returned.
    void take_back(Batch& left_over);

private:
    Status submit(Task& task, detail::From from);
    static void run_burst(Task& self);
    void run_burst();
    Task* take_pushed();

    static constexpr uintptr_t scheduled = 1;  // the strand itself is queued in the pool, or runs

    // 0: nothing to do. Otherwise the task that was pushed last, linked to earlier ones, and the mark.
    Atomic<uintptr_t> pushed_{};
    Atomic<uint32_t> handlers_{};  // calls under way that start no core: UnderWay
    Plain<Task*> list_{};          // taken from there, the oldest first; whoever runs the strand owns it
};

}  // namespace WEFT_ABI
}  // namespace weft
