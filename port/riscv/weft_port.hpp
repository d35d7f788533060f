// SPDX-License-Identifier: MIT OR Apache-2.0
// weft/port/riscv: RV32IMAC and RV64IMAC harts in machine mode, woken through the CLINT's MSIP registers.
// The contract is include/weft/port.hpp; what an image supplies is in weft_image.hpp.
//
// The event of a core is its MSIP bit: sticky, set by a store of any hart, and WFI sees it whether or not the
// hart is already asleep. "Privileged", WFI: it resumes for an interrupt that is enabled in mie, whatever
// mstatus.MIE says.
#pragma once

#if !defined(__riscv)
#error "weft: port/riscv is for RISC-V cores: the compiler makes code for another machine"
#elif !defined(__riscv_atomic)
#error "weft: port/riscv needs atomic instructions, as in -march=rv32imac_zicsr"
#endif

#include <stdint.h>

#include <weft/order.hpp>

#include "generic/name.hpp"
#include "riscv_words.hpp"
#include "weft_image.hpp"

#ifndef WEFT_RISCV_FIRST_HART
#define WEFT_RISCV_FIRST_HART 0
#endif

#ifndef WEFT_MAX_CORES
#define WEFT_MAX_CORES 8
#endif

#if defined(WEFT_PREEMPTION) && WEFT_PREEMPTION
#define WEFT_RISCV_PREEMPTS 1
#define WEFT_RISCV_PREFIX riscv_preempt_
#else
#define WEFT_RISCV_PREEMPTS 0
#define WEFT_RISCV_PREFIX riscv_
#endif

#ifdef WEFT_RISCV_SOFTIRQ
#define WEFT_RISCV_SENDER softirq_
#else
#define WEFT_RISCV_SENDER
#endif

#ifdef WEFT_RISCV_TIME_CSR
#define WEFT_RISCV_HART WEFT_NAMED(WEFT_RISCV_SENDER, time_hart)
#else
#define WEFT_RISCV_HART WEFT_NAMED(WEFT_RISCV_SENDER, hart)
#endif

#define WEFT_RISCV_SETTINGS \
    WEFT_NAMED(WEFT_NAMED(WEFT_RISCV_HART, WEFT_RISCV_FIRST_HART), WEFT_NAMED(_cores, WEFT_MAX_CORES))
#ifdef WEFT_RELAX_WFI
#define WEFT_PORT_NAME WEFT_NAMED(WEFT_NAMED(WEFT_RISCV_PREFIX, relax_wfi_), WEFT_RISCV_SETTINGS)
#else
#define WEFT_PORT_NAME WEFT_NAMED(WEFT_RISCV_PREFIX, WEFT_RISCV_SETTINGS)
#endif

