// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Sleeping: what the image does around each sleep of a core. A part of Scheduler.
#pragma once

#include <weft/config.hpp>
#include <weft/port.hpp>
#include <weft/status.hpp>

namespace weft {
inline namespace WEFT_ABI {

class Scheduler;
namespace detail {
class ForkDeque;
struct Worker;
}  // namespace detail

/// For who sets how deep a core sleeps: registers that are set before WFE or WFI, and set back after it. With
/// WEFT_SLEEP_HOOKS=1. docs/IDLE.md has the reasons.
/// @lifetime A part of the pool.
class Sleeping {
public:
#if WEFT_SLEEP_HOOKS
    /// Each core that works for the pool calls before(core, last, argument) between its last look for work and its
    /// sleep, and after(core, slept, argument) after it; in a wait or a join of a task, too. `last` and `slept` are
    /// ticks of Port::now(): how long this core's last sleep was (0: there was none), and this one.
    ///
    /// What comes while `before` runs ends the sleep at once. So it looks for nothing, and must not wait for an event
    /// (WFE). Both may call what interrupt handlers may call, and submit(), timers' starts and signals in task context.
    /// There what waits, polls, joins, names cores (submit_on()) or changes which of them work returns wrong_context,
    /// whatever pool it is for.
    /// call() runs its function at once, and what is forked runs serially. A sleep may end for nothing, so they may be
    /// called often: keep them short.
    /// @context Before the pool is used: no core works for it, nothing was submitted.
    /// @return ok; wrong_context: a core works for the pool already, or is on its way.
    /// @lifetime Functions and argument are used until join() has returned. nullptr: nothing is called.
    Status on_sleep(void (*before)(uint32_t core, uint32_t last, void* argument),
                    void (*after)(uint32_t core, uint32_t slept, void* argument), void* argument);
#else
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool setting = false>
    Status on_sleep(void (*)(uint32_t, uint32_t, void*), void (*)(uint32_t, uint32_t, void*), void*) {
        static_assert(setting,
                      "weft: on_sleep() is a setting: build the library and its users with "
                      "-DWEFT_SLEEP_HOOKS=1");
        return Status::ok;
    }
#endif

private:
    friend class Scheduler;
    friend class detail::ForkDeque;
    constexpr Sleeping() = default;

#if WEFT_SLEEP_HOOKS
    using Hook = void (*)(uint32_t core, uint32_t ticks, void* argument);
    void call(Hook hook, detail::Worker& worker) const;
    void sleep(detail::Worker& worker) const;
    // The calling core is in such a function, of any pool.
    static bool calls_here() { return Port::core_id() < Port::max_cores && calls[Port::core_id()]; }

    static inline bool calls[Port::max_cores] = {};
    Plain<Hook> before_{};
    Plain<Hook> after_{};
    Plain<void*> argument_{};
#else
    static inline void sleep(const detail::Worker& worker);
    static bool calls_here() { return false; }
#endif
};

}  // namespace WEFT_ABI
}  // namespace weft
