// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Loops and reductions over ranges of integers. Which cores share the work, what callables may do and what panics:
/// weft/fork_join.hpp.
///
///     weft::parallel_for(0, rows, 8, [&](int row) { blur(image, row); });
///     const uint64_t sum = weft::parallel_reduce(0, n, 64, uint64_t(0), [&](int i) { return squares[i]; },
///                                                [](uint64_t a, uint64_t b) { return a + b; });
#pragma once

#include <weft/fork_join.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

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
                  "weft: first and last of a range must have the same type; cast one");
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
inline constexpr bool says_where = is_pool<Argument> || is_here<Argument>;
// What no other overload takes, this one does: every other conversion is better.
struct Anything {
    constexpr Anything() = default;
    template <class Argument>
    constexpr Anything(const Argument&) {}
};

// Chunks of `grain` in ascending order; whenever a core has nothing to do, half of what is left is forked ("lazy
// binary splitting", Tzannes et al., PPoPP 2010).
template <class Index, class Body>
void loop(ForkDeque* deque, Index first, Count<Index> count, Count<Index> grain, Body& body) {
    while (count > grain) {
        if (deque != nullptr && deque->wanted()) {
            const Count<Index> half = count / 2;
            const Index middle = advance(first, half);
            auto lower = [&](Here here) { loop(HereAccess::deque(here), first, half, grain, body); };
            auto upper = [&](Here here) { loop(HereAccess::deque(here), middle, count - half, grain, body); };
            fork(deque, lower, upper);
            return;
        }
        const Index end = advance(first, grain);
        for (; first != end; ++first) body(constant(first));
        count -= grain;
    }
    for (; count != 0; --count, ++first) body(constant(first));
}

