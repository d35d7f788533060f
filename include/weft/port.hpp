// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// The port contract: weft::Port. This is the one place where the core meets the machine.
///
/// `weft_port.hpp` is found by the include path (`-I port/<arch>`). It defines WEFT_PORT_NAME and `struct weft::Port`
/// with everything below as static members, in `inline namespace WEFT_PORT_NAME`. What is missing, or has another type,
/// stops the compiler with a sentence.
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

/// Where the code stands in which cores stand still (WEFT_QUIESCE=1), and where an image may put code of its own for
/// that time. The linker script places this section in memory that stays readable, with the initialised data, say.
/// @range the name of a section
#ifndef WEFT_RAM_SECTION
#define WEFT_RAM_SECTION ".weft_ram"
#endif
/// Before a function: its code stands in WEFT_RAM_SECTION. What it calls must be inlined, or stand there, too.
#define WEFT_RAM_CODE [[gnu::noinline, gnu::section(WEFT_RAM_SECTION)]]

#ifndef WEFT_REFERENCE
#if !__has_include("weft_port.hpp")
#error "weft: no weft_port.hpp is found. The compiler needs three -I: -Iinclude -Iport/<arch> -Iport"
#endif
#include "weft_port.hpp"
#else  // For the reference, and for the check that it is true: no port, but what a port must be.

/// A plain token, for example aarch64. It joins the inline namespace: objects built for two ports, or with different
/// settings of one, do not link together. So every setting that inline code of the port depends on is a part of it.
#define WEFT_PORT_NAME reference

namespace weft {

/// What a port supplies: facts, words and calls. *Entry* below: the function with which start_core() starts a core.
struct Port {
    /// The largest number of cores.
    static constexpr uint32_t max_cores = 24;
    /// Bytes of alignment that keep two cores' words apart; 8 where there are no caches. A power of two, at least a
    /// pointer.
    static constexpr uint32_t cache_line = 64;

    /// A word that many cores write. `T`: a 32-bit unsigned integer or pointer-sized (uintptr_t, a pointer).
    /// @lifetime That of the object around it; constant-initialised.
    template <class T>
    class Atomic {
    public:
        /// Zero.
        /// @context Any context, also at compile time.
        constexpr Atomic();
        /// This value.
        /// @context Any context, also at compile time.
        constexpr explicit Atomic(T value);
        /// The value.
        /// @context Any context.
        T load(Order order) const;
        /// Sets the value.
        /// @context Any context.
        void store(T value, Order order);
        /// Sets the value; returns the one before.
        /// @context Any context.
        T exchange(T value, Order order);
        /// Sets the value if it is `expected`. WEAK: may fail without cause, so callers loop.
        /// @context Any context.
        /// @return true: it was set. false: `expected` holds the value seen.
        bool compare_exchange(T& expected, T value, Order success, Order failure);
        /// Adds; returns the value before.
        /// @context Any context.
        T fetch_add(T value, Order order);
        /// Subtracts; returns the value before.
        /// @context Any context.
        T fetch_sub(T value, Order order);
        /// Sets bits; returns the value before.
        /// @context Any context.
        T fetch_or(T value, Order order);
        /// Keeps only these bits; returns the value before.
        /// @context Any context.
        T fetch_and(T value, Order order);
    };

    /// A word that one core writes and others read. `T` as with Atomic.
    /// @lifetime That of the object around it; constant-initialised.
    template <class T>
    class Published {
    public:
        /// Zero.
        /// @context Any context, also at compile time.
        constexpr Published();
        /// This value.
        /// @context Any context, also at compile time.
        constexpr explicit Published(T value);
        /// The value.
        /// @context Any context.
        T load(Order order) const;
        /// The value, for the writer itself.
        /// @context The one core that writes it.
        T own() const;
        /// Sets the value.
        /// @context The one core that writes it.
        void store(T value, Order order);
    };

    /// A word that is protected by an edge of another word.
    /// @lifetime That of the object around it; constant-initialised.
    template <class T>
    class Plain {
    public:
        /// Zero.
        /// @context Any context, also at compile time.
        constexpr Plain();
        /// This value.
        /// @context Any context, also at compile time.
        constexpr explicit Plain(T value);
        /// The value.
        /// @context One core at a time.
        T get() const;
        /// Sets the value.
        /// @context One core at a time.
        void set(T value);
    };

    /// What start_core() returns.
    enum class Start {
        started,  ///< entry(arg) will be called, unless cancel_start() is in time
        refused,  ///< not now: busy, on already, or a failure that may pass
        absent,   ///< never: there is no such core
    };

    /// The number of the calling core, dense: 0..n-1, with n at most 1023. Constant for the life of the core.
    /// @context Any context of any core.
    static uint32_t core_id();

    /// Sequentially consistent: orders earlier stores before later loads.
    /// @context Any context.
    static void fence();

    /// Stands in every spin loop; gives an SMT sibling or an emulator the turn.
    /// @context Any context.
    static void relax();

    /// Sleeps until this core's event is set, then clears it. Returns at once if it was set already; may return early
    /// without cause. All that was stored before the unpark() that ended it is visible to loads after it.
    /// @context Task context.
    static void park();

    /// Sets the event of `core`, which is sticky and does not count; may wake others too. Orders all earlier stores of
    /// the caller before the event.
    /// @context Any context.
    static void unpark(uint32_t core);

