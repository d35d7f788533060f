// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: what the shared AArch64 code (aarch64_*) and a board's own file need from each other.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace aarch64 {

// The board's own file.
extern const uint32_t timer_interrupt;    // the interrupt of the EL1 virtual timer
extern const uint32_t alarm_interrupt;    // that of the EL1 physical timer
extern const uint32_t preempt_interrupt;  // of a level that preempts: one core can send it to another
extern const uint32_t recall_interrupt;   // of VARIANT=restart: the same
void enable_console();                    // makes board::put() print
void enable_machine();                    // boot core: what all cores share of the interrupt controller

// The interrupt controller as the calling core sees it: the board's own file, or the one of its GIC.
constexpr uint32_t spurious = 1023;
void enable_controller(uint32_t core);       // all of its interrupts disabled
void enable_interrupt(uint32_t interrupt);   // private to the core
void disable_interrupt(uint32_t interrupt);  // done when it returns
constexpr uint32_t number_mask = 0x3ff;
uint32_t acknowledge();  // the interrupt to serve, or spurious; above number_mask is what end() wants to know
void end(uint32_t taken);                        // takes what acknowledge() has returned
void interrupt(uint32_t core, uint32_t number);  // another core, or the calling one

// The stack of core n ends in front of stacks + (n + 1) * slot_bytes; its slot begins with a guard: addresses without
// memory. (aarch64_start.S has the same numbers.)
constexpr uintptr_t stacks = 0x80000000;
constexpr size_t stack_bytes = 16 * 1024;
constexpr size_t slot_bytes = 32 * 1024;

// aarch64_interrupts.cpp: the timers of a core, its part of the interrupt controller, and interrupts unmasked.
void enable_interrupts(uint32_t core);

// aarch64_counters.cpp: makes board::instructions() count on this core.
void enable_counters();

// The machine is not one that the image can run on: ends the run with this sentence.
[[noreturn]] void refuse(const char* why);

}  // namespace aarch64

extern "C" {

// aarch64_start.S calls these on each core's own stack, MMU and caches on, interrupts masked.
[[noreturn]] void aarch64_boot_core();                    // aarch64_cores.cpp
[[noreturn]] void aarch64_secondary_core(uint32_t core);  // aarch64_cores.cpp
[[noreturn]] void aarch64_entered_at_el3();               // aarch64_report.cpp; MMU off
void aarch64_interrupt();                                 // aarch64_interrupts.cpp; masked
[[noreturn]] void aarch64_restart();                      // aarch64_start.S, of VARIANT=restart
[[noreturn]] void aarch64_exception(uint32_t vector, uint64_t stack_pointer);  // aarch64_report.cpp

}  // extern "C"
