// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, ARMv7-A port: everything that the port takes from the firmware image, and the one call that it gives back: the
// items of generic/arm_image.hpp. C++, C and assembly may include this header.
//
// The image's own duties on EVERY core, before that core's first weft call:
//   - MMU and caches on, and weft's memory mapped Normal Shareable Write-Back. With the MMU off, exclusive accesses are
//     not guaranteed to work at all. Before that the core is made part of the coherent cluster: ACTLR.SMP on a
//     Cortex-A5, A7, A9, A15 and A17 (that firmware may have done), and on a Cortex-A5 and A9 the SCU is on.
//   - TPIDRPRW = the core's number, 0..n-1 (the port answers core_id() with it, in two instructions).
//   - A vector table of its own, a privileged mode with a stack; interrupts enabled or not as it likes.
//   - CLREX (or a store-exclusive to a word of no other use) before each return from an interrupt or exception. The
//     return itself leaves the exclusive monitor as it is. Without it a store-exclusive that was interrupted may
//     succeed over what the handler has stored, or with the monitor that a compare-exchange of the handler has left.
//   - No WFE in interrupt handlers: it could take the event that weft is about to wait for.
//   - The same clock on all cores: of the generic timer CNTVCT (with CNTVOFF the same on all cores), on a Cortex-A9 the
//     global timer.
// Where PSCI starts the cores, weft_image_power_on() makes the call (CPU_ON, by HVC or SMC), and returns 0 for SUCCESS.
// What the core reads before its caches are on must be in memory, not in the cache of another core: constants, or
// cleaned.
//
// Option, the same for every source of an image (C++ objects that differ in it do not link): WEFT_MAX_CORES=n, the
// largest number of cores (8).
// For in_isr() (weft's misuse checks) its IRQ entry sets bit WEFT_IN_ISR_BIT of TPIDRPRW and puts the old value back
// before it returns. If it does not, in_isr() returns false always; nothing else depends on it.
#pragma once

#define WEFT_IN_ISR_BIT 31

#ifndef __ASSEMBLER__
#include "generic/arm_image.hpp"

#ifdef __cplusplus
extern "C" {
#endif

// A level that preempts alone (WEFT_PREEMPTION=1): one interrupt that nothing else uses, an SGI of the GIC, say. It is
// the least urgent of all, so that it never comes on top of a handler, and enabled on every core before its first weft
// call. Makes it pending on `core`, which may be the calling one. Any context. All earlier stores are complete (DSB).
void weft_image_interrupt(uint32_t core);
// Given by the port, for its handler: between the acknowledgement and the end, so that it does not come again in
// between. IRQs are masked when it is called and when it returns; in between they are open, to more urgent ones. So the
// IRQ entry has stored its return state (SRS), and has changed to the mode in which tasks run. It has saved all
// registers that a function may change (those of FP and SIMD, too, if tasks of this level use them).
void weft_port_preempt(void);

#ifdef __cplusplus
}  // extern "C"
#endif
#endif
