// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: what the ports of 32-bit Arm cores take from the firmware image, and the one call that they give back. A port's
// own weft_image.hpp includes this, and says what else the image owes it.
#pragma once

#include <stdint.h>

#include "in_c.hpp"

#ifdef __cplusplus
extern "C" {
#endif

// "undefined reference to weft_image_...", says the linker: the image has not defined that one yet; or it has, without
// this header, and then only that file knows its name.

// A clock that all cores share: counts up through all 32 bits and wraps. Any context. Not SysTick, which has
// 24 bits and differs between cores. A function, because many timers count down or have a prescaler.
uint32_t weft_image_clock(void);

// Ticks of that clock in a millisecond, at least 1.
extern const uint32_t weft_image_ticks_per_ms;

// Switches `core` on: releases its reset, calls the firmware, does the boot ROM's handshake, or whatever the chip
// wants. The core sets up what the port's weft_image.hpp lists and calls weft_port_secondary(core), sooner or later or
// never: this function does not wait for that. Called in task context and at most once per core, by two cores at the
// same time perhaps, each for another core; all earlier stores are complete (DSB). Returns 0; anything else means that
// there is no such core and never will be. An image that starts all cores by itself does nothing and returns 0 for
// those that it started.
int weft_image_power_on(uint32_t core);

// The lowest word of the stack of `core` (M profile: its main stack); nullptr: not known.
uint32_t* weft_image_stack_limit(uint32_t core);

// A misuse or a broken invariant. `task` may be nullptr. Any context, any core.
WEFT_NO_RETURN void weft_image_panic(const char* reason, uint32_t core, const void* task);

// Timers alone (WEFT_TIMERS=1), for the calling core, in task context: an interrupt when the clock (Port::now()) has
// come to `tick`; at once if it has passed, within the last 2^31 ticks. It may come early, and more than once. Its
// handler takes the request back and calls weft::Port::unpark(weft::Port::core_id()), in C weft_unpark_this_core(). The
// interrupt is not masked in tasks.
void weft_image_set_alarm(uint32_t tick);
// That interrupt is not wanted any more. One that is pending may still come.
void weft_image_clear_alarm(void);

// Given by the port: a core that was switched on comes here when its start-up is done, with interrupts as the
// entries shall find them. It waits for start_core() here, and comes back here after each entry.
WEFT_NO_RETURN void weft_port_secondary(uint32_t core);

#ifdef __cplusplus
}  // extern "C"
#endif
