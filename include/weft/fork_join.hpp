// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Fork-join: nested parallelism that costs next to nothing where no core is idle.
///
///     weft::fork_join([&] { sort(left); }, [&] { sort(right); });
///
/// Loops and reductions: weft/parallel.hpp. Children one by one: weft/task_group.hpp. What stands here holds for all.
///
/// All of it is strictly nested: a call returns when everything that it forked has been run. Then it sees all that was
/// written there. Nothing is allocated: a child is at most six words on the stack.
///
/// *Where.* The first argument may say it:
/// - nothing: in the task that calls, so in its pool: the cores of that pool share the work. Outside of all pools
///   everything is run serially, by the calling core.
/// - a Here: the same, without looking the worker up.
/// - a pool: from outside of its tasks, as Scheduler::call(). The calling core works for the pool meanwhile if it is
///   one of its cores. Otherwise it sleeps until a worker has done it.
///
/// *Errors.* "Panics" below: in checked builds (WEFT_CHECKS=1), as soon as something is forked or joined that way;
/// otherwise it is undefined. Nothing of it may be called in an interrupt handler.
///
/// *Callables* are called where they are, so what they change in themselves is seen after the join. The one exception
/// is a lambda, not `mutable`, moved or made in the call, with at most three words of plain data in its captures. (And
/// what cannot be told from one: it cannot be assigned to, and its only call operator is const.) A copy of it may be
/// called. The addresses of what it holds, and changes by way of a `mutable` member, are good only while it runs.
///
/// Callables run once, on any core of the pool, do not throw, and must not wait for each other. They may do whatever a
/// task may do, fork and submit too, but not call run() or poll() of the same pool, nor wait in it (work.hpp). What
/// they have another pool run on this core, by its poll(), wait() or a call, may not wait in this one, either. A
/// callable that holds a lock must not fork. For a core that waits for a stolen child runs other children, which may
/// want that lock.
///
/// *Stack.* Per level of nesting: at most the largest child of that level. And a frame of the scheduler where a child
/// was stolen (docs/FORK_JOIN.md). A child that finds no room (WEFT_FORK_DEPTH) is run by the core that forks it.
#pragma once

#include <weft/detail/traits.hpp>
#include <weft/scheduler.hpp>

#if WEFT_FORK_DEPTH == 0
#error "weft: fork-join needs WEFT_FORK_DEPTH of at least 1"
#endif

