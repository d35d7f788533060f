// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: what the shared ARMv7-A code (armv7a_*) and a board's own file need from each other.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace armv7a {

// The board's own file (which says where its GICv2 is, too): the private interrupts of the two timers of each core.
extern const uint32_t alarm_interrupt;  // the virtual timer
extern const uint32_t timer_interrupt;  // the physical timer

// The stack of core n ends in front of stacks + (n + 1) * slot_bytes; its slot begins with a guard: addresses without
// memory. (armv7a_start.S has the same numbers.)
constexpr uintptr_t stacks = 0x80000000;
constexpr size_t stack_bytes = 16 * 1024;
constexpr size_t slot_bytes = 32 * 1024;

// armv7a_interrupts.cpp: by each core for itself, with the distributor enabled. Unmasks its interrupts.
void enable_interrupts();

// armv7a_report.cpp: makes board::instructions() count on this core.
void enable_counters();

// armv7a_start.S: one call of the firmware, by HVC (SMC Calling Convention, Arm DEN0028).
extern "C" int32_t armv7a_hvc(uint32_t function, uint32_t a, uint32_t b, uint32_t c);

}  // namespace armv7a

extern "C" {

// armv7a_start.S calls these on each core's own stack, MMU and caches on, interrupts masked.
[[noreturn]] void armv7a_boot_core();                                 // the board's own file
[[noreturn]] void armv7a_secondary_core(uint32_t core);               // the board's own file
void armv7a_interrupt();                                              // armv7a_interrupts.cpp; masked
[[noreturn]] void armv7a_exception(uint32_t kind, uint32_t address);  // armv7a_report.cpp

// Where a core enters that the firmware powers on, its number in r0.
void armv7a_secondary_start();

}  // extern "C"
