// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, template of a port: copy this directory to port/<arch>/ and replace each body that is marked
// PLACEHOLDER. The contract is in include/weft/port.hpp; tests/conformance says whether a port keeps it.
//
// As it stands it compiles everywhere and is true for one core: that core never sleeps, no other core ever
// starts, and time is a count of calls. Nothing in here pretends more.
//
// A port may include <stdint.h>, <stddef.h>, weft/order.hpp and port/generic/, nothing else. It never calls
// the scheduler. What it needs from the firmware it declares in weft_image.hpp, with a comment per item.
#pragma once

#include <stdint.h>

#include "generic/atomic_builtins.hpp"
#include "weft_image.hpp"

// PLACEHOLDER: a plain token, the port's own. It becomes part of weft's inline namespace, so that objects
// which were built for two ports do not link. Settings of the port that change what objects agree on join it, by
// WEFT_NAMED (generic/name.hpp).
#define WEFT_PORT_NAME port_template

namespace weft {

// Words: generic::BuiltinWords does where the compiler expands __atomic operations on 32-bit and
// pointer-sized words into instructions (look for calls of __atomic_* or __sync_* in the disassembly). A
// machine without LL/SC or compare-and-swap brings its own Atomic<T>, in which EVERY write, a plain store
// too, takes the same lock with interrupts masked; Published<T> and Plain<T> stay as they are.
inline namespace WEFT_PORT_NAME {

struct Port : generic::BuiltinWords {
    // started: entry(arg) will be called unless cancel_start() is in time. refused: not now. absent: never.
    enum class Start { started, refused, absent };

    // PLACEHOLDER: the largest number of cores. The port keeps something small for each.
    static constexpr uint32_t max_cores = 4;

    // PLACEHOLDER: the coherence granule: words of two cores do not share one. 8 without coherent caches.
    static constexpr uint32_t cache_line = 64;

    // PLACEHOLDER: the number of the calling core, 0..n-1 without gaps, constant, from any context. One or
    // two instructions: it is called for every task. Hardware numbers with gaps are mapped by the image, once
    // per core, into a register that nothing else uses.
    [[gnu::always_inline]] static uint32_t core_id() { return 0; }

    // The full barrier: earlier stores before later loads, on both sides of a store-buffering pair. The
    // builtin is right on every machine where it becomes an instruction; check that it does.
    [[gnu::always_inline]] static void fence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

    // PLACEHOLDER: stands in every spin loop: the machine's "I am only waiting" hint (YIELD, PAUSE). Must let
    // the other cores run where an emulator gives them turns.
    [[gnu::always_inline]] static void relax() { asm volatile("" ::: "memory"); }

    // PLACEHOLDER: sleep until this core's event is set, then clear it; return at once if it is set already.
    // An early return is allowed, a late one is not: an unpark() between the caller's last look and the
    // sleeping instruction must end the sleep. What makes it so is named in a comment here (ARM: the sticky
    // event register. WFI: the interrupt is pending while masked, and is cleared BEFORE the caller looks
    // again, never between look and WFI). After it a barrier that orders later loads after the wake; the
    // sleeping instruction itself orders none. No store and no exclusive access before the sleep: on some
    // chips they set the event. No monitor armed either, as a compare-exchange that failed leaves it: WFE then may
    // not sleep (ARM: CLREX before the WFE). Returning at once is allowed, too, and burns energy.
    [[gnu::always_inline]] static void park() { asm volatile("" ::: "memory"); }

    // PLACEHOLDER: set the event of `core`; more cores may wake, too. Any context, also ISRs, also for the
    // calling core. Sticky, not counted. First a barrier that COMPLETES all earlier stores (ARM: DSB before
    // SEV; RISC-V: FENCE w,o before the store to the device), because the event does not travel through
    // memory.
    [[gnu::always_inline]] static void unpark(uint32_t) { asm volatile("" ::: "memory"); }

    // PLACEHOLDER: true in an interrupt or exception handler. Where the hardware cannot tell: false.
    [[gnu::always_inline]] static bool in_isr() { return false; }

    // In port.cpp, because they are not called often; now() belongs in here when it is one instruction.
    static uint32_t now();
    static uint32_t ticks_per_ms();
    static Start start_core(uint32_t core, void (*entry)(void*), void* arg);
    static bool cancel_start(uint32_t core, void* arg);
    static void vacate();
    static uint32_t* stack_limit();
    [[noreturn]] static void panic(const char* reason, uint32_t core, const void* task);
};

}  // namespace WEFT_PORT_NAME

}  // namespace weft
