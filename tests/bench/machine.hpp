// SPDX-License-Identifier: MIT OR Apache-2.0
// bench: the machine under the measurements: a counter of instructions, and how a core hands its turn on.
//
// All figures are taken under QEMU's -icount shift=0,sleep=off. One core runs at a time there, until it sleeps or
// says that it waits; the counter is exact and counts all cores together. board::instructions() is that counter in
// portable form, but a call of unknown length; here a reading is one instruction, the very one that it counts from.
#pragma once

#include <stdint.h>

#include <weft/weft.hpp>

#include "board.hpp"

namespace bench {

#if __STDC_HOSTED__ == 0 && defined(__aarch64__)

// The board counts INST_RETIRED with event counter 0. Each core's count began when that core came up.
inline constexpr bool measurable = true;
inline constexpr bool exact = true;
inline constexpr bool counter_per_core = true;
#ifdef WEFT_PARK_WFI
inline constexpr bool cores_sleep = true;
#else
inline constexpr bool cores_sleep = false;  // QEMU's WFE only ends the turn
#endif

// No ISB around it: the emulator executes one instruction after the other.
#define BENCH_TEXT "%c1"
#define BENCH_READ "mrs %0, pmevcntr0_el0"
#define BENCH_PASS "yield"
inline constexpr int32_t after_pass = 0;

// While there is one, the core may hand its turn on with pass(): one instruction, and `after_pass` more when the turn
// has come back.
class Turns {
public:
    Turns() = default;
    ~Turns() {}
    Turns(const Turns&) = delete;
    Turns& operator=(const Turns&) = delete;
    [[gnu::always_inline]] static void pass() { asm volatile(BENCH_PASS : : : "memory"); }
};

#elif __STDC_HOSTED__ == 0 && defined(__riscv)

inline constexpr bool measurable = true;
inline constexpr bool exact = true;
inline constexpr bool counter_per_core = false;
inline constexpr bool cores_sleep = true;

#define BENCH_TEXT "%1"
#define BENCH_READ "csrr %0, minstret"

// QEMU 7.2 counts a block of instructions when it enters it, and does not end the block at a WFI: what is left of the
// block is counted twice. The jump ends it; pass() then counts one too many (measured by calibrate()).
inline constexpr int32_t after_pass = 1;
#define BENCH_PASS "wfi\n\tj 2f\n2:"

// QEMU does not end a turn at `pause`. WFI does, and returns when the turn comes back if an interrupt is pending and
// enabled in mie: the supervisor software interrupt, which nobody else uses, masked so that it is not taken. No
// Port::relax() or park() meanwhile: built with WEFT_RELAX_WFI, relax() uses the same interrupt.
class Turns {
public:
    Turns() : masked_(weft::riscv::mask_interrupts()) {
        asm volatile("csrs mie, %0\n\tcsrs mip, %0" : : "rK"(weft::riscv::ssi) : "memory");
    }
    ~Turns() {
        asm volatile("csrc mip, %0\n\tcsrc mie, %0" : : "rK"(weft::riscv::ssi) : "memory");
        weft::riscv::restore_interrupts(masked_);
    }
    Turns(const Turns&) = delete;
    Turns& operator=(const Turns&) = delete;
    [[gnu::always_inline]] static void pass() { asm volatile(BENCH_PASS : : : "memory"); }

private:
    const uintptr_t masked_;
};

#else

// No counter. Under -icount shift=0 an instruction takes 1 ns of virtual time, so the port's clock counts instructions
// too, some at a time; their mean over many samples that start anywhere between two ticks is right to about two.
inline constexpr bool measurable = __STDC_HOSTED__ == 0;
inline constexpr bool exact = false;
inline constexpr bool counter_per_core = false;
inline constexpr bool cores_sleep = false;

inline uint32_t counter(const char* = nullptr) { return weft::Port::now(); }

inline constexpr int32_t after_pass = 0;
inline uint32_t counter_and_pass(const char* = nullptr) {
    const uint32_t count = counter();
    weft::Port::relax();
    return count;
}

class Turns {
public:
    Turns() = default;
    ~Turns() {}
    Turns(const Turns&) = delete;
    Turns& operator=(const Turns&) = delete;
    static void pass() { weft::Port::relax(); }
};

#endif

#ifdef BENCH_READ
// A reading. `path`: what it is the end of, a literal; for tools/costs, which finds the names by this section.
#define BENCH_NAME "\n\t.pushsection .bench_paths, \"R\"\n\t.dc.a 1b, " BENCH_TEXT "\n\t.popsection"
[[gnu::always_inline]] inline uint32_t counter(const char* path = nullptr) {
    uintptr_t count;
    asm volatile("1: " BENCH_READ BENCH_NAME : "=r"(count) : "i"(path) : "memory");
    return static_cast<uint32_t>(count);
}
// A reading, and at once pass().
[[gnu::always_inline]] inline uint32_t counter_and_pass(const char* path = nullptr) {
    uintptr_t count;
    asm volatile("1: " BENCH_READ BENCH_NAME "\n\t" BENCH_PASS : "=r"(count) : "i"(path) : "memory");
    return static_cast<uint32_t>(count);
}
#endif

#if __STDC_HOSTED__ == 0 && defined(__riscv)
inline uintptr_t close_interrupts() { return weft::riscv::mask_interrupts(); }
inline void open_interrupts(uintptr_t masked) { weft::riscv::restore_interrupts(masked); }
#elif __STDC_HOSTED__ == 0 && defined(__aarch64__)
inline uintptr_t close_interrupts() {
    uintptr_t masked;
    asm volatile("mrs %0, daif\n\tmsr daifset, #2" : "=r"(masked) : : "memory");
    return masked;
}
inline void open_interrupts(uintptr_t masked) { asm volatile("msr daif, %0" : : "r"(masked) : "memory"); }
#elif __STDC_HOSTED__ == 0 && defined(__arm__)
inline uintptr_t close_interrupts() {
    asm volatile("cpsid i" : : : "memory");
    return 0;
}
inline void open_interrupts(uintptr_t) { asm volatile("cpsie i\n\tisb" : : : "memory"); }
#endif

// Instructions per count.
inline uint32_t count_unit() { return exact ? 1 : 1000000 / weft::Port::ticks_per_ms(); }

// Before a sample: where the counter has ticks, the sample begins anywhere between two of them.
inline void start_anywhere() {
    if (exact) return;
    static uint32_t state = 1;  // core 0 only
    // Multiplier: Knuth, The Art of Computer Programming, 3.3.4, table 1, line 16. The high bits are the random ones.
    state = state * 1664525u + 1013904223u;
    for (uint32_t turns = state >> 26; turns != 0; --turns) asm volatile("nop");
}

// A straight line of that many instructions.
inline constexpr uint32_t straight_line = 1000;
[[gnu::always_inline]] inline void walk_straight_line() {
    asm volatile(".rept 1000\n\tnop\n\t.endr" : : : "memory");
}

}  // namespace bench
