// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, ARMv7-M / ARMv8-M port: everything that the port takes from the firmware image, and the one call that
// it gives back: the items of generic/arm_image.hpp, and one more.
//
// The image's own duties on EVERY core, before that core's first weft call:
//   - A main stack and a vector table. weft uses no exception, but for PendSV with WEFT_PREEMPTION=1, and masks none.
//   - Memory in which the exclusive accesses of two cores exclude each other. The architecture promises that
//     for Shareable memory only, and the default memory map makes RAM Non-shareable: mark it Shareable in the
//     MPU, or on a Cortex-M33 set ACTLR.EXTEXCLALL (bit 29), which sends every exclusive access to the bus
//     and its monitor. Both registers are banked per core: set them on each one (on RP2350 too).
//   - No data cache over memory that tasks share, unless the cores' caches are coherent.
//   - No WFE in interrupt handlers: it could take the event that weft is about to wait for.
// Options, the same for every source of an image (C++ objects that differ in them do not link):
//   WEFT_MAX_CORES=n             the largest number of cores (4).
//   WEFT_ARMV7M_CLOCK_REGISTER   the clock is a register, weft_image_clock_register, in place of the function
//                                weft_image_clock(): a trace reads it in each event.
// RP2350: every exclusive access of either core posts an event to both. weft makes none between its last look
// and park(), so an idle core does sleep; a busy neighbour wakes it now and then, and it goes back to
// sleep at once.
#pragma once

#include <stdint.h>

#include "generic/arm_image.hpp"

#ifdef __cplusplus
extern "C" {
#endif

// The register that tells the core that reads it its number: 0, 1, ... This is no variable: the linker script
// (or --defsym) puts the symbol on the register, so that one archive fits all chips and a look
// costs one load.
//     weft_image_core_id = 0x5001f000;       AN521, SSE-200: CPU_IDENTITY, CPUID
//     weft_image_core_id = 0xd0000000;       RP2350: SIO, CPUID
// An image for a chip with one core defines it: extern "C" const volatile uint32_t weft_image_core_id = 0;
extern const volatile uint32_t weft_image_core_id;

#ifdef WEFT_ARMV7M_CLOCK_REGISTER
// The register of a clock that all cores share: counts up through all 32 bits and wraps. No variable either: the linker
// script puts the symbol there.
//     weft_image_clock_register = 0x50302018;   AN521: FPGAIO, COUNTER
//     weft_image_clock_register = 0x400b0028;   RP2350: TIMER0, TIMERAWL
extern const volatile uint32_t weft_image_clock_register;
#endif

// A level that preempts alone (WEFT_PREEMPTION=1). PendSV is the port's then: this is its handler, for the vector
// table. Its priority is the lowest of all (SHPR3, PRI_14), on every core before its first weft call.
void weft_port_pendsv(void);
// Makes an interrupt pending on another core, whose handler takes the request back and calls weft_port_doorbell(). Any
// context. By a mailbox, a message handling unit, or the doorbells of RP2350. On a chip with one core it is never
// called, and may be empty.
void weft_image_interrupt(uint32_t core);
void weft_port_doorbell(void);

#ifdef __cplusplus
}  // extern "C"
#endif
