// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: what queues and fork-join ask about types. (There is no <type_traits> on every machine.)
#pragma once

#include <weft/config.hpp>
#include <weft/status.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

// Marks what seldom holds: the compiler lays the code out for the other case.
[[gnu::always_inline]] inline constexpr bool rarely(bool condition) {
    return __builtin_expect(condition, false);
}

// What only saves instructions, and costs bytes, is left out where size counts.
#if defined(__OPTIMIZE_SIZE__)
inline constexpr bool for_size = true;
#else
inline constexpr bool for_size = false;
#endif

// What stands after it is computed only where the condition before it holds. Else a compiler may make one of the two
// conditions around it, for which every pass pays.
[[gnu::always_inline]] inline void only_if_needed() {
    if (!for_size) asm volatile("");
}

template <class Type>
Type&& any();

template <bool, class Then, class Else>
struct Choose {
    using Type = Then;
};
template <class Then, class Else>
struct Choose<false, Then, Else> {
    using Type = Else;
};

template <bool>
struct OnlyIf {};
template <>
struct OnlyIf<true> {
    using Type = void;
};

// ---- What can be called

template <class, class Callable, class... Arguments>
inline constexpr bool is_called_void = false;
template <class Callable, class... Arguments>
inline constexpr bool is_called_void<decltype(static_cast<void>(any<Callable&>()(any<Arguments>()...))),
                                     Callable, Arguments...> = true;
template <class Callable, class... Arguments>
inline constexpr bool is_called_with = is_called_void<void, Callable, Arguments...>;

// ---- Which temporaries a fork may copy

// What cannot be assigned to, as closures cannot, and has a single call operator, which is const: it finds no way to
// change itself, but through a `mutable` member of something that it has captured by value. (With more than one, or a
// template, it is not known which one is called.)
template <class Operator>
inline constexpr bool is_const_call = false;
template <class Callable, class Result, class... Arguments>
inline constexpr bool is_const_call<Result (Callable::*)(Arguments...) const> = true;
template <class Callable, class Result, class... Arguments>
inline constexpr bool is_const_call<Result (Callable::*)(Arguments...) const noexcept> = true;
template <class Callable, class = void>
inline constexpr bool has_const_call = false;
template <class Callable>
inline constexpr bool has_const_call<Callable, decltype(static_cast<void>(&Callable::operator()))> =
    is_const_call<decltype(&Callable::operator())>;
template <class Callable, class = void>
inline constexpr bool is_assignable = false;
template <class Callable>
inline constexpr bool
    is_assignable<Callable, decltype(static_cast<void>(any<Callable&>() = any<const Callable&>()))> = true;
template <class Callable>
inline constexpr bool is_constant = (!__is_class(Callable) && !__is_union(Callable)) ||
                                    __is_empty(Callable) ||
                                    (has_const_call<Callable> && !is_assignable<Callable>);
template <class Callable>
inline constexpr bool is_constant<const Callable> = is_constant<Callable>;

// Which temporaries are copied: a few words of plain data.
template <class Callable>
inline constexpr bool is_copied = __is_trivially_copyable(Callable) &&
                                  __is_trivially_constructible(Callable, const Callable&) &&
                                  sizeof(Callable) <= 3 * sizeof(void*) && is_constant<Callable>;

// ---- Which numbers a type holds

template <class Index>
constexpr bool is_signed = static_cast<Index>(-1) < static_cast<Index>(1);

// Does a T hold every value of an R? Numbers only, and enumerations that convert to them; what else is put into a T,
// its constructors decide. Of an integer a floating-point type holds what it can: nearly all of it.
template <class Type>
struct Bare {
    using T = Type;
};
template <class Type>
struct Bare<Type&> : Bare<Type> {};
template <class Type>
struct Bare<Type&&> : Bare<Type> {};
template <class Type>
struct Bare<const Type> : Bare<Type> {};

template <class Type, class = void>
inline constexpr bool is_number = false;
template <class Type>
inline constexpr bool is_number<Type, decltype(static_cast<void>(+any<Type>() / static_cast<Type>(1)))> =
    !__is_class(Type);
template <class Type>
using Promoted = typename Bare<decltype(+any<Type>())>::T;

