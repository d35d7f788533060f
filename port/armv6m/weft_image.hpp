// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, ARMv6-M port: everything that the port takes from the firmware image, and the one call that it gives back: the
// items of generic/arm_image.hpp, and the three below.
//
// The image's own duties on EVERY core, before that core's first weft call:
//   - A main stack and a vector table. weft uses no exception. It holds interrupts off (PRIMASK) while it changes one
//     shared word, and leaves PRIMASK as it was.
//   - No call of weft in a handler of NMI or HardFault: PRIMASK does not hold those off. One that comes while its own
//     core has the lock would wait for itself. (A panic in HardFault: unlock the words first, then report.)
//   - No WFE in interrupt handlers: it could take the event that weft is about to wait for.
// Option, the same for every source of an image (C++ objects that differ in it do not link): WEFT_MAX_CORES=n, the
// largest number of cores (4).
#pragma once

#include <stdint.h>

#include "generic/arm_image.hpp"

#ifdef __cplusplus
extern "C" {
#endif

// The register that tells the core that reads it its number: 0, 1, ... This is no variable: the linker script
// (or --defsym) puts the symbol on the register.
//     weft_image_core_id = 0xd0000000;       RP2040: SIO, CPUID
// An image for a chip with one core defines it: extern "C" const volatile uint32_t weft_image_core_id = 0;
extern const volatile uint32_t weft_image_core_id;

// The lock of the words that several cores write: one for the whole image. The port calls both with interrupts held
// off, lock first, then unlock on the same core a dozen instructions later; any context but NMI and HardFault. The lock
// need not order memory: the port's barriers stand between it and the word. No WFE in it. Nothing else may take it for
// longer than a few instructions, and only with interrupts held off.
//     RP2040: read an SIO spinlock register until it is not 0; write anything to it.
// An image for a chip with one core defines both, with nothing in them.
void weft_image_lock_words(void);
void weft_image_unlock_words(void);

#ifdef __cplusplus
}  // extern "C"
#endif
