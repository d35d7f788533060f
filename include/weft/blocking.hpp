// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Blocking: long tasks, on a limited number of cores. A part of Scheduler.
#pragma once

#include <weft/detail/idle_word.hpp>
#include <weft/detail/task_stack.hpp>
#include <weft/detail/traits.hpp>

namespace weft {
inline namespace WEFT_ABI {

class Elasticity;
class Metrics;
class Quiescing;
class Scheduler;
namespace detail {
struct Worker;
}  // namespace detail

#if WEFT_BLOCKING

/// Long tasks run on a limited number of cores, so that the others never wait behind them. With WEFT_BLOCKING=1.
///
///     pool.limit_blocking(2);               // on two cores at most; one, if nobody says so
///     pool.submit_blocking(write_log);      // as submit(), for a task that waits for a device, or computes for long
///
/// *Who runs them*: a core in run(), or one that weft has started, and only between two tasks of its own loop: not
/// in a wait or a join of a task, not in poll(), not in wait_idle() or call(). Other cores take over all that such a
/// core had, strands too; in turns, if they are busy. What is pinned to it waits. If all cores that are here run such
/// tasks, another one is started, so that one is here for what a handler submits: if one may be, which a limit or
/// retirement of cores can prevent (elastic.hpp).
///
/// *Who waits*: blocking tasks wait for each other, in no promised order, while as many run as may. One that waits for
/// another one needs a limit of two. A task that waits for one needs a second core. In a pool whose cores only poll()
/// nobody runs them but join(). Beside ordinary tasks they come when a core finds nothing else, and at the latest after
/// 2 * WEFT_FAIR_INTERVAL (or WEFT_FAIR_MOST) tasks of a core in its loop; urgent ones go first.
///
/// *At the end*: Shutdown::drain runs them all, still no more at a time than the limit. Shutdown::abandon hands back
/// those that have not begun. join() waits for one that runs: for ever, if it never ends; all the rest runs meanwhile.
/// @lifetime A part of the pool.
class Blocking {
public:
    /// Queues a task that may take long. It wakes a core that sleeps in its loop, or starts one; if as many run as may,
    /// the next one of them that ends lets it begin.
    /// @context As Scheduler::submit(Task&).
    /// @return As Scheduler::submit(Task&).
    /// @lifetime As Scheduler::submit(Task&).
    Status submit_blocking(Task& task) { return hand_in(task, detail::Chances::from_outside); }
    /// The same from an interrupt handler: as submit_from_isr(), it starts no core.
    /// @context As Scheduler::submit_from_isr(Task&).
    /// @return As Scheduler::submit_from_isr(Task&).
    /// @lifetime As Scheduler::submit(Task&).
    Status submit_blocking_from_isr(Task& task) { return hand_in(task, detail::Chances::from_isr); }
    /// For whatever else is submitted: as Scheduler::submit(Other&&).
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other, class = detail::Refused<Other&&, Task>>
    auto submit_blocking(Other&&) {
        return detail::refuse<Other, Task>();
    }
    /// For whatever else is submitted: as Scheduler::submit(Other&&).
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other, class = detail::Refused<Other&&, Task>>
    auto submit_blocking_from_isr(Other&&) {
        return detail::refuse<Other, Task>();
    }

    /// From now on at most `most` cores run blocking tasks at a time; 1 at first. More than the pool has: all. If the
    /// limit is raised, as many begin as are queued and may. If it is lowered, those that run go on to their ends, and
    /// none begins before fewer run than may.
    /// @context Task context of any core, foreign ones too; in tasks.
    /// @return ok; out_of_range: 0, nothing is changed; wrong_context: on top of a task; in checked builds also an
    /// interrupt handler.
    Status limit_blocking(uint32_t most);

    /// How many cores run a blocking task, or are just taking one. At no time more than the limit was when they began.
    /// @context Any context.
    uint32_t blocking_cores() const { return running(state_.load(relaxed)); }  // relaxed: one word, no data

private:
    friend class Scheduler;
    friend class Elasticity;
    friend class Quiescing;
    friend class Metrics;
    constexpr Blocking() = default;

    // state_: how many run, and how many may.
    static constexpr uint32_t one_core = 1;
    static constexpr uint32_t most_shift = 16;
    static constexpr uint32_t count_mask = 0xffffu;
    static uint32_t running(uint32_t state) { return state & count_mask; }
    static uint32_t most(uint32_t state) { return state >> most_shift; }
    static bool has_room(uint32_t state) { return running(state) < most(state); }

    Status hand_in(Task& task, detail::Chances chances);
    // After a fence [I1]. One is queued, and may begin.
    bool may_begin(uintptr_t uncounted = detail::TaskStack::consuming) const {
        return queue_.looks_nonempty(uncounted) &&
               has_room(state_.load(relaxed));  // relaxed: after that fence
    }
    bool is_any_queued() const { return queue_.looks_nonempty(0); }
    // The calling core sleeps in its own loop, or does not any more.
    void will_take(const detail::Worker& worker);
    void will_not_take(const detail::Worker& worker);
    bool lingers(const Scheduler& pool) const;
    [[gnu::cold]] void tell(Scheduler& pool, detail::Chances chances);
    [[gnu::cold]] void tell_of_blocking(Scheduler& pool, detail::Chances chances);
    bool reserves();
    [[gnu::cold, gnu::noinline]] Task* take_blocking(Scheduler& pool, detail::Worker& worker, bool may);
    Task* take_in_turn(Scheduler& pool, detail::Worker& worker, bool may);
    [[gnu::cold]] void needs_another(Scheduler& pool) const;
    // All of the `here` cores that are here run such tasks, and there are some.
    bool blocks_all_of(uint32_t here) const {
        const uint32_t some = blocking_cores();
        return some != 0 && some >= here;
    }
    static bool begins(detail::Worker& worker);
    [[gnu::always_inline]] void ends(Scheduler& pool, detail::Worker& worker, bool was_blocking) {
        if (was_blocking) end_blocking(pool, worker);
    }
    [[gnu::cold]] void end_blocking(Scheduler& pool, detail::Worker& worker);
    void hand_over(detail::TaskStack& stack);

    detail::TaskStack queue_{};
    Atomic<uint32_t> state_{one_core << most_shift};
    Atomic<uint32_t> takers_{};  // bits as in the idle word: the core sleeps in its own loop
};

#else

/// Not in this build: the messages say what to do.
class Blocking {
public:
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other>
    Status submit_blocking(Other&&) {
        return refuse<sizeof(Other) == 0>();
    }
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other>
    Status submit_blocking_from_isr(Other&&) {
        return refuse<sizeof(Other) == 0>();
    }
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool setting = false>
    Status limit_blocking(uint32_t) {
        return refuse<setting>();
    }

private:
    friend class Scheduler;
    friend class Elasticity;
    friend class Quiescing;
    constexpr Blocking() = default;
    template <bool setting>
    static Status refuse() {
        static_assert(setting,
                      "weft: blocking tasks are a setting: build the library and its users with "
                      "-DWEFT_BLOCKING=1");
        return Status::ok;
    }
    static constexpr bool may_begin() { return false; }
    static constexpr bool is_any_queued() { return false; }
    static void tell_of_blocking(Scheduler&, detail::Chances) {}
    static constexpr Task* take_in_turn(Scheduler&, detail::Worker&, bool) { return nullptr; }
    static void needs_another(const Scheduler&) {}
    static constexpr bool blocks_all_of(uint32_t) { return false; }
    static constexpr bool begins(detail::Worker&) { return false; }
    static void ends(Scheduler&, detail::Worker&, bool) {}
    static void hand_over(detail::TaskStack&) {}
};

#endif

}  // namespace WEFT_ABI
}  // namespace weft
