// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: fork-join. Nested parallelism that costs next to nothing where nobody has time to share it.
//
//     weft::fork_join([&] { sort(left); }, [&] { sort(right); });
//     weft::parallel_for(0, rows, 8, [&](int row) { blur(image, row); });
//     const uint64_t sum = weft::parallel_reduce(0, n, 64, uint64_t(0), [&](int i) { return squares[i]; },
//                                                [](uint64_t a, uint64_t b) { return a + b; });
//
// All of it is strictly nested: a call returns when everything it forked has been run, and then sees all that was
// written there. Nothing is allocated: a child is at most six words on the stack.
//
// Where: in a task of a pool (its cores share the work); or from outside, with the pool as first argument: the
// calling core works for the pool meanwhile if it is one of its cores, otherwise it sleeps until a worker has done
// it. Without a pool around it, everything runs serially on the calling core. Not in interrupt handlers.
// "Panics" below: with WEFT_CHECKS=1, as soon as something is forked or joined that way; otherwise undefined.
//
// Callables are called where they are, so what they change in themselves is seen after the join. The one exception is a
// lambda that is not `mutable`, moved or made in the call, with at most three words of plain data in its captures (and
// what cannot be told from one: it cannot be assigned to, and its only call operator is const). It may be a copy that
// is called: the addresses of what it holds, and changes by way of a `mutable` member, are good only while it runs.
// They run once, on any core of the pool, do not throw, and must not wait for each other. They may fork, submit,
// and do whatever a task may do, but not call run() or poll() of the same pool. Who holds a lock must not fork: a core
// that waits for a stolen child runs other children meanwhile, which may want that lock.
//
// Stack: per level of nesting at most the largest child of that level, and a frame of the scheduler where a child was
// stolen (docs/DESIGN.md, "Fork-join"). A child that finds no room (WEFT_FORK_DEPTH) is run by the core that forks it.
#pragma once

#include <weft/detail/traits.hpp>
#include <weft/scheduler.hpp>

#if WEFT_FORK_DEPTH == 0
#error "weft: fork-join needs WEFT_FORK_DEPTH of at least 1"
#endif