namespace weft {
namespace riscv {

// CSR bits ("Privileged", machine-level CSRs).
inline constexpr uintptr_t mstatus_mie = 1u << 3;
inline constexpr uintptr_t msi = 1u << 3;  // machine software interrupt: MSIE in mie
inline constexpr uintptr_t ssi = 1u << 1;  // supervisor software interrupt: SSIE in mie, SSIP in mip

inline uint32_t read32(uintptr_t address) { return *reinterpret_cast<volatile const uint32_t*>(address); }

inline void write32(uintptr_t address, uint32_t value) {
    *reinterpret_cast<volatile uint32_t*>(address) = value;
}

// The register of a core's MSIP, and what sets and clears it there.
#ifdef WEFT_RISCV_SOFTIRQ
inline uintptr_t msip(uint32_t) { return weft_image_msip; }
constexpr uint32_t msip_set(uint32_t core) { return 1u << core; }
constexpr uint32_t msip_clear(uint32_t core) { return 0x100u << core; }
#else
inline uintptr_t msip(uint32_t core) { return weft_image_msip + 4 * core; }
constexpr uint32_t msip_set(uint32_t) { return 1; }
constexpr uint32_t msip_clear(uint32_t) { return 0; }
#endif

// Masks all interrupts of this hart; returns what restore_interrupts() needs.
inline uintptr_t mask_interrupts() {
    uintptr_t mstatus;
    asm volatile("csrrc %0, mstatus, %1" : "=r"(mstatus) : "rK"(mstatus_mie) : "memory");
    return mstatus & mstatus_mie;
}

inline void restore_interrupts(uintptr_t masked) {
    asm volatile("csrs mstatus, %0" : : "r"(masked) : "memory");
}

#if WEFT_RISCV_PREEMPTS
void software_interrupt();  // port.cpp
#endif

}  // namespace riscv

inline namespace WEFT_PORT_NAME {

struct Port : riscv::Words {
    enum class Start { started, refused, absent };

    static constexpr uint32_t max_cores = WEFT_MAX_CORES;
    static constexpr uint32_t cache_line = 64;

    [[gnu::always_inline]] static uint32_t core_id() {
        uintptr_t hart;
        asm("csrr %0, mhartid" : "=r"(hart));  // not volatile: it never changes
        return static_cast<uint32_t>(hart) - WEFT_RISCV_FIRST_HART;
    }

    [[gnu::always_inline]] static void fence() { asm volatile("fence rw, rw" : : : "memory"); }

    // Zihintpause: FENCE with predecessor W and no successor, a hint that every older core executes as a
    // (weak) fence.
    //
    // QEMU does not end a hart's turn at `pause`. With one thread per hart that costs nothing. In its
    // round-robin mode (-icount) a spinning hart keeps the machine for its whole slice, 0.1 s of virtual
    // time, which is 100 million instructions at shift=0: the others do get on, at that pace. WFI does end
    // the turn, and returns at once when an interrupt is pending and enabled; WEFT_RELAX_WFI makes the hart
    // pend its own supervisor software interrupt for it. It then owns SSIP and mie.SSIE, and needs a hart
    // that has supervisor mode (mip.SSIP is read-only zero elsewhere and the WFI would sleep): for emulators,
    // not for silicon.
    [[gnu::always_inline]] static void relax() {
#ifdef WEFT_RELAX_WFI
        const uintptr_t masked = riscv::mask_interrupts();  // or the interrupt would be taken
        asm volatile(
            "csrs mie, %0\n\t"
            "csrs mip, %0\n\t"
            "wfi\n\t"
            "csrc mip, %0\n\t"
            "csrc mie, %0"
            :
            : "rK"(riscv::ssi)
            : "memory");
        riscv::restore_interrupts(masked);
#else
        asm volatile(".insn i 0x0f, 0, x0, x0, 0x010" : : : "memory");  // pause
#endif
    }

    // Returns when MSIP is set, or any interrupt that the image has enabled in mie is pending; that one is
    // taken when mstatus.MIE comes back, at the end. A call with mstatus.MIE off and such an interrupt
    // pending never sleeps.
    //
    // Order. U = the unparker's stores to memory, then FENCE RW,OW, then its store of 1 to MSIP. Here: the
    // store of 0 to MSIP, then FENCE O,R, then the caller's loads. The two stores to one register have an
    // order at the device. 1 before 0: the event is consumed, and U, 1, 0, loads follow one another ("Memory
    // Ordering Instructions" of the unprivileged manual: nobody observes an access of the successor set
    // before one of the predecessor set), so the loads see U. 0 before 1: MSIP stays set and the next park()
    // returns at once. Nothing is lost either way, and a 1 that ended the WFI is always of the first kind: it
    // was pending before the 0 was issued.
#if WEFT_RISCV_PREEMPTS
    // With a level that preempts MSIP is an interrupt, and its handler takes the event: port.cpp.
    static void park();
    static void interrupt(uint32_t core, void (*handler)());
#else
    [[gnu::always_inline]] static void park() {
        const uintptr_t masked = riscv::mask_interrupts();
        asm volatile(
            "csrs mie, %0\n\t"
            "wfi\n\t"
            "csrc mie, %0"
            :
            : "rK"(riscv::msi)
            : "memory");
        riscv::write32(riscv::msip(core_id()), riscv::msip_clear(core_id()));
        asm volatile("fence o, r" : : : "memory");
        riscv::restore_interrupts(masked);
    }
#endif

    [[gnu::always_inline]] static void unpark(uint32_t core) {
        // All that this hart did to memory before comes before the store to the device.
        asm volatile("fence rw, ow" : : : "memory");
        riscv::write32(riscv::msip(core), riscv::msip_set(core));
    }

    // mstatus.MIE: all but those that nobody can mask.
    [[gnu::always_inline]] static uint32_t hold_interrupts() {
        uintptr_t before;
        asm volatile("csrrci %0, mstatus, %1" : "=r"(before) : "i"(riscv::mstatus_mie) : "memory");
        return static_cast<uint32_t>(before & riscv::mstatus_mie);
    }
    // FENCE.I, as a number since not every architecture string has it: what was fetched ahead, or is in the hart's own
    // instruction cache.
    [[gnu::always_inline]] static void release_interrupts(uint32_t held) {
        asm volatile(".insn i 0x0f, 1, x0, x0, 0\n\tcsrs mstatus, %0" : : "r"(uintptr_t{held}) : "memory");
    }
    static uint32_t pen_turn(uint32_t core);
    // In the pen: sleeps until an event, or not. One that was there before it is left to the park() that comes next.
    [[gnu::always_inline]] static void nap() {
        uintptr_t before;
        asm volatile("csrrs %0, mie, %1\n\twfi\n\tcsrw mie, %0" : "=&r"(before) : "r"(riscv::msi) : "memory");
    }

    static Start start_core(uint32_t core, void (*entry)(void*), void* arg);
    static bool cancel_start(uint32_t core, void* arg);
    static void vacate();

#ifdef WEFT_RISCV_TIME_CSR
    [[gnu::always_inline]] static uint32_t now() {
        uintptr_t time;
        asm volatile("csrr %0, time" : "=r"(time));
        return static_cast<uint32_t>(time);
    }
#else
    [[gnu::always_inline]] static uint32_t now() { return riscv::read32(weft_image_mtime); }
#endif
    [[gnu::always_inline]] static uint32_t ticks_per_ms() { return weft_image_ticks_per_ms; }

    [[gnu::always_inline]] static void set_alarm(uint32_t tick) { weft_image_set_alarm(tick); }
    [[gnu::always_inline]] static void clear_alarm() { weft_image_clear_alarm(); }

    [[gnu::always_inline]] static bool in_isr() {
        uintptr_t mark;
        asm volatile("csrr %0, mscratch" : "=r"(mark));
        return mark != 0;
    }

    static uint32_t* stack_limit() { return weft_image_stack_limit(core_id()); }

    [[noreturn]] static void panic(const char* reason, uint32_t core, const void* task) {
        weft_image_panic(reason, core, task);
    }
};

}  // namespace WEFT_PORT_NAME

}  // namespace weft
