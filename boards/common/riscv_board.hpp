// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: what riscv_start.S, riscv_trap.cpp, riscv_clint.cpp and a board's own file share. Also included by the
// assembler: constants first. A board defines RISCV_MTIME_HZ, the rate of its mtime.
#pragma once

// Bytes of stack: for each hart, and for a hart that reports a fatal trap (its own stack may be the reason). The lowest
// ones of a hart's are its guard, a power of two, which nobody may access.
#define RISCV_STACK_BYTES 32768
#define RISCV_GUARD_BYTES 4096
#define RISCV_PANIC_STACK_BYTES 1024

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

extern "C" {

// riscv_start.S. Guard and stack of core n are the n-th block of RISCV_STACK_BYTES.
extern uint32_t riscv_stacks[];

// riscv_start.S: the semihosting trap. -1 if no semihosting host is there.
intptr_t riscv_semihosting(uintptr_t operation, void* block);

// riscv_clint.cpp, called by riscv_start.S.
[[noreturn]] void riscv_boot();                    // core 0, memory initialised, interrupts on
[[noreturn]] void riscv_secondary(uint32_t core);  // the others, likewise
void riscv_timer_interrupt();                      // machine timer interrupt, in interrupt context
[[noreturn]] void riscv_restart();                 // riscv_start.S, of VARIANT=restart

// The board's own file: makes board::put() print; ends the run where nobody serves semihosting, if the board can.
void riscv_enable_console();
void riscv_finish(uintptr_t status);

// riscv_trap.cpp, called by riscv_start.S: any trap that is not a machine timer interrupt.
[[noreturn]] void riscv_fatal_trap(uintptr_t hart, uintptr_t mcause, uintptr_t mepc, uintptr_t mtval);

}  // extern "C"

#endif
