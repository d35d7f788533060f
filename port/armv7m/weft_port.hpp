// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, ARMv7-M / ARMv8-M port: cores of the M profile that share memory and have LDREX/STREX (Cortex-M3, M4,
// M7, M23, M33, M55). The contract is in include/weft/port.hpp, what the image must supply in weft_image.hpp.
#pragma once

#include <stdint.h>

#include "generic/atomic_builtins.hpp"
#include "generic/name.hpp"
#include "weft_image.hpp"

#if !defined(__ARM_ARCH_PROFILE) || __ARM_ARCH_PROFILE != 'M'
#error "weft: port/armv7m is for M-profile cores (-mcpu=cortex-m...)"
#elif !defined(__ARM_FEATURE_LDREX) || (__ARM_FEATURE_LDREX & 4) == 0
#error "weft: this core has no LDREX/STREX on words (ARMv6-M): it needs another port"
#endif

// Room for this many cores, 16 bytes each. The same for every file of an image.
#ifndef WEFT_MAX_CORES
#define WEFT_MAX_CORES 4
#endif

#if defined(WEFT_PREEMPTION) && WEFT_PREEMPTION
#define WEFT_ARMV7M_PREEMPTS 1
#define WEFT_ARMV7M_PREFIX armv7m_preempt_
#else
#define WEFT_ARMV7M_PREEMPTS 0
#define WEFT_ARMV7M_PREFIX armv7m_
#endif

#ifdef WEFT_ARMV7M_CLOCK_REGISTER
#define WEFT_PORT_NAME WEFT_NAMED(WEFT_NAMED(WEFT_ARMV7M_PREFIX, clock_cores), WEFT_MAX_CORES)
#else
#define WEFT_PORT_NAME WEFT_NAMED(WEFT_NAMED(WEFT_ARMV7M_PREFIX, cores), WEFT_MAX_CORES)
#endif

namespace weft {

inline namespace WEFT_PORT_NAME {

struct Port : generic::BuiltinWords {
    enum class Start { started, refused, absent };

    static constexpr uint32_t max_cores = WEFT_MAX_CORES;
    static constexpr uint32_t cache_line = 8;  // no coherent caches: nothing is gained by more distance
    static constexpr uint32_t pendsv = 14;     // the number of that exception

    [[gnu::always_inline]] static uint32_t core_id() { return weft_image_core_id; }

    // DMB: every access before it is observed before every access after it, stores before loads included.
    [[gnu::always_inline]] static void fence() { asm volatile("dmb" ::: "memory"); }

    [[gnu::always_inline]] static void relax() { asm volatile("yield" ::: "memory"); }

    // Not inline: flash is small here, and who calls it has time.
    static void park();

    // DSB: all stores of this core are complete, visible to all cores, before SEV is executed. SEV has no
    // address: it sets every core's event, this one's too; the others look at their words and park again.
    [[gnu::always_inline]] static void unpark(uint32_t) { asm volatile("dsb\n\tsev" ::: "memory"); }

#ifdef WEFT_ARMV7M_CLOCK_REGISTER
    [[gnu::always_inline]] static uint32_t now() { return weft_image_clock_register; }
#else
    [[gnu::always_inline]] static uint32_t now() { return weft_image_clock(); }
#endif
    [[gnu::always_inline]] static uint32_t ticks_per_ms() { return weft_image_ticks_per_ms; }

    [[gnu::always_inline]] static void set_alarm(uint32_t tick) { weft_image_set_alarm(tick); }
    [[gnu::always_inline]] static void clear_alarm() { weft_image_clear_alarm(); }

    // IPSR: the number of the exception that is being handled, 0 in Thread mode. Not volatile: it is constant
    // for as long as a function runs.
    [[gnu::always_inline]] static bool in_isr() {
        uint32_t exception;
        asm("mrs %0, ipsr" : "=r"(exception));
        return exception != 0 && !(WEFT_ARMV7M_PREEMPTS && exception == pendsv);
    }

    // PRIMASK: all but NMI and HardFault. With WEFT_ARMV7M_HOLD_PRIORITY, a value of BASEPRI, only the interrupts of
    // that priority and lower ones; the handlers of the others stand in RAM, then, and so does the vector table.
    [[gnu::always_inline]] static uint32_t hold_interrupts() {
        uint32_t before;
#ifdef WEFT_ARMV7M_HOLD_PRIORITY
        asm volatile("mrs %0, basepri\n\tmsr basepri_max, %1\n\tisb"
                     : "=&r"(before)
                     : "r"(WEFT_ARMV7M_HOLD_PRIORITY)
                     : "memory");
#else
        asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(before)::"memory");
#endif
        return before;
    }
    // ISB: nothing that was fetched ahead is executed.
    [[gnu::always_inline]] static void release_interrupts(uint32_t held) {
#ifdef WEFT_ARMV7M_HOLD_PRIORITY
        asm volatile("dsb\n\tisb\n\tmsr basepri, %0" ::"r"(held) : "memory");
#else
        asm volatile("dsb\n\tisb\n\tmsr primask, %0" ::"r"(held) : "memory");
#endif
    }
    static uint32_t pen_turn(uint32_t core);
    // In the pen: sleeps until an event, or not.
    [[gnu::always_inline]] static void nap() { asm volatile("dsb\n\twfe" ::: "memory"); }

#if WEFT_ARMV7M_PREEMPTS
    // PendSV, of the lowest priority: handlers end first. Another core gets it by the image's doorbell.
    static void interrupt(uint32_t core, void (*handler)());
#endif

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