namespace weft {
inline namespace WEFT_ABI {

namespace detail {
struct HereAccess;
}  // namespace detail

/// The worker that the calling core is, inside a task. Outside of all pools it is no worker, and all is run serially.
/// Code that forks often saves the look-up with it:
///
///     long fib(weft::Here here, long n) {
///         if (n < 2) return n;
///         long a, b;
///         weft::fork_join(here, [&](weft::Here h) { a = fib(h, n - 1); }, [&](weft::Here h) { b = fib(h, n - 2); });
///         return a + b;
///     }
///
/// @lifetime Within the callable that made it or was given it: on another core or in another pool it panics.
class Here {
public:
    /// Looks the worker up.
    /// @context Task context of any core.
    Here() : deque_(detail::ForkDeque::current()) {}
    /// No worker: what is forked with it is run serially.
    /// @context Any context.
    static constexpr Here nobody() { return Here(nullptr); }

private:
    friend struct detail::HereAccess;
    constexpr explicit Here(detail::ForkDeque* deque) : deque_(deque) {}

    detail::ForkDeque* deque_;
};

namespace detail {

struct HereAccess {
    static Here make(ForkDeque* deque) { return Here(deque); }
    static ForkDeque* deque(Here here) { return here.deque_; }
};

template <class Callable>
[[gnu::always_inline]] inline void invoke(Callable& callable, ForkDeque* deque) {
    if constexpr (is_called_with<Callable, Here>) {
        static_cast<void>(callable(HereAccess::make(deque)));
    } else {
        static_assert(is_called_with<Callable>,
                      "weft: what is forked can be called without arguments, or with a weft::Here");
        if constexpr (is_called_with<Callable>) static_cast<void>(callable());
    }
}

// A forked child: a frame and where its callable is.
template <class Callable>
struct Child : Frame {
    explicit Child(Callable& callable) : Frame(&Child::run_taken), callable_(__builtin_addressof(callable)) {}

private:
    static void run_taken(Frame& self, ForkDeque* deque) {
        invoke(*static_cast<Child&>(self).callable_, deque);
    }

    Callable* callable_;
};

// The same with a copy of the callable, where it makes no difference (is_copied): what the owner runs itself, it runs
// from registers: it did not hand it out.
template <class Callable>
struct ChildByValue : Frame {
    explicit ChildByValue(const Callable& callable) : Frame(&ChildByValue::run_taken), callable_(callable) {}

private:
    static void run_taken(Frame& self, ForkDeque* deque) {
        invoke(static_cast<ChildByValue&>(self).callable_, deque);
    }

    Callable callable_;
};

template <class Callable>
struct ChildOf;
template <class Callable>
struct ChildOf<Callable&> {
    using Type = Child<Callable>;
};
template <class Callable>
struct ChildOf<Callable&&> : Choose<is_copied<Callable>, ChildByValue<Callable>, Child<Callable>> {};

template <class First, class Second>
[[gnu::always_inline]] inline void fork(ForkDeque* deque, First&& first, Second&& second) {
    if (deque == nullptr) {
        invoke(first, deque);
        invoke(second, deque);
        return;
    }
    typename ChildOf<Second&&>::Type child(second);
    static_assert(sizeof(child) <= 6 * sizeof(void*));
    ForkDeque::Slot* const slot = deque->push(&child);
    invoke(first, deque);
    if (slot == nullptr) deque->end_skip();
    if (slot == nullptr || deque->pop(slot) || deque->join(slot)) {
        deque->share();
        invoke(second, deque);
    }
}

template <class Argument>
inline constexpr bool is_pool = __is_base_of(Scheduler, Argument);
template <class Argument>
inline constexpr bool is_pool<Argument&> = is_pool<Argument>;
template <class Argument>
inline constexpr bool is_here = false;
template <>
inline constexpr bool is_here<Here> = true;
template <class Argument>
inline constexpr bool is_here<Argument&> = is_here<Argument>;
template <>
inline constexpr bool is_here<const Here> = true;

}  // namespace detail

/// Runs all the callables, in parallel where cores are idle, and returns when all have returned. The first one runs on
/// the calling core. The first argument may be a Here or a pool, which says where (see weft/fork_join.hpp).
/// @context Task context of any core.
/// @panics In a handler that interrupts a task; a Here of another core or pool; joins out of order (TaskGroup).
template <class First, class Second, class... More>
[[gnu::always_inline]] inline void fork_join(First&& first, Second&& second, More&&... more) {
    if constexpr (detail::is_pool<First>) {
        auto all = [&] {
            if constexpr (sizeof...(More) == 0) {
                detail::invoke(second, detail::ForkDeque::current());
            } else {
                fork_join(second, more...);
            }
        };
        first.call(all);
    } else if constexpr (!detail::is_here<First>) {
        fork_join(Here(), static_cast<First&&>(first), static_cast<Second&&>(second),
                  static_cast<More&&>(more)...);
    } else if constexpr (sizeof...(More) == 0) {
        detail::invoke(second, detail::HereAccess::deque(first));
    } else if constexpr (sizeof...(More) == 1) {
        detail::fork(detail::HereAccess::deque(first), static_cast<Second&&>(second),
                     static_cast<More&&>(more)...);
    } else {
        auto others = [&](Here here) { fork_join(here, more...); };
        detail::fork(detail::HereAccess::deque(first), second, others);
    }
}
/// Refuses a single callable: the message names the remedy.
/// @context Does not compile.
template <class Only>
void fork_join(Only&&) {
    static_assert(sizeof(Only) == 0, "weft: fork_join runs two callables or more side by side");
}

}  // namespace WEFT_ABI
}  // namespace weft
