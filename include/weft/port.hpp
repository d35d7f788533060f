// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the port contract. This is the one place where the core meets the machine.
//
// `weft_port.hpp` is found by the include path (-I port/<arch>) and defines
//
//     #define WEFT_PORT_NAME <token>     joins the inline namespace: objects built for two ports, or with different
//                                        settings of one, do not link together. So every setting that inline code of
//                                        the port depends on is a part of it (generic/name.hpp).
//     struct weft::Port { ... };         everything below, as static members; in `inline namespace WEFT_PORT_NAME`
//
// Words. T is a 32-bit unsigned integer or pointer-sized (uintptr_t, a pointer); all have constexpr constructors.
//     Atomic<T>     written by many cores.      load(Order) store(v, Order) exchange(v, Order)
//                   compare_exchange(T& expected, v, Order success, Order failure): WEAK, callers loop; on failure
//                   `expected` holds the value seen.  fetch_add/fetch_sub/fetch_or/fetch_and(v, Order)
//     Published<T>  written by one core.        load(Order) store(v, Order); own() is the writer's own read
//     Plain<T>      protected by an edge of another word.    get() set(v)
//
// Facts (static constexpr): max_cores; cache_line (alignment that keeps two cores' words apart; 8 where no caches).
//
// Calls. "any context" = task, ISR, before main, any core.
//     uint32_t core_id()      any context. Dense: 0..n-1. Constant for the life of the core.
//     void fence()            any context. Sequentially consistent: orders earlier stores before later loads.
//     void relax()            any context. Stands in every spin loop; gives an SMT sibling or an emulator the turn.
//     void park()             task context. Sleeps until this core's event is set, then clears it. Returns at once if
//                             it was set already; may return early without cause. All that was stored before the
//                             unpark() that ended it is visible to loads after it.
//     void unpark(core)       any context. Sets the event of `core` (sticky, does not count). May wake others too.
//                             Orders all earlier stores of the caller before the event.
//     Start start_core(core, entry, arg)    task context. Makes `core` call entry(arg) once, on its own stack.
//                             `refused`: not now (busy, on already, transient); `absent`: never, there is no such core.
//                             The caller's earlier writes are visible to entry. When entry returns, the core goes back
//                             to where start_core finds it again. Never waits for the core. `arg`: the address of an
//                             object; it names the start for cancel_start().
//     bool cancel_start(core, arg)    task context. After start_core(core, ., arg) said `started`: true = that entry
//                             will not be called; false = it was or is being called. Exactly one holds. Starts with
//                             another arg are not touched: two users may share a core.
//     void vacate()           task context, inside an entry that is about to return: start_core() may find this core
//                             from here on; the next entry is called when this one has returned. Optional, once.
//     uint32_t now()          any context. Free-running ticks, wraps. A port without a clock counts the calls.
//     uint32_t ticks_per_ms() any context. Never 0.
//     bool in_isr()           any context. Where the hardware cannot tell: false.
//     uint32_t* stack_limit() task context. The lowest word of the current core's stack, or nullptr if not known.
//     [[noreturn]] void panic(const char* reason, uint32_t core, const void* task)    any context.
#pragma once

// Settings, see config.hpp: those of the port, too.
#if defined(__has_include)
#if __has_include("weft_config.h")
#include "weft_config.h"
#endif
#endif

#include <stddef.h>
#include <stdint.h>

#include <weft/order.hpp>

#include "weft_port.hpp"

#ifndef WEFT_PORT_NAME
#error "weft: weft_port.hpp must define WEFT_PORT_NAME (a plain token, for example aarch64)"
#endif

