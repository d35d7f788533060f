// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: what the shared AArch64 code (aarch64_*) and a board's own file need from each other.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace aarch64 {

// The board's own file.
extern const uint32_t timer_interrupt;   // the PPI of the EL1 virtual timer
extern const uint32_t alarm_interrupt;   // that of the EL1 physical timer
uintptr_t redistributor(uint32_t core);  // this core's GICv3 redistributor, RD_base frame
void enable_console();                   // makes board::put() print

constexpr size_t stack_bytes = 16 * 1024;  // of each core; aarch64_start.S has the same number

// aarch64_interrupts.cpp: the interrupt controller's part of a core, and its interrupts unmasked.
void enable_interrupts(uint32_t core);

// aarch64_counters.cpp: makes board::instructions() count on this core.
void enable_counters();

// The machine is not one that the image can run on: ends the run with this sentence.
[[noreturn]] void refuse(const char* why);

}  // namespace aarch64

extern "C" {

// aarch64_start.S calls these on each core's own stack, MMU and caches on, interrupts masked.
[[noreturn]] void aarch64_boot_core();                    // the board's own file
[[noreturn]] void aarch64_secondary_core(uint32_t core);  // the board's own file
[[noreturn]] void aarch64_entered_at_el3();               // aarch64_report.cpp; MMU off
void aarch64_interrupt();                                 // aarch64_interrupts.cpp; masked
[[noreturn]] void aarch64_exception(uint32_t vector, uint64_t stack_pointer);  // aarch64_report.cpp

// All stacks, core 0 first (aarch64_start.S).
extern uint8_t aarch64_stacks[];

}  // extern "C"