    /// Makes `core` call entry(arg) once, on its own stack. Never waits for the core to come. (Where cores are off
    /// between two entries it waits until one that is about to be is off.) The caller's earlier writes are visible to
    /// entry. When entry returns, the core goes back to where start_core() finds it again. `arg`: the address of an
    /// object; it names the start for cancel_start().
    /// @context Task context.
    /// @return see Start.
    /// @lifetime The object that `arg` points to stays until entry() has ended with it, or cancel_start() was in time.
    static Start start_core(uint32_t core, void (*entry)(void*), void* arg);

    /// After start_core(core, ., arg) said `started`: withdraws that start if it is in time. Starts with another `arg`
    /// are not touched: two users may share a core.
    /// @context Task context.
    /// @return true: that entry will not be called. false: it was or is being called. Exactly one holds.
    static bool cancel_start(uint32_t core, void* arg);

    /// From here on start_core() may find this core, also if the core itself calls that; the next entry is called when
    /// this one has returned. Optional, once per entry.
    /// @context Task context, inside an entry that is about to return.
    static void vacate();

    /// A clock that all cores share, in ticks: free-running, 32 bits that wrap. A port without a clock counts the
    /// calls.
    /// @context Any context.
    static uint32_t now();

    /// How many ticks of now() are a millisecond. Never 0.
    /// @context Any context.
    static uint32_t ticks_per_ms();

    /// Optional, for timers (WEFT_TIMERS=1). Sets the event of the calling core, as unpark() does, when now() has come
    /// to `tick`; at once if it has passed, within the last 2^31 ticks. It may come early, and more than once, without
    /// harm. The core has one alarm: this one takes the place of the former.
    /// @context Task context.
    static void set_alarm(uint32_t tick);

    /// Optional, with set_alarm(): this core's alarm is off. One that has just come may still set the event.
    /// @context Task context.
    static void clear_alarm();

    /// Optional, for a level that preempts (WEFT_PREEMPTION=1). Makes an interrupt pending on `core`, which may be the
    /// calling one: its handler calls handler() there, on top of what the core does or of its sleep. Where the
    /// interrupt is masked it stays pending. Several calls before the handler begins may count as one; a call while it
    /// runs has it run once more. It interrupts neither itself nor other handlers. What the caller stored before is
    /// visible to it. `handler`: the same in all calls.
    /// @context Any context.
    /// @lifetime The handler may be called as long as the image runs.
    static void interrupt(uint32_t core, void (*handler)());

    /// Optional, for cores that stand still (WEFT_QUIESCE=1). Holds off the interrupts of the calling core: all of
    /// them, or all whose handlers are not in memory that stays readable, if the port has a setting for that. Calls may
    /// nest. Inlined, and reads no constants: it is a part of code in WEFT_RAM_SECTION.
    /// @context Any context.
    /// @return For release_interrupts().
    static uint32_t hold_interrupts();

    /// Optional, with hold_interrupts(): interrupts are as they were before that call, which returned `held`.
    /// Instructions that the core has fetched ahead, or keeps in a cache of its own, are forgotten: what runs after it
    /// is what memory has now. Inlined, too.
    /// @context That of the call.
    static void release_interrupts(uint32_t held);

    /// Optional, with hold_interrupts(): does `core` run none of the port's code outside of WEFT_RAM_SECTION, and
    /// nothing that start_core() has begun, or has posted? So it is with one that was never switched on; with one that
    /// waits to be started, in WEFT_RAM_SECTION with its interrupts held off; and with one that runs the image's own
    /// code. Then what it did before is visible.
    /// @context Any context.
    /// @return 0: it does. Else a number that each start of the core changes, at least from one call to the next: if
    /// all cores have the same numbers twice, there was a moment when none of them did.
    static uint32_t pen_turn(uint32_t core);

    /// Is this an interrupt handler? Not in that of interrupt(). Where the hardware cannot tell: false.
    /// @context Any context.
    static bool in_isr();

    /// The lowest word of the calling core's stack; nullptr if it is not known.
    /// @context Task context.
    static uint32_t* stack_limit();

    /// A misuse or a broken invariant: does not return. `reason` names the remedy; `task` is the object, or nullptr.
    /// @context Any context of any core.
    [[noreturn]] static void panic(const char* reason, uint32_t core, const void* task);
};

}  // namespace weft

#endif

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
WEFT_CONTRACT(alarm, void, (P::set_alarm(uint32_t()), P::clear_alarm()))
WEFT_CONTRACT(interrupt, void, P::interrupt(uint32_t(), static_cast<void (*)()>(nullptr)))
WEFT_CONTRACT(hold, uint32_t, (P::release_interrupts(P::hold_interrupts()), P::pen_turn(uint32_t())))
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

// A setting of ports that have it, see README's list of ports.
#if defined(WEFT_POWER_OFF) && WEFT_POWER_OFF && !defined(WEFT_PORT_POWERS_OFF)
#error "weft: WEFT_POWER_OFF=1 needs a port that switches its cores off, as port/aarch64 does"
#endif

}  // namespace port_check

/// Short for Port::Atomic.
template <class T>
using Atomic = Port::Atomic<T>;
/// Short for Port::Published.
template <class T>
using Published = Port::Published<T>;
/// Short for Port::Plain.
template <class T>
using Plain = Port::Plain<T>;

}  // namespace weft