namespace weft {
namespace port_check {

template <class A, class B>
inline constexpr bool same = false;
template <class A>
inline constexpr bool same<A, A> = true;

template <class...>
using Void = void;
template <class T>
T&& value();

// One detector per line of the contract: `has_x<Port>` is true when the call compiles and returns the right type.
#define WEFT_CONTRACT(name, result, ...)      \
    template <class P, class = void>          \
    inline constexpr bool has_##name = false; \
    template <class P>                        \
    inline constexpr bool has_##name<P, Void<decltype(__VA_ARGS__)>> = same<decltype(__VA_ARGS__), result>;

using Entry = void (*)(void*);
template <class P>
using Word = typename P::template Atomic<uint32_t>;
template <class P>
using Single = typename P::template Published<uint32_t>;
template <class P>
using Bare = typename P::template Plain<void*>;

WEFT_CONTRACT(atomic, uint32_t,
              (value<Word<P>&>().store(1u, Order::release),
               value<Word<P>&>().compare_exchange(value<uint32_t&>(), 1u, Order::acq_rel, Order::relaxed),
               value<Word<P>&>().exchange(1u, Order::acquire),
               value<Word<P>&>().fetch_add(1u, Order::relaxed),
               value<Word<P>&>().fetch_sub(1u, Order::relaxed),
               value<Word<P>&>().fetch_or(1u, Order::relaxed),
               value<Word<P>&>().fetch_and(1u, Order::relaxed), value<const Word<P>&>().load(Order::acquire)))
WEFT_CONTRACT(published, uint32_t,
              (value<Single<P>&>().store(1u, Order::release), value<const Single<P>&>().own(),
               value<const Single<P>&>().load(Order::acquire)))
WEFT_CONTRACT(plain, void*, (value<Bare<P>&>().set(nullptr), value<const Bare<P>&>().get()))
WEFT_CONTRACT(core_id, uint32_t, P::core_id())
WEFT_CONTRACT(fence, void, P::fence())
WEFT_CONTRACT(relax, void, P::relax())
WEFT_CONTRACT(park, void, P::park())
WEFT_CONTRACT(unpark, void, P::unpark(uint32_t()))
WEFT_CONTRACT(start_core, typename P::Start, P::start_core(uint32_t(), Entry(), static_cast<void*>(nullptr)))
WEFT_CONTRACT(cancel_start, bool, P::cancel_start(uint32_t(), static_cast<void*>(nullptr)))
WEFT_CONTRACT(vacate, void, P::vacate())
WEFT_CONTRACT(now, uint32_t, P::now())
WEFT_CONTRACT(ticks_per_ms, uint32_t, P::ticks_per_ms())
WEFT_CONTRACT(in_isr, bool, P::in_isr())
WEFT_CONTRACT(stack_limit, uint32_t*, P::stack_limit())
WEFT_CONTRACT(panic, void, P::panic("", uint32_t(), static_cast<const void*>(nullptr)))
#undef WEFT_CONTRACT

template <class P, class = void>
inline constexpr bool has_facts = false;
template <class P>
inline constexpr bool
    has_facts<P, Void<decltype(P::Start::started), decltype(P::Start::refused), decltype(P::Start::absent)>> =
        P::max_cores > 0 && P::cache_line >= sizeof(void*) && (P::cache_line & (P::cache_line - 1)) == 0;

template <class P>
constexpr bool check() {
    static_assert(has_facts<P>,
                  "weft port: needs max_cores > 0, cache_line (a power of two, at least a pointer) and "
                  "enum class Start { started, refused, absent }");
    static_assert(has_atomic<P>,
                  "weft port: Atomic<T> is missing or one of its operations has another signature");
    static_assert(has_published<P>, "weft port: Published<T> needs load(Order), store(T, Order) and own()");
    static_assert(has_plain<P>, "weft port: Plain<T> needs get() and set(T)");
    static_assert(has_core_id<P>, "weft port: uint32_t core_id() is missing or wrong");
    static_assert(has_fence<P>, "weft port: void fence() is missing or wrong");
    static_assert(has_relax<P>, "weft port: void relax() is missing or wrong");
    static_assert(has_park<P>, "weft port: void park() is missing or wrong");
    static_assert(has_unpark<P>, "weft port: void unpark(uint32_t core) is missing or wrong");
    static_assert(has_start_core<P>,
                  "weft port: Start start_core(uint32_t core, void (*)(void*), void*) is missing or wrong");
    static_assert(has_cancel_start<P>,
                  "weft port: bool cancel_start(uint32_t core, void* arg) is missing or wrong");
    static_assert(has_vacate<P>, "weft port: void vacate() is missing or wrong");
    static_assert(has_now<P>, "weft port: uint32_t now() is missing or wrong");
    static_assert(has_ticks_per_ms<P>, "weft port: uint32_t ticks_per_ms() is missing or wrong");
    static_assert(has_in_isr<P>, "weft port: bool in_isr() is missing or wrong");
    static_assert(has_stack_limit<P>, "weft port: uint32_t* stack_limit() is missing or wrong");
    static_assert(has_panic<P>,
                  "weft port: void panic(const char*, uint32_t, const void*) is missing or wrong");
    return true;
}
static_assert(check<Port>(), "weft port: the contract is in include/weft/port.hpp");

}  // namespace port_check

template <class T>
using Atomic = Port::Atomic<T>;
template <class T>
using Published = Port::Published<T>;
template <class T>
using Plain = Port::Plain<T>;

}  // namespace weft
