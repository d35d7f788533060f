// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, template of a port: what the port takes from the firmware image, and the one call that it gives back.
// Keep these names where they fit (every port uses them), add what the machine needs, and say for each item
// which core calls it, in which context, and what may already be relied on. The README row of the port lists
// this file.
//
// Begin with the image's duties on every core: stack, vectors, memory attributes that make atomics work,
// registers that the port reads, interrupts or devices that the port keeps for itself.
//
// The placeholder bodies of this template use none of these: it links without an image.
#pragma once

#include <stdint.h>

#include "generic/in_c.hpp"

#ifdef __cplusplus
extern "C" {
#endif

// "undefined reference to weft_image_...", says the linker: the image has not defined that one yet; or it has, without
// this header, and then only that file knows its name.

// Ticks of the port's clock in a millisecond, at least 1. Only if the hardware cannot be asked.
extern const uint32_t weft_image_ticks_per_ms;

// The lowest word of the stack of `core`; nullptr: not known.
uint32_t* weft_image_stack_limit(uint32_t core);

// A misuse or a broken invariant. `task` may be nullptr. Any context, any core.
WEFT_NO_RETURN void weft_image_panic(const char* reason, uint32_t core, const void* task);

// Where a core enters that is switched on with an address (assembly of the image): it does the duties above
// and calls weft_port_secondary(core).
void weft_image_secondary_start(void);

// Optional, in a source of its own (restart.cpp): weft_port_recall() and its kin, for a restart of core 0 alone
// (docs/RESTART.md). A port without them says there what its images do instead.

// Given by the port. The core waits here for start_core() and comes back here after each entry.
WEFT_NO_RETURN void weft_port_secondary(uint32_t core);

#ifdef __cplusplus
}  // extern "C"
#endif
