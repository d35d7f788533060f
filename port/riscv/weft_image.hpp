// SPDX-License-Identifier: MIT OR Apache-2.0
// weft/port/riscv: everything that an image supplies to the RISC-V port (RV32 and RV64, machine mode).
//
// The image keeps its vectors, PMP, clocks, PLIC and timers. The port takes for itself, on each hart it runs
// on:
//   - the MSIP register in the CLINT (ACLINT MSWI device): it is the event that park() waits for. The image
//     neither reads nor writes it, with the one exception named at weft_port_secondary() below.
//   - mie.MSIE: clear at start-up and left alone afterwards. park() sets it for the length of one WFI, with
//     mstatus.MIE off, so a machine software interrupt is never taken.
//     With WEFT_PREEMPTION=1 it is an interrupt instead: the image sets mie.MSIE on each core before its first weft
//     call, and the handler calls weft_port_software_interrupt().
//   - mscratch as the "in a handler" mark: 0 outside trap handlers, anything else inside. A trap entry does
//     `csrw mscratch, sp`, the matching exit `csrw mscratch, zero` (a nested handler restores what it found).
//
// The hart's reservation. A trap's return may keep it ("Privileged", xRET), and if a handler has left one of its own,
// an SC that it interrupted may succeed though the word has changed. weft's own words leave none, in handlers neither,
// so trap code need not know of it. It must know if handlers hold an LR that no SC follows on every path: a
// compare-exchange of the compiler's (std::atomic, __atomic builtins) leaves one when it fails. Such an image executes
// an SC to a word that nothing reads before MRET. So does, in every image, a switch to another stack that does not go
// back the way it came (the context switch of an RTOS whose thread runs weft): it may stand between LR and SC.
//
// Options, the same for every source of an image (C++ objects that differ in them do not link):
//   WEFT_RISCV_FIRST_HART=n  core 0 is hart n, core 1 is hart n+1, ... (0). For chips whose hart 0 is a small
//                            monitor core. The harts that weft runs on are consecutive.
//   WEFT_MAX_CORES=n         largest number of cores (8); costs one cache line of memory for each.
//   WEFT_RISCV_SOFTIRQ       one register has the MSIP of all cores: a 1 in bit n sets that of core n, in bit 8+n
//                            clears it (RP2350: SIO, RISCV_SOFTIRQ). Then weft_image_msip is its address.
//   WEFT_RISCV_TIME_CSR      the clock is read by `csrr time`, one instruction in place of three. The harts have that
//                            register: it traps on others.
//   WEFT_RELAX_WFI           emulators only: relax() gives the turn to the next hart; see weft_port.hpp.
#pragma once

#include <stdint.h>

#include "generic/in_c.hpp"

#ifdef __cplusplus
extern "C" {
#endif

// --- the image defines ---

// "undefined reference to weft_image_...", says the linker: the image has not defined that one yet; or it has, without
// this header, and then only that file knows its name.

// Number of cores, at most WEFT_MAX_CORES. Core 0 is the one that runs main(): it is never started by the
// port.
extern const uint32_t weft_image_cores;

// Address of core 0's MSIP register; core n's is 4·n above it. CLINT base + 4·WEFT_RISCV_FIRST_HART.
extern const uintptr_t weft_image_msip;

// Address of the low word of mtime (CLINT base + 0xbff8), and its rate. Read as memory, but for WEFT_RISCV_TIME_CSR:
// `rdtime` traps on some cores.
extern const uintptr_t weft_image_mtime;
extern const uint32_t weft_image_ticks_per_ms;

// Lowest word of that core's stack; nullptr: unknown.
uint32_t* weft_image_stack_limit(uint32_t core);

// Says what went wrong and stops the machine.
WEFT_NO_RETURN void weft_image_panic(const char* reason, uint32_t core, const void* task);

// Timers alone (WEFT_TIMERS=1), for the calling core, in task context: an interrupt when the clock (Port::now()) has
// come to `tick`; at once if it has passed, within the last 2^31 ticks. It may come early, and more than once. Its
// handler takes the request back and calls weft::Port::unpark(weft::Port::core_id()), in C weft_unpark_this_core(). The
// interrupt is not masked in tasks.
void weft_image_set_alarm(uint32_t tick);
// That interrupt is not wanted any more. One that is pending may still come.
void weft_image_clear_alarm(void);

// --- the image calls ---

// Start-up of every core but core 0 ends here: stack, trap vector, mie and mscratch set up, memory
// initialised by core 0 (.data, .bss), mstatus.MIE as entries shall find it (normally on). Waits for
// Port::start_core, runs the entry, waits again. A hart that stays out of here until core 0 has initialised
// memory may wait in WFI for its MSIP, set by core 0; it may leave MSIP set.
WEFT_NO_RETURN void weft_port_secondary(uint32_t core);

// A restart of core 0 alone (docs/RESTART.md), in images that want it; else none of this is linked. It is called where
// .data and .bss may not be initialised yet. It uses constants, stacks, and memory that start-up code leaves as it
// is: the linker script places *(.noinit) there.
// Core 0, with a stack, before it touches .data and .bss: has each other core that is inside leave what it is in, and
// land. Returns how many have not when `ticks` of Port::now() are over; docs/RESTART.md, 2.1, says what that means.
uint32_t weft_port_recall(uint32_t ticks);
// Core 0, when memory is initialised: the others may go in.
void weft_port_release(void);
// The others, each with a stack and mstatus.MIE off, in place of waiting for an MSIP: returns when it may go in.
void weft_port_land(uint32_t core);
// The image's. An interrupt that is enabled on every core from its start on: makes it pending on `core`, again and
// again until it has landed. One that core 0 can reach: the comparator of its timer, say. Its handler calls
// weft_port_recalled(), which comes back if the core is not to leave.
void weft_image_recall(uint32_t core);
void weft_port_recalled(void);
// The image's: where the core starts over then, as out of reset, with mstatus.MIE off.
WEFT_NO_RETURN void weft_image_secondary_start(void);

// A level that preempts alone (WEFT_PREEMPTION=1): the machine software interrupt. Its entry saves what a call may
// change (the floating-point registers too, where there are any), marks mscratch and calls this with mstatus.MIE off,
// on the stack of what it interrupted. Tasks run in it, with mstatus.MIE on and mscratch 0; mepc, mstatus and
// mscratch are put back. It interrupts no other handler: one that sets mstatus.MIE clears mie.MSIE meanwhile.
void weft_port_software_interrupt(void);

#ifdef __cplusplus
}  // extern "C"
#endif