// Says what is wrong with the arguments of a reduction; false: they cannot even be called.
template <class Last, class T, class Map, class Combine>
constexpr bool is_reduction() {
    if constexpr (!is_called_with<Map, const Last&>) {
        static_assert(sizeof(T) == 0,
                      "weft: parallel_reduce(first, last, grain, identity, map, combine): "
                      "map is called with an index");
        return false;
    } else {
        using Mapped = decltype(any<Map&>()(any<const Last&>()));
        if constexpr (!is_called_with<Combine, T, Mapped> || !is_called_with<Combine, T, T>) {
            static_assert(sizeof(T) == 0,
                          "weft: parallel_reduce(first, last, grain, identity, map, combine): "
                          "combine is called with two values");
            return false;
        } else {
            static_assert(holds<T, Mapped>(),
                          "weft: parallel_reduce's result has the type of its identity, which does not hold "
                          "what map returns");
            static_assert(takes<T, decltype(any<Combine&>()(any<T>(), any<Mapped>()))>() &&
                              takes<T, decltype(any<Combine&>()(any<T>(), any<T>()))>(),
                          "weft: parallel_reduce's result has the type of its identity, which does not hold "
                          "what combine returns");
            return true;
        }
    }
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
                sum = reduce(HereAccess::deque(here), first, half, grain, static_cast<T&&>(sum), map, combine,
                             identity);
            };
            auto upper = [&](Here here) {
                right = reduce(HereAccess::deque(here), middle, count - half, grain, identity, map, combine,
                               identity);
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

/// body(i) for every i of first..last-1, each once; an empty or reversed range: nothing.
///
/// `First`, `Last`: integers of one size (at most 64 bits) and sign; every range of them is good.
///
/// `grain`, in turns of the loop: at most this many are run in one go, in ascending order. Only if a core has nothing
/// to do then, the rest is halved. (While it is more than `grain`; so a half has at least half of `grain`.) A small
/// grain costs little: it is the bound after which an idle core gets its share. 0 is taken as 1; as large as the range
/// means serial.
///
/// It is converted to a uint32_t (uint64_t where the ends have 64 bits). So -1 is serial; 2^32 with ends of 32 bits is
/// 0, hence 1.
/// @context Task context of any core.
/// @panics As fork_join().
template <class First, class Last, class Body>
void parallel_for(Here here, First first, Last last, detail::Count<Last> grain, Body&& body) {
    static_assert(detail::is_called_with<Body, const Last&>,
                  "weft: the body of a loop is called with an index: parallel_for(first, last, grain, "
                  "[&](int i) { ... })");
    if constexpr (detail::is_called_with<Body, const Last&>) {
        const Last begin = detail::beginning<Last>(first);
        detail::loop(detail::HereAccess::deque(here), begin, detail::distance(begin, last),
                     grain != 0 ? grain : 1, body);
    }
}
/// The same without a Here: looks the worker up.
/// @context Task context of any core.
template <class First, class Last, class Body,
          class = typename detail::OnlyIf<!detail::says_where<First>>::Type>
void parallel_for(First first, Last last, detail::Count<Last> grain, Body&& body) {
    parallel_for(Here(), first, last, grain, body);
}
/// The same with a pool in front, from outside of its tasks, as Scheduler::call().
/// @context Task context of any core.
template <class First, class Last, class Body>
void parallel_for(Scheduler& pool, First first, Last last, detail::Count<Last> grain, Body&& body) {
    auto all = [&] { parallel_for(first, last, grain, body); };
    pool.call(all);
}
/// For other arguments: the message says which ones it takes.
/// @context Does not compile.
template <class Never = int>
void parallel_for(detail::Anything, detail::Anything = {}, detail::Anything = {}, detail::Anything = {},
                  detail::Anything = {}) {
    static_assert(sizeof(Never) == 0,
                  "weft: parallel_for(first, last, grain, body), or with a pool or a weft::Here before them");
}

/// combine(... combine(identity, map(first)) ..., map(last-1)), with the brackets wherever the range was split. combine
/// must be associative, but need not commute; `identity` must be neutral. (Floating point: sums depend on the brackets,
/// hence on chance.) Range and grain are those of parallel_for().
///
/// T is copied and assigned. T holds whatever number map and combine return, or the call does not compile. So there is
/// no sum of 64-bit numbers in the int of a 0, nor of signed ones in a 0u. (uint16_t + uint16_t is an int, which counts
/// as a uint16_t.)
/// @context Task context of any core.
/// @return the combined value; identity for an empty or reversed range.
/// @panics As fork_join().
template <class First, class Last, class T, class Map, class Combine>
T parallel_reduce(Here here, First first, Last last, detail::Count<Last> grain, T identity, Map&& map,
                  Combine&& combine) {
    if constexpr (detail::is_reduction<Last, T, Map, Combine>()) {
        const Last begin = detail::beginning<Last>(first);
        return detail::reduce(detail::HereAccess::deque(here), begin, detail::distance(begin, last),
                              grain != 0 ? grain : 1, T(identity), map, combine, identity);
    } else {
        return identity;
    }
}
/// The same without a Here: looks the worker up.
/// @context Task context of any core.
/// @return as above.
template <class First, class Last, class T, class Map, class Combine,
          class = typename detail::OnlyIf<!detail::says_where<First>>::Type>
T parallel_reduce(First first, Last last, detail::Count<Last> grain, T identity, Map&& map,
                  Combine&& combine) {
    return parallel_reduce(Here(), first, last, grain, static_cast<T&&>(identity), map, combine);
}
/// The same with a pool in front, from outside of its tasks, as Scheduler::call().
/// @context Task context of any core.
/// @return as above.
template <class First, class Last, class T, class Map, class Combine>
T parallel_reduce(Scheduler& pool, First first, Last last, detail::Count<Last> grain, T identity, Map&& map,
                  Combine&& combine) {
    T result = identity;
    auto all = [&] { result = parallel_reduce(first, last, grain, identity, map, combine); };
    pool.call(all);
    return result;
}
/// For other arguments: the message says which ones it takes.
/// @context Does not compile.
template <class Never = int>
int parallel_reduce(detail::Anything, detail::Anything = {}, detail::Anything = {}, detail::Anything = {},
                    detail::Anything = {}, detail::Anything = {}, detail::Anything = {}) {
    static_assert(
        sizeof(Never) == 0,
        "weft: parallel_reduce(first, last, grain, identity, map, combine), or with a pool or a weft::Here "
        "before them");
    return 0;
}

}  // namespace WEFT_ABI
}  // namespace weft
