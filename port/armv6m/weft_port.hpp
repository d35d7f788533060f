// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, ARMv6-M port: cores of the M profile that share memory and have no LDREX/STREX (Cortex-M0, M0+, M1). The
// contract is in include/weft/port.hpp, what the image must supply in weft_image.hpp.
//
// NOT LOCK-FREE. A change of a word that several cores write holds the image's lock for a dozen instructions, with this
// core's interrupts held off. So a handler that submits never meets the lock in the hands of the code that it has
// interrupted, and waits at most for other cores' dozen instructions. But a core that is stopped in there, by a
// debugger or an NMI, stops all others at their next change of such a word.
#pragma once

#include <stdint.h>

#include "generic/locked_words.hpp"
#include "generic/name.hpp"
#include "weft_image.hpp"

#if !defined(__ARM_ARCH_PROFILE) || __ARM_ARCH_PROFILE != 'M'
#error "weft: port/armv6m is for M-profile cores (-mcpu=cortex-m0plus)"
#elif defined(__ARM_FEATURE_LDREX)
#error "weft: this core has LDREX/STREX, with which weft is lock-free: port/armv7m"
#endif

// Room for this many cores, 16 bytes each. The same for every file of an image.
#ifndef WEFT_MAX_CORES
#define WEFT_MAX_CORES 4
#endif

#define WEFT_PORT_NAME WEFT_NAMED(armv6m_cores, WEFT_MAX_CORES)

namespace weft {

inline namespace WEFT_PORT_NAME {

// An aligned word is read and written whole. The changes are out of line: flash is small here.
struct LockedAccess {
    [[gnu::always_inline]] static void barrier() { asm volatile("dmb" ::: "memory"); }

    template <class T>
    [[gnu::always_inline]] static T load(const T& word, Order order) {
        const T value = *const_cast<const volatile T*>(&word);
        if (order != Order::relaxed) barrier();
        return value;
    }
    // Of words that one core writes alone.
    template <class T>
    [[gnu::always_inline]] static void store(T& word, T value, Order order) {
        if (order != Order::relaxed) barrier();
        *const_cast<volatile T*>(&word) = value;
    }

    // Each returns what was there before.
    static uint32_t exchange(void* word, uint32_t value);
    static uint32_t compare_exchange(void* word, uint32_t expected, uint32_t value);
    static uint32_t fetch_add(void* word, uint32_t value);
    static uint32_t fetch_or(void* word, uint32_t value);
    static uint32_t fetch_and(void* word, uint32_t value);
};

struct Port : generic::LockedWords<LockedAccess> {
    enum class Start { started, refused, absent };

    static constexpr uint32_t max_cores = WEFT_MAX_CORES;
    static constexpr uint32_t cache_line = 8;  // no caches: nothing is gained by more distance

    [[gnu::always_inline]] static uint32_t core_id() { return weft_image_core_id; }

    // DMB: every access before it is observed before every access after it, stores before loads included.
    [[gnu::always_inline]] static void fence() { asm volatile("dmb" ::: "memory"); }

    [[gnu::always_inline]] static void relax() { asm volatile("yield" ::: "memory"); }

    // Not inline: flash is small here, and who calls it has time.
    static void park();

    // DSB: all stores of this core are complete, visible to all cores, before SEV is executed. SEV has no
    // address: it sets every core's event, this one's too; the others look at their words and park again.
    [[gnu::always_inline]] static void unpark(uint32_t) { asm volatile("dsb\n\tsev" ::: "memory"); }

    [[gnu::always_inline]] static uint32_t now() { return weft_image_clock(); }
    [[gnu::always_inline]] static uint32_t ticks_per_ms() { return weft_image_ticks_per_ms; }

    [[gnu::always_inline]] static void set_alarm(uint32_t tick) { weft_image_set_alarm(tick); }
    [[gnu::always_inline]] static void clear_alarm() { weft_image_clear_alarm(); }

    // IPSR: the number of the exception that is being handled, 0 in Thread mode. Not volatile: it is constant
    // for as long as a function runs.
    [[gnu::always_inline]] static bool in_isr() {
        uint32_t exception;
        asm("mrs %0, ipsr" : "=r"(exception));
        return exception != 0;
    }

    // PRIMASK: all but NMI and HardFault.
    [[gnu::always_inline]] static uint32_t hold_interrupts() {
        uint32_t before;
        asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(before)::"memory");
        return before;
    }
    // ISB: nothing that was fetched ahead is executed.
    [[gnu::always_inline]] static void release_interrupts(uint32_t held) {
        asm volatile("dsb\n\tisb\n\tmsr primask, %0" ::"r"(held) : "memory");
    }
    static uint32_t pen_turn(uint32_t core);
    // In the pen: sleeps until an event, or not.
    [[gnu::always_inline]] static void nap() { asm volatile("dsb\n\twfe" ::: "memory"); }

    static Start start_core(uint32_t core, void (*entry)(void*), void* arg);
    static bool cancel_start(uint32_t core, void* arg);
    static void vacate();
    static uint32_t* stack_limit() { return weft_image_stack_limit(core_id()); }
    [[noreturn]] static void panic(const char* reason, uint32_t core, const void* task) {
        weft_image_panic(reason, core, task);
    }
};

}  // namespace WEFT_PORT_NAME

}  // namespace weft