namespace weft {
inline namespace WEFT_ABI {

// The worker that the calling core is, inside a task; nobody, outside of all pools. To be made where it is used, or
// handed down within one callable; on another core or in another pool it panics. Who forks often saves the look-up:
//
//     long fib(weft::Here here, long n) {
//         if (n < 2) return n;
//         long a, b;
//         weft::fork_join(here, [&](weft::Here h) { a = fib(h, n - 1); }, [&](weft::Here h) { b = fib(h, n - 2); });
//         return a + b;
//     }
class Here {
public:
    Here() : deque_(detail::ForkDeque::current()) {}            // looks the worker up; in task context
    explicit Here(detail::ForkDeque* deque) : deque_(deque) {}  // for this header; nullptr: nobody

    detail::ForkDeque* deque() const { return deque_; }  // for this header

private:
    detail::ForkDeque* deque_;
};

namespace detail {

template <class Callable, class = void>
inline constexpr bool takes_here = false;
template <class Callable>
inline constexpr bool takes_here<Callable, decltype(static_cast<void>(any<Callable&>()(any<Here>())))> = true;

template <class Callable>
[[gnu::always_inline]] inline void invoke(Callable& callable, ForkDeque* deque) {
    if constexpr (takes_here<Callable>) {
        static_cast<void>(callable(Here(deque)));
    } else {
        static_cast<void>(callable());
    }
}

// A forked child: a frame and where its callable is.
template <class Callable>
struct Child : Frame {
    explicit Child(Callable& callable) : Frame(&Child::run_taken), callable_(&callable) {}

private:
    static void run_taken(Frame& self, ForkDeque* deque) {
        invoke(*static_cast<Child&>(self).callable_, deque);
    }

    Callable* callable_;
};

// The same with a copy of the callable, where nobody can tell (is_copied): what the owner runs itself, it runs from
// registers: it did not hand it out.
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

// An integer's distances are counted in the unsigned type of its size, or of 32 bits: they do not overflow.
template <class Index>
using Count = typename Choose<sizeof(Index) == 8, uint64_t, uint32_t>::Type;

template <class Index>
Count<Index> distance(Index first, Index last) {
    return first < last ? static_cast<Count<Index>>(last) - static_cast<Count<Index>>(first) : 0;
}
// The beginning of a range in the type of its end. 0u and a uint32_t may be two types, but have the same values.
template <class Last, class First>
Last beginning(First first) {
    static_assert(sizeof(Last) <= 8 && static_cast<Last>(1) / static_cast<Last>(2) == static_cast<Last>(0),
                  "weft: a range's ends are integers of at most 64 bits");
    static_assert(sizeof(First) == sizeof(Last) && is_signed<First> == is_signed<Last>,
                  "weft: a range's ends have the same type; which one would -1 be in 0u..n?");
    return static_cast<Last>(first);
}
template <class Index>
Index advance(Index first, Count<Index> by) {
    return static_cast<Index>(static_cast<Count<Index>>(first) + by);
}
// What callables see of a loop's variable: they may not change it.
template <class Index>
const Index& constant(const Index& index) {
    return index;
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

// Runs all the callables, in parallel where cores have time, and returns when all have returned. The first one runs
// on the calling core. The first argument may be the pool to run them in (from outside of its tasks), or the caller's
// Here. Panics: in a handler that interrupts a task; a Here of another core or pool; joins out of order (TaskGroup).
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
    } else if constexpr (sizeof...(More) == 1) {
        detail::fork(first.deque(), static_cast<Second&&>(second), static_cast<More&&>(more)...);
    } else {
        auto others = [&](Here here) { fork_join(here, more...); };
        detail::fork(first.deque(), second, others);
    }
}

namespace detail {

// Chunks of `grain` in ascending order; whenever somebody has nothing to do, half of what is left is forked ("lazy
// binary splitting", Tzannes et al., PPoPP 2010).
template <class Index, class Body>
void loop(ForkDeque* deque, Index first, Count<Index> count, Count<Index> grain, Body& body) {
    while (count > grain) {
        if (deque != nullptr && deque->wanted()) {
            const Count<Index> half = count / 2;
            const Index middle = advance(first, half);
            auto lower = [&](Here here) { loop(here.deque(), first, half, grain, body); };
            auto upper = [&](Here here) { loop(here.deque(), middle, count - half, grain, body); };
            fork(deque, lower, upper);
            return;
        }
        const Index end = advance(first, grain);
        for (; first != end; ++first) body(constant(first));
        count -= grain;
    }
    for (; count != 0; --count, ++first) body(constant(first));
}

template <class Index, class T, class Map, class Combine>
T reduce(ForkDeque* deque, Index first, Count<Index> count, Count<Index> grain, T sum, Map& map,
         Combine& combine, const T& identity) {
    while (count > grain) {
        if (deque != nullptr && deque->wanted()) {
            const Count<Index> half = count / 2;
            const Index middle = advance(first, half);
            T right = identity;
            auto lower = [&](Here here) {
                sum = reduce(here.deque(), first, half, grain, static_cast<T&&>(sum), map, combine, identity);
            };
            auto upper = [&](Here here) {
                right = reduce(here.deque(), middle, count - half, grain, identity, map, combine, identity);
            };
            fork(deque, lower, upper);
            return static_cast<T>(combine(static_cast<T&&>(sum), static_cast<T&&>(right)));
        }
        const Index end = advance(first, grain);
        for (; first != end; ++first)
            sum = static_cast<T>(combine(static_cast<T&&>(sum), map(constant(first))));
        count -= grain;
    }
    for (; count != 0; --count, ++first)
        sum = static_cast<T>(combine(static_cast<T&&>(sum), map(constant(first))));
    return sum;
}

}  // namespace detail

// body(i) for every i of first..last-1, each once; an empty or reversed range: nothing. `First`, `Last`: integers of
// one size (at most 64 bits) and sign; every range of them is good. `grain`: at most so many are run in one go, in
// ascending order; only if a core has nothing to do then, the rest is halved (while it is more than `grain`, so a half
// has at least half of `grain`). A small grain costs little: it is the bound after which an idle core gets its share.
// 0 is taken as 1; as large as the range: serial. It is converted to a uint32_t (uint64_t where the ends have 64 bits):
// -1 is serial; 2^32 with ends of 32 bits is 0, hence 1. Panics: as fork_join().
template <class First, class Last, class Body>
void parallel_for(First first, Last last, detail::Count<Last> grain, Body&& body) {
    const Last begin = detail::beginning<Last>(first);
    detail::loop(detail::ForkDeque::current(), begin, detail::distance(begin, last), grain != 0 ? grain : 1,
                 body);
}
template <class First, class Last, class Body>
void parallel_for(Scheduler& pool, First first, Last last, detail::Count<Last> grain, Body&& body) {
    auto all = [&] { parallel_for(first, last, grain, body); };
    pool.call(all);
}

// combine(... combine(identity, map(first)) ..., map(last-1)), with the brackets wherever the range was split:
// combine must be associative, but need not commute; `identity` must be neutral. identity for an empty or reversed
// range. T is copied. T holds whatever number map and combine return, or the call does not compile: no sum of 64-bit
// numbers in the int of a 0, nor of signed ones in a 0u. (uint16_t + uint16_t is an int, which counts as a uint16_t.)
// All else as above. (Floating point: sums depend on the brackets, hence on chance.)
template <class First, class Last, class T, class Map, class Combine>
T parallel_reduce(First first, Last last, detail::Count<Last> grain, T identity, Map&& map,
                  Combine&& combine) {
    using Mapped = decltype(map(detail::any<const Last&>()));
    static_assert(
        detail::holds<T, Mapped>(),
        "weft: parallel_reduce's result has the type of its identity, which does not hold what map returns");
    static_assert(
        detail::takes<T, decltype(combine(detail::any<T>(), detail::any<Mapped>()))>() &&
            detail::takes<T, decltype(combine(detail::any<T>(), detail::any<T>()))>(),
        "weft: parallel_reduce's result has the type of its identity, which does not hold what combine "
        "returns");
    const Last begin = detail::beginning<Last>(first);
    return detail::reduce(detail::ForkDeque::current(), begin, detail::distance(begin, last),
                          grain != 0 ? grain : 1, T(identity), map, combine, identity);
}
template <class First, class Last, class T, class Map, class Combine>
T parallel_reduce(Scheduler& pool, First first, Last last, detail::Count<Last> grain, T identity, Map&& map,
                  Combine&& combine) {
    T result = identity;
    auto all = [&] { result = parallel_reduce(first, last, grain, identity, map, combine); };
    pool.call(all);
    return result;
}

class TaskGroup;

namespace detail {

struct GroupFrame : Frame {
    GroupFrame* before;
    ForkDeque::Slot* slot;
};

}  // namespace detail

// A callable to be run by a TaskGroup: weft::GroupTask left([&] { ... }); It must live until the group's wait()
// returns (declare it before the group): its end before that panics.
template <class Callable>
class GroupTask : private detail::GroupFrame {
public:
    constexpr explicit GroupTask(Callable callable)
        : GroupFrame{{&GroupTask::call, nullptr}, nullptr, nullptr},
          callable_(static_cast<Callable&&>(callable)) {}
    GroupTask(const GroupTask&) = delete;
    GroupTask& operator=(const GroupTask&) = delete;
#if WEFT_CHECKS
    ~GroupTask() {
        if (slot == nullptr) return;
        Port::panic("weft: a GroupTask ends before its group's wait(); declare it before the group",
                    Port::core_id(), this);
    }
#endif

private:
    friend class TaskGroup;
    static void call(detail::Frame& self, detail::ForkDeque* deque) {
        detail::invoke(static_cast<GroupTask&>(static_cast<GroupFrame&>(self)).callable_, deque);
    }

    Callable callable_;
};

// Any number of children, forked one by one and joined together. Strictly nested like everything here: run() and
// wait() by the task that made the group, on whose stack it is, and the group ends before anything that was forked
// before it.
class TaskGroup {
public:
    TaskGroup() : deque_(detail::ForkDeque::current()) {}  // looks the worker up; in task context
    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;
    ~TaskGroup() { wait(); }  // so a group that ends waits for its children

    // Forks the child. Without a pool, or without room in the deque, it runs at once. Panics: a child whose last run()
    // has not been waited for; another core or pool than where the group was made; an interrupt handler.
    template <class Callable>
    void run(GroupTask<Callable>& child) {
        detail::GroupFrame& frame = child;
#if WEFT_CHECKS
        if (frame.slot != nullptr) {
            Port::panic("weft: a GroupTask is run() again before its group's wait()", Port::core_id(),
                        &child);
        }
#endif
        // Anew for each turn: a thief may have ended the one before. relaxed: behind the offer [F1]
        frame.run.store(&GroupTask<Callable>::call, relaxed);
        detail::Frame* const pushed = last_ == nullptr ? &frame : detail::ForkDeque::sibling(&frame);
        detail::ForkDeque::Slot* const slot = deque_ != nullptr ? deque_->push(pushed) : nullptr;
        if (slot == nullptr) {
            GroupTask<Callable>::call(frame, deque_);
            if (deque_ != nullptr && last_ == nullptr) deque_->end_skip();
            return;
        }
        frame.slot = slot;
        frame.before = last_;
        last_ = &frame;
    }

    // Returns when all children have been run; the newest that nobody has taken are run here. The group may be used
    // again. Panics: something was forked after them and is not joined yet (a later group); another core.
    void wait() {
        while (last_ != nullptr) {
            detail::GroupFrame& frame = *last_;
            detail::ForkDeque::Slot* const slot = frame.slot;
            last_ = frame.before;
            frame.slot = nullptr;
            if (!deque_->pop(slot) && !deque_->join(slot)) continue;
            deque_->share();
            frame.run.load(relaxed)(frame, deque_);  // relaxed: no thief has had it
        }
    }

private:
    detail::ForkDeque* const deque_;
    detail::GroupFrame* last_ = nullptr;
};

}  // namespace WEFT_ABI
}  // namespace weft
