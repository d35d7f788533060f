// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Mandatory: tasks that run whatever becomes of their pool. A part of Scheduler.
#pragma once

#include <weft/detail/idle_word.hpp>
#include <weft/detail/task_stack.hpp>
#include <weft/detail/traits.hpp>

namespace weft {
inline namespace WEFT_ABI {

class Metrics;
class Scheduler;
namespace detail {
struct Worker;
}  // namespace detail

#if WEFT_MANDATORY

/// Tasks that run although their pool is abandoned, and although no core works for it any more: to write what must not
/// be lost, to switch off what must not stay on. With WEFT_MANDATORY=1.
///
///     pool.submit_mandatory(save_position);
///     pool.shutdown(weft::Shutdown::abandon);  // hands back all that is queued, but this
///     pool.join();                             // it has run now, on this core if on no other one
///
/// Before the end of the pool such a task is like any other one, and has its turn as the others. At Shutdown::abandon
/// the cores that work for the pool run what is mandatory before they leave; the joiner runs what is left of it, before
/// join() returns. If nobody joins, what no core was there to run stays queued. After Shutdown::drain all tasks run, in
/// no promised order. One that never ends keeps join() waiting, as any task does; if it can be long, it asks
/// Scheduler::is_closing().
///
/// Any core of the pool may run it, or the joiner: none is mandatory for some cores only, urgent, or counted as a
/// blocking one. A submit after the shutdown is refused, also by a mandatory task that runs meanwhile: it is told, and
/// can do the work itself.
/// @lifetime A part of the pool.
class Mandatory {
public:
    /// Queues a task that will run, whichever way the pool ends: if this returns ok, it has run when join() returns. It
    /// wakes or starts a core as Scheduler::submit(Task&).
    /// @context As Scheduler::submit(Task&).
    /// @return As Scheduler::submit(Task&).
    /// @lifetime As Scheduler::submit(Task&).
    Status submit_mandatory(Task& task) { return take_in(task, detail::Chances::from_outside); }
    /// The same from an interrupt handler: as submit_from_isr(), it starts no core.
    /// @context As Scheduler::submit_from_isr(Task&).
    /// @return As Scheduler::submit_from_isr(Task&).
    /// @lifetime As Scheduler::submit(Task&).
    Status submit_mandatory_from_isr(Task& task) { return take_in(task, detail::Chances::from_isr); }
    /// For whatever else is submitted: as Scheduler::submit(Other&&).
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other, class = detail::Refused<Other&&, Task>>
    auto submit_mandatory(Other&&) {
        return detail::refuse<Other, Task>();
    }
    /// For whatever else is submitted: as Scheduler::submit(Other&&).
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other, class = detail::Refused<Other&&, Task>>
    auto submit_mandatory_from_isr(Other&&) {
        return detail::refuse<Other, Task>();
    }

private:
    friend class Metrics;
    friend class Scheduler;
    constexpr Mandatory() = default;

    Status take_in(Task& task, detail::Chances chances);
    // For the last look: after its fence [I1].
    bool mandatory_is_visible(uintptr_t uncounted) const { return mandatory_.looks_nonempty(uncounted); }
    // A hint.
    bool any_mandatory() const { return detail::TaskStack::any_used(mandatory_); }
    // A core takes from this list: is it that of mandatory tasks?
    bool takes_mandatory(detail::Worker& worker, const detail::TaskStack& stack) const;
    // Before each task of a loop: has it been taken there?
    static bool is_mandatory(detail::Worker& worker);
    detail::TaskStack& mandatory_queue(detail::TaskStack&) { return mandatory_; }
    [[gnu::cold, gnu::noinline]] Task* take_mandatory(Scheduler& pool, detail::Worker& worker);
    void close_mandatory() { mandatory_.close(); }

    detail::TaskStack mandatory_{};
};

#else

/// Not in this build: the messages say what to do.
class Mandatory {
public:
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other>
    Status submit_mandatory(Other&&) {
        return refuse<sizeof(Other) == 0>();
    }
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other>
    Status submit_mandatory_from_isr(Other&&) {
        return refuse<sizeof(Other) == 0>();
    }

private:
    friend class Scheduler;
    constexpr Mandatory() = default;
    template <bool setting>
    static Status refuse() {
        static_assert(setting,
                      "weft: mandatory tasks are a setting: build the library and its users with "
                      "-DWEFT_MANDATORY=1");
        return Status::ok;
    }
    static constexpr bool mandatory_is_visible(uintptr_t) { return false; }
    static constexpr bool any_mandatory() { return false; }
    static constexpr bool takes_mandatory(detail::Worker&, const detail::TaskStack&) { return false; }
    static constexpr bool is_mandatory(detail::Worker&) { return false; }
    static detail::TaskStack& mandatory_queue(detail::TaskStack& other) { return other; }
    static constexpr Task* take_mandatory(Scheduler&, detail::Worker&) { return nullptr; }
    static void close_mandatory() {}
};

#endif

}  // namespace WEFT_ABI
}  // namespace weft
