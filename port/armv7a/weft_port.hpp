// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, ARMv7-A port: 32-bit cores of the A profile with the multiprocessing extensions (Cortex-A5, A7, A9, A15, A17),
// in a privileged mode, ARM or Thumb code. The contract is in include/weft/port.hpp, what the image must supply in
// weft_image.hpp.
#pragma once

#include <stdint.h>

#include "generic/atomic_builtins.hpp"
#include "generic/name.hpp"
#include "weft_image.hpp"

#if !defined(__ARM_ARCH_PROFILE) || __ARM_ARCH_PROFILE != 'A' || defined(__aarch64__) || __ARM_ARCH < 7
#error "weft: port/armv7a is for 32-bit code of A-profile cores (-mcpu=cortex-a... or -march=armv7-a)"
#endif

// Room for this many cores, 16 bytes each. The same for every file of an image.
#ifndef WEFT_MAX_CORES
#define WEFT_MAX_CORES 8
#endif

#if defined(WEFT_PREEMPTION) && WEFT_PREEMPTION
#define WEFT_ARMV7A_PREEMPTS 1
#define WEFT_PORT_NAME WEFT_NAMED(armv7a_preempt_cores, WEFT_MAX_CORES)
#else
#define WEFT_ARMV7A_PREEMPTS 0
#define WEFT_PORT_NAME WEFT_NAMED(armv7a_cores, WEFT_MAX_CORES)
#endif

namespace weft {

inline namespace WEFT_PORT_NAME {

struct Port : generic::BuiltinWords {
    enum class Start { started, refused, absent };

    static constexpr uint32_t max_cores = WEFT_MAX_CORES;
    static constexpr uint32_t cache_line = 64;  // Cortex-A7, A15, A17; that of an A5 or A9 is 32

    // TPIDRPRW rather than MPIDR: dense on every chip, where MPIDR has gaps between clusters. No unprivileged code sees
    // it, and the toolchains' thread pointer is TPIDRURO.
    [[gnu::always_inline]] static uint32_t core_id() { return core_register() & 0xffff; }

    // The mode in CPSR does not tell: a handler may have changed to another one, so that it can be interrupted.
    [[gnu::always_inline]] static bool in_isr() { return ((core_register() >> WEFT_IN_ISR_BIT) & 1) != 0; }

    // DMB: every access before it is observed before every access after it, stores before loads included.
    [[gnu::always_inline]] static void fence() { asm volatile("dmb ish" ::: "memory"); }

    [[gnu::always_inline]] static void relax() { asm volatile("yield" ::: "memory"); }

    // The sticky event is the core's Event Register: SEV before WFE makes the WFE return at once. Other things set it
    // as well, or end the WFE (an interrupt, a debug event): early returns. The ISB orders the loads that follow: WFE
    // is no memory access, so a DMB would not tie them to it, but nothing after an ISB is even fetched before the
    // instructions ahead of it have completed. A load after the ISB is therefore later than the SEV, and that is later
    // than the waker's stores (the DSB in unpark()). The CLREX: a compare-exchange that failed has loaded exclusively
    // and stored nothing. While the monitor is armed somebody else's store may end the sleep, and QEMU 11 does not
    // sleep at all. CLREX clears the local monitor, it makes no access and sets no event.
    [[gnu::always_inline]] static void park() { asm volatile("clrex\n\twfe\n\tisb" ::: "memory"); }

    // DSB ISH: all earlier accesses of this core are complete, so its stores (and any store that it has read) are
    // visible to all cores of the domain, before SEV is executed. SEV wakes every core.
    [[gnu::always_inline]] static void unpark(uint32_t) { asm volatile("dsb ish\n\tsev" ::: "memory"); }

    [[gnu::always_inline]] static uint32_t now() { return weft_image_clock(); }
    [[gnu::always_inline]] static uint32_t ticks_per_ms() { return weft_image_ticks_per_ms; }

    [[gnu::always_inline]] static void set_alarm(uint32_t tick) { weft_image_set_alarm(tick); }
    [[gnu::always_inline]] static void clear_alarm() { weft_image_clear_alarm(); }

    // IRQ and FIQ.
    [[gnu::always_inline]] static uint32_t hold_interrupts() {
        uint32_t before;
        asm volatile("mrs %0, cpsr\n\tcpsid if" : "=r"(before)::"memory");
        return before;
    }
    // ICIALLU: the core's own instruction cache, and with it what was fetched ahead.
    [[gnu::always_inline]] static void release_interrupts(uint32_t held) {
        asm volatile("mcr p15, 0, %0, c7, c5, 0\n\tdsb\n\tisb\n\tmsr cpsr_c, %0" ::"r"(held) : "memory");
    }
    static uint32_t pen_turn(uint32_t core);
    // In the pen: sleeps until an event, or not.
    [[gnu::always_inline]] static void nap() { asm volatile("dsb ish\n\twfe" ::: "memory"); }

#if WEFT_ARMV7A_PREEMPTS
    // An interrupt of the image's, of the lowest priority: it calls weft_port_preempt().
    static void interrupt(uint32_t core, void (*handler)());
#endif

    static Start start_core(uint32_t core, void (*entry)(void*), void* arg);
    static bool cancel_start(uint32_t core, void* arg);
    static void vacate();
    static uint32_t* stack_limit() { return weft_image_stack_limit(core_id()); }
    [[noreturn]] static void panic(const char* reason, uint32_t core, const void* task) {
        weft_image_panic(reason, core, task);
    }

private:
    // Not volatile: the value is constant for as long as a function runs, so the compiler may keep it.
    [[gnu::always_inline]] static uint32_t core_register() {
        uint32_t value;
        asm("mrc p15, 0, %0, c13, c0, 4" : "=r"(value));
        return value;
    }
};

}  // namespace WEFT_PORT_NAME

}  // namespace weft
