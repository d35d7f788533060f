// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, AArch64 port: Armv8-A at EL1 or EL2, any number of clusters in one Inner Shareable domain. The
// contract is in include/weft/port.hpp, what the image must supply in weft_image.hpp. Compile with
// -mno-outline-atomics: the helpers behind outlined atomics are no part of a freestanding image.
//
// Parking is WFE/SEV, or with WEFT_PARK_WFI (every file of the image!) WFI and one software-generated
// interrupt of a GICv3; with WEFT_PARK_WFI_IMAGE as well, WFI and an interrupt of the image. WFE needs nothing of the
// platform; WFI lets a core sleep deeper and wakes one core alone.
#pragma once

#if !defined(__aarch64__)
#error "weft: port/aarch64 is for 64-bit Arm cores: the compiler makes code for another machine"
#endif

#include <stdint.h>

#include "generic/atomic_builtins.hpp"
#include "generic/name.hpp"
#include "weft_image.hpp"

// Room for this many cores, 24 bytes each (32 with WEFT_POWER_OFF=1 and WEFT_QUIESCE=1). The same for every file of an
// image.
#ifndef WEFT_MAX_CORES
#define WEFT_MAX_CORES 16
#endif

// 1: a core that waits for its next entry is off, by PSCI CPU_OFF, and is switched on for it; with WEFT_ELASTIC=1 so is
// each one that has left its pool. 0: it sleeps in its pen. For port.cpp alone: nothing else depends on it.
#ifndef WEFT_POWER_OFF
#define WEFT_POWER_OFF 0
#endif
#define WEFT_PORT_POWERS_OFF

#if defined(WEFT_PREEMPTION) && WEFT_PREEMPTION
#define WEFT_AARCH64_PREEMPTS 1
#define WEFT_AARCH64_PREFIX aarch64_preempt_
#else
#define WEFT_AARCH64_PREEMPTS 0
#define WEFT_AARCH64_PREFIX aarch64_
#endif

#ifdef WEFT_PARK_WFI_IMAGE
#ifndef WEFT_PARK_WFI
#define WEFT_PARK_WFI
#endif
#define WEFT_PORT_NAME WEFT_NAMED(WEFT_NAMED(WEFT_AARCH64_PREFIX, wfi_image_cores), WEFT_MAX_CORES)
#elif defined(WEFT_PARK_WFI)
#define WEFT_PORT_NAME WEFT_NAMED(WEFT_NAMED(WEFT_AARCH64_PREFIX, wfi_cores), WEFT_MAX_CORES)
#else
#define WEFT_PORT_NAME WEFT_NAMED(WEFT_NAMED(WEFT_AARCH64_PREFIX, wfe_cores), WEFT_MAX_CORES)
#endif

namespace weft {

inline namespace WEFT_PORT_NAME {

struct Port : generic::BuiltinWords {
    enum class Start { started, refused, absent };

    static constexpr uint32_t max_cores = WEFT_MAX_CORES;
    static constexpr uint32_t cache_line = 64;

    // TPIDRRO_EL0 rather than MPIDR_EL1: one instruction, and dense on every chip (MPIDR has gaps between
    // clusters, and since DynamIQ counts cores in Aff1). Bare-metal code has no other use for this register:
    // the toolchains' thread pointer is TPIDR_EL0, an RTOS keeps its own in TPIDR_EL1. It reads the same at
    // EL1 and EL2. Not volatile: the value is constant for as long as a function runs, so the compiler may
    // keep it.
    [[gnu::always_inline]] static uint32_t core_id() { return static_cast<uint32_t>(core_register()); }

    // The architecture has no IPSR, and PSTATE.I does not tell: tasks may mask it, handlers may unmask it.
    [[gnu::always_inline]] static bool in_isr() { return ((core_register() >> WEFT_IN_ISR_BIT) & 1) != 0; }

    // DMB of type "any-any": also orders earlier stores before later loads (Arm ARM B2.3).
    [[gnu::always_inline]] static void fence() { asm volatile("dmb ish" ::: "memory"); }

    [[gnu::always_inline]] static void relax() { asm volatile("yield" ::: "memory"); }

#ifdef WEFT_PARK_WFI
    static void park();
    static void unpark(uint32_t core);
#else
    // The sticky event is the core's Event Register: SEV before WFE makes the WFE return at once. Other
    // things set it as well (an exception return, a lost exclusive reservation, the event stream): early
    // returns. The ISB is what orders the loads that follow: WFE is no memory access, so a DMB would not tie
    // them to it, but nothing after an ISB is even fetched before the instructions ahead of it have
    // completed. A load after the ISB is therefore later than the SEV, and that is later than the waker's
    // stores (the DSB in unpark()). The CLREX: a compare-exchange that failed has loaded exclusively and stored
    // nothing. While the monitor is armed somebody else's store may end the sleep, and QEMU 11 does not sleep at
    // all. CLREX clears the local monitor, it makes no access and sets no event.
    [[gnu::always_inline]] static void park() { asm volatile("clrex\n\twfe\n\tisb" ::: "memory"); }

    // DSB ISH: all earlier accesses of this core are complete, so its stores (and any store that it has read)
    // are visible to all cores of the domain, before SEV is executed. SEV wakes every core.
    [[gnu::always_inline]] static void unpark(uint32_t) { asm volatile("dsb ish\n\tsev" ::: "memory"); }
#endif

    // The virtual count: readable at EL1 and EL2 alike, without the image's permission.
    [[gnu::always_inline]] static uint32_t now() {
        uint64_t count;
        asm volatile("mrs %0, cntvct_el0" : "=r"(count));
        return static_cast<uint32_t>(count);
    }
    static uint32_t ticks_per_ms();

    [[gnu::always_inline]] static void set_alarm(uint32_t tick) { weft_image_set_alarm(tick); }
    [[gnu::always_inline]] static void clear_alarm() { weft_image_clear_alarm(); }

    // IRQ and FIQ.
    [[gnu::always_inline]] static uint32_t hold_interrupts() {
        uint64_t before;
        asm volatile("mrs %0, daif\n\tmsr daifset, #3" : "=r"(before)::"memory");
        return static_cast<uint32_t>(before);
    }
    // IC IALLU: the core's own instruction cache; the ISB forgets what was fetched ahead.
    [[gnu::always_inline]] static void release_interrupts(uint32_t held) {
        asm volatile("ic iallu\n\tdsb nsh\n\tisb\n\tmsr daif, %0" ::"r"(uint64_t{held}) : "memory");
    }
    static uint32_t pen_turn(uint32_t core);
    // In the pen: sleeps until an event, or not.
    [[gnu::always_inline]] static void nap() {
#ifdef WEFT_PARK_WFI
        asm volatile("yield" ::: "memory");  // the event is an interrupt, whose handling stands elsewhere
#else
        asm volatile("dsb ish\n\twfe" ::: "memory");
#endif
    }

#if WEFT_AARCH64_PREEMPTS
    // An interrupt of the image's, of the lowest priority: it calls weft_port_preempt().
    static void interrupt(uint32_t core, void (*handler)());
#endif

    static Start start_core(uint32_t core, void (*entry)(void*), void* arg);
    static bool cancel_start(uint32_t core, void* arg);
    static void vacate();
    static uint32_t* stack_limit();
    [[noreturn]] static void panic(const char* reason, uint32_t core, const void* task);

private:
    [[gnu::always_inline]] static uint64_t core_register() {
        uint64_t value;
        asm("mrs %0, tpidrro_el0" : "=r"(value));
        return value;
    }
};

}  // namespace WEFT_PORT_NAME

}  // namespace weft
