// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Quiescing: one core has all others stand still. A part of Scheduler.
#pragma once

#include <weft/blocking.hpp>
#include <weft/detail/standstill.hpp>
#include <weft/elastic.hpp>
#include <weft/status.hpp>
#include <weft/watch.hpp>

namespace weft {
inline namespace WEFT_ABI {

class Scheduler;
class Waitable;
namespace detail {
class ForkDeque;
class Source;
}  // namespace detail

#if WEFT_QUIESCE

/// One core, the owner, has all others stand still, until it lets them go: to write flash that all of them run from.
/// With WEFT_QUIESCE=1.
///
///     if (pool.quiesce(deadline) == weft::Status::ok) {
///         write_flash();                                          // a function of the image's, in RAM: WEFT_RAM_CODE
///         pool.resume();
///     }
///
/// *Where they stand*: in code in the section WEFT_RAM_SECTION, which the image's linker script places in RAM, with
/// their interrupts held off. That code reads the pool and their stacks, nothing else. A core that waits to be started
/// stands in that section, too. What is not held off (NMI, a fault, on ARMv7-M priorities above
/// WEFT_ARMV7M_HOLD_PRIORITY) must have its handler and its vector table in RAM.
///
/// *Who does not stand*: the owner, which sees to its own interrupts, and to caches that cores share; and a core that
/// runs the image's own code: a foreign one, one between two polls, one that has called another pool's run(). With
/// WEFT_PREEMPTION=1 tasks of the preempting level run on top of an owner that is a core of the pool, unless it masks
/// its interrupts.
///
/// *How long it takes*: each core goes on to the end of its task, or until that task waits or searches. Then it is some
/// ten instructions. With WEFT_PREEMPTION=1 an interrupt brings it at once, on top of its task (unless that is just in
/// quiesce() of another pool). It may stand in the middle of whatever the task does. So with that setting the owner
/// calls only what a handler may, and resume(). A core that was switched on and has not come yet is waited for.
///
/// *Several pools on one chip*: a core that another pool has started is waited for, also if it sleeps there, as it does
/// not stand for this pool. So as long as that pool keeps it, quiesce() times out, and releases everybody.
/// @lifetime A part of the pool.
class Quiescing {
public:
    /// Has all other cores stand. A core comes when its task ends, when that waits, or in a join of a fork that waits;
    /// one that sleeps is woken. Then the caller is the owner, and all that they did is seen. Looks at least once, and
    /// then for at most `ticks` of Port::now().
    ///
    /// Until resume() the owner may submit to this pool (with WEFT_PREEMPTION=1 as a handler does): nothing runs, and
    /// no core is started. (Another pool would start one.) So submit_on() returns core_unavailable for a core that is
    /// off. shutdown() is possible: the cores leave when they may go on. What would wait, or work for the pool, returns
    /// wrong_context: run(), poll() of at least one task, join(), wait() and wait_idle(). call() runs its function
    /// serially. A task calls resume() before it returns, and joins no fork whose child another core has.
    /// @context Task context of any core, foreign ones too; in tasks; not in functions of on_all_asleep() and
    /// on_sleep().
    /// @return ok. timed_out: some core did not come in time; all may go on. busy: another core was faster; the caller
    /// has stood until that one let go, whatever its own deadline. out_of_range: half a turn of the clock or more.
    /// wrong_context: the caller is the owner already; on top of a task; in checked builds also an interrupt handler.
    /// @panics Checked builds: not here, but where the owner's task returns without resume(), or waits in such a join.
    Status quiesce(uint32_t ticks);

    /// Lets the cores go. They see all that the owner wrote. What was submitted meanwhile wakes or starts a core now.
    /// @context Task context of the owner.
    /// @return ok; wrong_context: the caller is not the owner; on top of a task; in checked builds also an interrupt
    /// handler.
    Status resume();

private:
    friend class Scheduler;  // and its OnTop
    friend class Elasticity;
    friend class Waitable;
    friend class detail::ForkDeque;
    friend class detail::Source;
    constexpr Quiescing() = default;

    // A core becomes a worker: before its power state says so, and then before its first look for a task.
    static void comes(detail::Worker& worker) { worker.stand.come(); }
    void arrives(detail::Worker& worker) {
        Port::fence();  // [U3] that it is here before the look; pairs with quiesce()
        const uint32_t number = standstill_.asked_at_the_door();
        if (number != 0) stands(worker, number);
    }
    static void leaves(detail::Worker& worker) { worker.stand.leave(); }
    // Between two tasks, and wherever a worker looks for something or sleeps. True: it has stood.
    bool stands_if_asked(detail::Worker& worker) {
        const uint32_t number = standstill_.asked();
        return number != 0 && stands(worker, number);
    }
    // After a step of a power state: no core may be started.
    bool forbids_starts() const {
        Port::fence();  // [U3] the step before the look; pairs with quiesce() and with let_go()
        return standstill_.asked() != 0;
    }
    // relaxed: only this core writes its own number there, and takes it away
    bool is_owner() const { return owner_.load(relaxed) == Port::core_id() + 1; }

    [[gnu::cold, gnu::noinline]] bool stands(detail::Worker& worker, uint32_t number);
    [[gnu::cold]] static detail::Worker* works_as(const Scheduler& pool);
    [[gnu::cold]] Status await_all(Scheduler& pool, uint32_t number, uint32_t ticks);
    [[gnu::cold]] Status await_another(Scheduler& pool);
    [[gnu::cold]] static bool look(const Scheduler& pool, uint32_t number, uint32_t& turns, uint32_t& stand);
    static bool all_stand(const Scheduler& pool, uint32_t number);
    [[gnu::cold]] void let_go(Scheduler& pool);

    detail::Standstill standstill_{};
    Atomic<uint32_t> owner_{};  // its number + 1, while there is one
};

#else

/// Not in this build: the messages say what to do.
class Quiescing {
public:
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool setting = false>
    Status quiesce(uint32_t) {
        static_assert(setting,
                      "weft: quiesce() is a setting: build the library and its users with -DWEFT_QUIESCE=1");
        return Status::ok;
    }
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool setting = false>
    Status resume() {
        static_assert(setting,
                      "weft: resume() is a setting: build the library and its users with -DWEFT_QUIESCE=1");
        return Status::ok;
    }

private:
    friend class Scheduler;
    friend class Elasticity;
    friend class Waitable;
    friend class detail::ForkDeque;
    friend class detail::Source;
    constexpr Quiescing() = default;
    static void comes(detail::Worker&) {}
    static void arrives(detail::Worker&) {}
    static void leaves(detail::Worker&) {}
    static bool stands_if_asked(detail::Worker&) { return false; }
    static bool forbids_starts() { return false; }
    static bool is_owner() { return false; }
};

#endif

}  // namespace WEFT_ABI
}  // namespace weft
