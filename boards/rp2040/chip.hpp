// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: RP2040, for boards/common/rp_chip.cpp and rp_arm.cpp. The section of the datasheet stands beside each.
#pragma once

#include <stdint.h>

#include "mmio.hpp"

namespace chip {

constexpr uint32_t clock_hz = 125'000'000;  // both cores and the UART
constexpr uint32_t pll_by_first = 6;
constexpr uint32_t pll_by_second = 2;

// 2.2, Address map
constexpr uintptr_t clocks = 0x40008000;
constexpr uintptr_t resets = 0x4000c000;
constexpr uintptr_t io_bank0 = 0x40014000;
constexpr uintptr_t xosc = 0x40024000;
constexpr uintptr_t pll_sys = 0x40028000;
constexpr uintptr_t uart0 = 0x40034000;

// 2.14, Subsystem resets
constexpr uint32_t of_io_bank0 = 1u << 5;
constexpr uint32_t of_pads_bank0 = 1u << 8;
constexpr uint32_t of_pll_sys = 1u << 12;
constexpr uint32_t of_timer = 1u << 21;
constexpr uint32_t of_uart0 = 1u << 22;

// 4.6, Timer: 1 MHz, 64 bits; an alarm compares the lower 32, and each has an interrupt of its number. Alarm 0 is core
// 0's, alarm 1 core 1's. Both interrupts reach both cores; each enables its own.
constexpr uintptr_t timer = 0x40054000;
constexpr uintptr_t timer_alarms = timer + 0x10;
constexpr uintptr_t timer_armed = timer + 0x20;
constexpr uintptr_t timer_raw_low = timer + 0x28;
constexpr uintptr_t timer_requests = timer + 0x34;
constexpr uintptr_t timer_enables = timer + 0x38;
constexpr uintptr_t timer_forced = timer + 0x3c;

// 4.7.2: the watchdog's tick, of one microsecond, drives the timer.
inline void start_ticks(uint32_t clocks_of_one) { write32(0x4005802c, (1u << 9) | clocks_of_one); }

inline void connect_pin0() {}

// The boot ROM sleeps in WFE between words.
inline void send_event() { asm volatile("dsb\n\tsev" ::: "memory"); }

}  // namespace chip
