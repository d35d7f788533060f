// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, ARMv7-M / ARMv8-M port: everything that the port takes from the firmware image, and the one call that
// it gives back.
//
// The image's own duties on EVERY core, before that core's first weft call:
//   - A main stack and a vector table. weft uses no exception and masks none.
//   - Memory in which the exclusive accesses of two cores exclude each other. The architecture promises that
//     for Shareable memory only, and the default memory map makes RAM Non-shareable: mark it Shareable in the
//     MPU, or on a Cortex-M33 set ACTLR.EXTEXCLALL (bit 29), which sends every exclusive access to the bus
//     and its monitor. Both registers are banked per core: set them on each one (on RP2350 too).
//   - No data cache over memory that tasks share, unless the cores' caches are coherent.
//   - No WFE in interrupt handlers: it could take the event that weft is about to wait for.
// Option, the same for every source of an image (C++ objects that differ in it do not link): WEFT_MAX_CORES=n, the
// largest number of cores (4).
// RP2350: every exclusive access of either core posts an event to both. weft makes none between its last look
// and park(), so an idle core does sleep; a busy neighbour wakes it now and then, and it goes back to
// sleep at once.
#pragma once

#include <stdint.h>

extern "C" {

// "undefined reference to weft_image_...", says the linker: the image has not defined that one yet; or it has, without
// this header, and then only that file knows its name.

// The register that tells the core that reads it its number: 0, 1, ... This is no variable: the linker script
// (or --defsym) puts the symbol on the register, so that one archive fits all chips and a look
// costs one load.
//     weft_image_core_id = 0x5001f000;       AN521, SSE-200: CPU_IDENTITY, CPUID
//     weft_image_core_id = 0xd0000000;       RP2350: SIO, CPUID
// An image for a chip with one core defines it: extern "C" const volatile uint32_t weft_image_core_id = 0;
extern const volatile uint32_t weft_image_core_id;

// A clock that all cores share: counts up through all 32 bits and wraps. Any context. Not SysTick, which has
// 24 bits and differs between cores. A function, because many timers count down or have a prescaler.
uint32_t weft_image_clock(void);

// Ticks of that clock in a millisecond, at least 1.
extern const uint32_t weft_image_ticks_per_ms;

// Switches `core` on: releases its reset, does the boot ROM's handshake, or whatever the chip wants. The core
// sets up what is listed above and calls weft_port_secondary(core), sooner or later or never: this function
// does not wait for that. Called in task context and at most once per core; all earlier stores are complete
// (DSB). Returns 0; anything else means that there is no such core and never will be. An image that starts
// all cores by itself does nothing and returns 0 for those that it started.
int weft_image_power_on(uint32_t core);

// The lowest word of the main stack of `core`; nullptr: not known.
uint32_t* weft_image_stack_limit(uint32_t core);

// A misuse or a broken invariant. `task` may be nullptr. Any context, any core.
[[noreturn]] void weft_image_panic(const char* reason, uint32_t core, const void* task);

// Timers alone (WEFT_TIMERS=1), for the calling core, in task context: an interrupt when the clock (Port::now()) has
// come to `tick`; at once if it has passed, within the last 2^31 ticks. It may come early, and more than once. Its
// handler takes the request back and calls weft::Port::unpark(weft::Port::core_id()). The interrupt is not masked in
// tasks.
void weft_image_set_alarm(uint32_t tick);
// That interrupt is not wanted any more. One that is pending may still come.
void weft_image_clear_alarm(void);

// Given by the port: a core that was switched on comes here when its start-up is done, with interrupts as the
// entries shall find them. It waits for start_core() here, and comes back here after each entry.
[[noreturn]] void weft_port_secondary(uint32_t core);

}  // extern "C"
