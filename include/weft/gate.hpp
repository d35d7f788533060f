// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Gate: a task that follows n others.
#pragma once

#include <weft/detail/source.hpp>

namespace weft {
inline namespace WEFT_ABI {

/// Submits a task, the follower, when `arrivals` others have arrived: a graph of tasks, without a queue or a lock. The
/// follower sees all that was written before the arrivals. In the step in which the last one arrives the gate counts
/// anew, so it serves round after round; an early arrival belongs to the next round.
///
///     weft::Gate both{pool, mix, 2};
///     left_done:  both.arrive();    right_done:  both.arrive();    // mix runs once per round
///
/// (A barrier's counter, as in dataflow graphs; nobody waits at it.) join() returns an abandoned gate that has opened
/// as one task, which is not the follower and may be forgotten.
/// @lifetime The gate and the follower stay alive and in place until the follower has started for the last time.
/// (Before that every arrive() that was accepted has done with the gate, also if it has not returned.) An arrive()
/// that is refused must have returned.
class Gate : private detail::Source, private Task {
public:
    /// A gate of this pool that opens after this many arrivals: 1..2^31-1; with any other number it never opens. The
    /// follower is not to be submitted by others, nor to follow another gate.
    /// @context Any context, also at compile time.
    constexpr Gate(Scheduler& pool, Task& follower, uint32_t arrivals)
        : Source(pool),
          Task(&Gate::open),
          arrivals_((arrivals & queued) != 0 ? 0 : arrivals),
          word_((arrivals & queued) != 0 ? 0 : arrivals),
          follower_(&follower) {}

    /// For whatever else is to follow: the message says what to do instead.
    /// @context Does not compile.
    template <class Other, class = detail::Refused<Other&&, Task>>
    Gate(Scheduler& pool, Other&&, uint32_t)
        : Source(pool), Task(&Gate::open), arrivals_(0), follower_(nullptr) {
        static_cast<void>(detail::refuse<Other, Task>());
    }

    /// `by` tasks have arrived.
    /// @context As Scheduler::submit(Task&).
    /// @return ok; not_expected: fewer are missing (or `by` is 0), or this is the last one of a round while the
    /// follower has not started for the one before; closed: this would have been the last one, and the pool takes no
    /// task. The gate stays shut then. With any other answer nothing was counted. In checked builds also wrong_context
    /// (interrupt handler); misaligned_task, null_run: the follower.
    Status arrive(uint32_t by = 1) { return arrive(by, detail::From::task); }

    /// The same from an interrupt handler, lock-free.
    /// @context As Scheduler::submit_from_isr().
    /// @return As arrive().
    Status arrive_from_isr(uint32_t by = 1) { return arrive(by, detail::From::isr); }

private:
    Status arrive(uint32_t by, detail::From from);
    static void open(Task& self);

    static constexpr uint32_t queued = 1u << 31;  // the gate has opened, and the follower has not started

    const uint32_t arrivals_;
    Atomic<uint32_t> word_;  // how many are missing; and `queued`
    Task* const follower_;
};

}  // namespace WEFT_ABI
}  // namespace weft
