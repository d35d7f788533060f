// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Event: tasks that wait for a signal, without a core that waits.
#pragma once

#include <weft/detail/source.hpp>

namespace weft {
inline namespace WEFT_ABI {

/// Holds tasks back until something has happened. set() lets all go that wait, and all that come, until clear().
/// signal() lets go the one that has waited longest; if none waits, the next one that comes. So a signal before the
/// wait is not lost. Signals do not add up: while none waits, one of them is kept. (Where calls meet on several cores,
/// more than one may be, if somebody waits then: so who was let go looks whether there is something for it.)
///
///     received.wait(parse);          // parse is submitted when ...
///     received.signal_from_isr();    // ... the interrupt handler says so
///
/// What was written before the set() or signal() is seen by the tasks that it lets go. (An event object of either kind.
/// Calls that meet are done by the core that came first: as with flat combining, Hendler et al., SPAA 2010. If that
/// core is held up, what the others asked for comes later. None waits, but a task for interrupt handlers' calls, and
/// for those on the level that preempts, that are under way on other cores.)
/// @lifetime It stays alive until its tasks have started and every call has returned. A pool that ends forgets the
/// tasks that wait: take_back().
class Event : private detail::Source {
public:
    /// An event of this pool, not set.
    /// @context Any context, also at compile time.
    constexpr explicit Event(Scheduler& pool) : Source(pool) {}

    /// Submits the task when the event lets it go, perhaps at once.
    /// @context As Scheduler::submit(Task&).
    /// @return As Scheduler::submit(Task&).
    /// @lifetime As Scheduler::submit(Task&).
    Status wait(Task& task) { return wait(task, detail::From::task); }
    /// The same from an interrupt handler.
    /// @context As Scheduler::submit_from_isr().
    /// @return As Scheduler::submit_from_isr().
    /// @lifetime As Scheduler::submit(Task&).
    Status wait_from_isr(Task& task) { return wait(task, detail::From::isr); }

    /// For whatever else is given: the message says what to do instead.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other, class = detail::Refused<Other&&, Task>>
    auto wait(Other&&) {
        return detail::refuse<Other, Task>();
    }

    /// For whatever else is given: the message says what to do instead.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other, class = detail::Refused<Other&&, Task>>
    auto wait_from_isr(Other&&) {
        return detail::refuse<Other, Task>();
    }

    /// Lets all tasks go, those that wait and those that come, until clear().
    /// @context As Scheduler::submit(Task&).
    /// @return ok, also after a shutdown, as long as the pool takes what waits; closed: the pool has ended, and tasks
    /// wait (take_back()). It counts all the same. In checked builds also wrong_context (interrupt handler).
    Status set() { return give(is_set, detail::From::task); }
    /// The same from an interrupt handler.
    /// @context As Scheduler::submit_from_isr().
    /// @return ok, closed: as set().
    Status set_from_isr() { return give(is_set, detail::From::isr); }

    /// Lets one task go, the one that has waited longest; or the next one that comes.
    /// @context As Scheduler::submit(Task&).
    /// @return As set().
    Status signal() { return give(one, detail::From::task); }
    /// The same from an interrupt handler.
    /// @context As Scheduler::submit_from_isr().
    /// @return As set_from_isr().
    Status signal_from_isr() { return give(one, detail::From::isr); }

    /// The event is not set any more, and a signal that nobody waited for is forgotten. (Unless another core's call is
    /// just seeing to it.)
    /// @context Any context. With calls that are under way on other cores, in any order.
    void clear();

    /// Appends to `left_over` the tasks that wait, the one that has waited longest first.
    /// @context Task context of one core, after join() and every call of the event have returned.
    void take_back(Batch& left_over);

private:
    static constexpr uint32_t one = 1;
    static constexpr uint32_t is_set = 1u << 31;

    Status wait(Task& task, detail::From from);
    Status give(uint32_t what, detail::From from);
    Status act(detail::From from);
    bool let_go(detail::From from);

    Atomic<uintptr_t> pushed_{};   // tasks that came, the newest first
    Atomic<uint32_t> given_{};     // how many signals nobody has had yet; and whether the event is set
    Atomic<uint32_t> calls_{};     // calls that nobody has seen to; the one that found 0 sees to all
    Atomic<uint32_t> handlers_{};  // calls under way that start no core: UnderWay
    // Who wait, the oldest first. For the core that sees to the calls.
    Plain<Task*> first_{};
    Plain<Task*> last_{};  // valid if there is a first
};

}  // namespace WEFT_ABI
}  // namespace weft
