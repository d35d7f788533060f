// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, AArch64 port: everything the port takes from the firmware image, and the one call it gives back.
// C++, C and assembly may include this header.
//
// The image's own duties on EVERY core, before it calls weft_port_secondary() or (boot core) uses weft:
//   - MMU and caches on, weft's memory mapped Normal Inner-Shareable Write-Back, and the code of
//     weft_image_secondary_start where virtual = physical. With the MMU off, exclusive accesses are not
//     guaranteed to work at all.
//   - TPIDRRO_EL0 = the core's number, 0..n-1 (the port answers core_id() with it, in one instruction).
//   - A vector table of its own; interrupts enabled or not as it likes. EL1 or EL2.
//   - CNTFRQ_EL0 set, and at EL2 CNTVOFF_EL2 the same on all cores.
// Option, the same for every source of an image (C++ objects that differ in it do not link): WEFT_MAX_CORES=n, the
// largest number of cores (16).
// For in_isr() (weft's misuse checks) its IRQ entry sets bit WEFT_IN_ISR_BIT of TPIDRRO_EL0 and puts the old
// value back before ERET. If it does not, in_isr() returns false always; nothing else depends on it.
#pragma once

#define WEFT_IN_ISR_BIT 32

#ifndef __ASSEMBLER__

#include <stdint.h>

#include "generic/in_c.hpp"

#ifdef __cplusplus
extern "C" {
#endif

// "undefined reference to weft_image_...", says the linker: the image has not defined that one yet; or it has, without
// this header, and then only that file knows its name.

// The lowest word of the stack of `core`; nullptr: not known.
uint32_t* weft_image_stack_limit(uint32_t core);

// A misuse or a broken invariant. `task` may be nullptr. Any context, any core.
WEFT_NO_RETURN void weft_image_panic(const char* reason, uint32_t core, const void* task);

// The affinity of `core` as in MPIDR_EL1: bits 39..32 and 23..0, all others 0. For a core that this chip does
// not have: any value that belongs to none.
uint64_t weft_image_mpidr(uint32_t core);

// How this image reaches PSCI. `none`: there is no PSCI; then the image powers cores on itself, in the function below.
#ifdef __cplusplus
enum weft_psci_conduit : uint32_t
#else
typedef uint32_t weft_psci_conduit;
enum
#endif
{
    weft_psci_none,
    weft_psci_hvc,
    weft_psci_smc
};
weft_psci_conduit weft_image_psci_conduit(void);

// Without PSCI alone, and optional: switches `core` on, by a spin table, a reset controller, or whatever the chip has.
// The core sets itself up and calls weft_port_secondary(core), sooner or later or never: this function does not wait
// for that. Called in task context, by two cores at the same time perhaps, each for another core; once for a core that
// comes; all earlier stores are complete (DSB ISH). Answers: comes; absent: there is no such core; refused (or any
// other number): not now, or it runs already, as the boot core does. These are PSCI's own numbers.
// An image that has not this function brings all cores up by itself; start_core() finds those that have entered
// weft_port_secondary(), and refuses the others.
#ifdef __cplusplus
enum weft_power : int32_t
#else
enum weft_power
#endif
{
    weft_power_comes = 0,
    weft_power_absent = -2,
    weft_power_refused = -3
};
int32_t weft_image_power_on(uint32_t core);

// Where PSCI CPU_ON enters, MMU off, x0 = the core's number: assembly of the image. Sets TPIDRRO_EL0, stack,
// MMU and caches, vectors; then calls weft_port_secondary(core). What it reads before its caches are on must
// be in memory, not in the cache of another core: constants, or cleaned. With WEFT_POWER_OFF=1 it is entered again each
// time that a core is switched on. A core that is off takes no interrupts. The image does not switch it on by itself.
void weft_image_secondary_start(void);

// Timers alone (WEFT_TIMERS=1), for the calling core, in task context: an interrupt when the clock (Port::now()) has
// come to `tick`; at once if it has passed, within the last 2^31 ticks. It may come early, and more than once. Its
// handler takes the request back and calls weft::Port::unpark(weft::Port::core_id()), in C weft_unpark_this_core(). The
// interrupt is not masked in tasks.
void weft_image_set_alarm(uint32_t tick);
// That interrupt is not wanted any more. One that is pending may still come.
void weft_image_clear_alarm(void);

// A level that preempts alone (WEFT_PREEMPTION=1): one interrupt that nothing else uses, an SGI, say. It is the least
// urgent of all, so that it never comes on top of a handler, and enabled on every core before its first weft call.
// Makes it pending on `core`, which may be the calling one. Any context. All earlier stores are complete (DSB ISH).
void weft_image_interrupt(uint32_t core);
// Given by the port, for its handler: between the acknowledgement and the end, so that it does not come again in
// between. Interrupts are masked when it is called and when it returns; in between they are open, to more urgent ones.
// The IRQ entry has saved all registers that a function may change (those of FP and SIMD, too, if tasks of this level
// use them). ELR, SPSR and the mark of in_isr() are kept here.
void weft_port_preempt(void);

// A restart of core 0 alone (docs/RESTART.md), in images with PSCI that want it; else none of this is linked.
// Given by the port, for start-up code of core 0, which has set up MMU, caches and stack as above but has not touched
// .data and .bss, and is called from nowhere else: has each other core leave what it is in, and switch itself off.
// Returns how many have not by then, `ticks` of Port::now() later: docs/RESTART.md, 2.1, says what that means. 0: all
// others are off.
uint32_t weft_port_recall(uint32_t ticks);
// The image's, for that: makes an interrupt pending on `core`, again and again until it is off. One that nothing else
// uses, an SGI, say; enabled on every core from its start on; more urgent than all whose handlers open interrupts (a
// level that preempts). Uses no memory that is not constant. The start-up code of a core takes back one that is pending
// from before, and all that are active.
void weft_image_recall(uint32_t core);
// Given by the port, for its handler, after the interrupt's end, with interrupts masked.
WEFT_NO_RETURN void weft_port_recalled(void);

// Given by the port. The core waits here for start_core() and comes back here after each entry.
WEFT_NO_RETURN void weft_port_secondary(uint32_t core);

#ifdef WEFT_PARK_WFI_IMAGE
// Parking by WFI with an interrupt controller that is no GICv3: one interrupt for each core that any core can make
// pending and that stays so (a mailbox, say). It is the image's, and nothing else uses it. These four calls reach it,
// by accesses to Device memory, or whatever they use they complete it. Interrupts are masked in the last three, which
// the core calls for itself; `core` is its number.
void weft_image_event_send(uint32_t core);    // makes it pending; any core, any context
void weft_image_event_enable(uint32_t core);  // it ends a WFI from here on. At the start it is disabled
void weft_image_event_disable(
    uint32_t core);  // done when it returns: then interrupts are unmasked, and it must not come
void weft_image_event_clear(uint32_t core);  // not pending any more; ends in a read of what it has written to
#elif defined(WEFT_PARK_WFI)
// Parking by WFI needs one SGI of a GICv3 (system registers on) that nothing else uses. The image puts it in
// Group 1, gives it a priority that passes ICC_PMR_EL1, sets ICC_IGRPEN1_EL1, wakes the redistributor, and
// leaves this SGI DISABLED: the port enables it only while the core sleeps with interrupts masked, so that
// the image never takes it.
extern const uint32_t weft_image_park_sgi;  // 0..15

// The redistributor's RD_base frame (its SGI frame is 64 KiB above) of `core`, in Device memory. Called by
// that core, at each park.
uintptr_t weft_image_redistributor(uint32_t core);
#endif

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // __ASSEMBLER__
