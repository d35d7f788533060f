// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: RP2350, for boards/common/rp_chip.cpp and rp_arm.cpp. The names are those of the datasheet's register lists.
#pragma once

#include <stdint.h>

#include "mmio.hpp"

namespace chip {

constexpr uint32_t clock_hz = 150'000'000;  // both cores and the UART
constexpr uint32_t pll_by_first = 5;
constexpr uint32_t pll_by_second = 2;

// Address map
constexpr uintptr_t clocks = 0x40010000;
constexpr uintptr_t resets = 0x40020000;
constexpr uintptr_t io_bank0 = 0x40028000;
constexpr uintptr_t pads_bank0 = 0x40038000;
constexpr uintptr_t xosc = 0x40048000;
constexpr uintptr_t pll_sys = 0x40050000;
constexpr uintptr_t uart0 = 0x40070000;
constexpr uintptr_t ticks = 0x40108000;

// RESETS, RESET
constexpr uint32_t of_io_bank0 = 1u << 6;
constexpr uint32_t of_pads_bank0 = 1u << 9;
constexpr uint32_t of_pll_sys = 1u << 14;
constexpr uint32_t of_timer = 1u << 23;  // TIMER0
constexpr uint32_t of_uart0 = 1u << 26;

// TIMER0: as RP2040's, with two registers more in front of the interrupts' ones. Interrupts 0 and 1.
constexpr uintptr_t timer = 0x400b0000;
constexpr uintptr_t timer_alarms = timer + 0x10;
constexpr uintptr_t timer_armed = timer + 0x20;
constexpr uintptr_t timer_raw_low = timer + 0x28;
constexpr uintptr_t timer_requests = timer + 0x3c;
constexpr uintptr_t timer_enables = timer + 0x40;
constexpr uintptr_t timer_forced = timer + 0x44;

// TICKS: CYCLES behind CTRL, 12 bytes for each taker. One microsecond for TIMER0 (the third) and for the RISC-V timer
// (the sixth).
inline void start_ticks(uint32_t clocks_of_one) {
    constexpr uintptr_t takers[] = {ticks + 2 * 12, ticks + 5 * 12};
    for (const uintptr_t taker : takers) {
        write32(taker + 4, clocks_of_one);
        write32(taker, 1);
    }
}

// PADS_BANK0, GPIO0: out of reset a pad is isolated (ISO), until its function is chosen.
inline void connect_pin0() { write32(pads_bank0 + 0x04 + 0x3000, 1u << 8); }

// The boot ROM sleeps between words: in WFE; on Hazard3 in h3.block, which h3.unblock ends (Hazard3: "Xh3power").
#ifdef __riscv
inline void send_event() { asm volatile("fence rw, rw\n\tslt x0, x0, x1" ::: "memory"); }
#else
inline void send_event() { asm volatile("dsb\n\tsev" ::: "memory"); }
#endif

}  // namespace chip