template <class Number>
constexpr bool is_fraction = static_cast<Number>(0.5) != static_cast<Number>(0) &&
                             !port_check::same<Number, bool>;

template <class T, class R>
constexpr bool holds_number() {
    if (is_fraction<R>) return is_fraction<T> && sizeof(T) >= sizeof(R);
    if (is_fraction<T> || port_check::same<R, bool>) return true;
    if (port_check::same<T, bool>) return false;
    return is_signed<T> == is_signed<R> ? sizeof(T) >= sizeof(R) : is_signed<T> && sizeof(T) > sizeof(R);
}
template <class Of, class From>
constexpr bool holds() {
    using T = typename Bare<Of>::T;
    using R = typename Bare<From>::T;
    if constexpr (port_check::same<T, R>) {
        return true;
    } else if constexpr (__is_enum(T)) {
        return !is_number<R> && !__is_enum(R);
    } else if constexpr (is_number<T> && is_number<R>) {
        return holds_number<T, typename Choose<__is_enum(R), Promoted<R>, R>::Type>();
    } else {
        return !is_number<T> || !__is_enum(R);
    }
}
// What arithmetic on two T gives is not more than a T in the eyes of who adds them.
template <class Of, class From>
constexpr bool takes() {
    using T = typename Bare<Of>::T;
    if constexpr (is_number<T>) {
        return holds<T, From>() || port_check::same<typename Bare<From>::T, Promoted<T>>;
    } else {
        return holds<T, From>();
    }
}

// ---- What can be queued

// Is an argument of this type taken where a Wanted& is asked for? Bases count that only their owner may see.
template <class Wanted>
void take(Wanted&);
template <class Wanted, class Argument, class = void>
inline constexpr bool is_converted = false;
template <class Wanted, class Argument>
inline constexpr bool is_converted<Wanted, Argument, decltype(take<Wanted>(any<Argument>()))> = true;
template <class Wanted, class Argument>
inline constexpr bool is_taken = is_converted<Wanted, Argument>;
template <class Wanted, class Argument>
inline constexpr bool is_taken<Wanted, Argument&> =
    __is_base_of(Wanted, Argument) || is_converted<Wanted, Argument&>;
template <class Wanted, class Argument>
inline constexpr bool is_taken<Wanted, const Argument&> = is_converted<Wanted, const Argument&>;
template <class Wanted>
void take_address(const volatile Wanted*);
template <class Wanted, class Argument, class = void>
inline constexpr bool is_address = false;
template <class Wanted, class Argument>
inline constexpr bool is_address<Wanted, Argument, decltype(take_address<Wanted>(any<Argument>()))> = true;

// For all other arguments: an overload that says what to do instead.
template <class Argument, class... Wanted>
using Refused = typename OnlyIf<!(is_taken<Wanted, Argument> || ...)>::Type;
// What they return, deduced: so the message comes where the call is, and none about a status that nobody looks at.
struct Nothing {
    constexpr operator Status() const { return Status::ok; }
};
template <class Argument, class... Wanted>
constexpr Nothing refuse() {
    constexpr bool is_one = (__is_base_of(Wanted, typename Bare<Argument>::T) || ...);
    constexpr bool points_to_one = (is_address<Wanted, Argument> || ...);
    static_assert(!points_to_one, "weft: the task itself, not its address: pool.submit(job);");
    static_assert(is_one || points_to_one,
                  "weft: this is no task: weft::Job job([&] { ... }); pool.submit(job);");
    static_assert(!is_one, "weft: a task stays where it is until it has begun: give it a name, and no const");
    return {};
}
// For a submit to a core.
template <class Where, class Argument, class Wanted>
constexpr Nothing refuse_on() {
    constexpr bool is_swapped = __is_base_of(Wanted, Where);
    static_assert(!is_swapped, "weft: the core comes first: pool.submit_on(core, job);");
    if constexpr (!is_swapped) refuse<Argument, Wanted>();
    return {};
}
// For a submit at a level, where there is one level alone.
template <bool levels>
constexpr Nothing refuse_level() {
    static_assert(levels,
                  "weft: levels of urgency are a setting: build the library and its users with "
                  "-DWEFT_URGENCY_LEVELS=2 (or more)");
    return {};
}

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
