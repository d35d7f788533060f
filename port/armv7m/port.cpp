// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, ARMv7-M / ARMv8-M port: starting cores, and parking.
#include <weft/port.hpp>

#include "generic/switched_cores.hpp"

namespace weft {
namespace {

generic::SwitchedCores<Port> cores;

}  // namespace

Port::Start Port::start_core(uint32_t core, void (*entry)(void*), void* arg) {
    return cores.start(core, entry, arg);
}

bool Port::cancel_start(uint32_t core, void* arg) { return cores.cancel(core, arg); }

void Port::vacate() { cores.vacate(); }

#if WEFT_QUIESCE
uint32_t Port::pen_turn(uint32_t core) { return cores.pen_turn(core); }
#endif

// The sticky event is the core's Event Register: an SEV before the WFE makes the WFE return at once. It
// is also set by each exception return on this core, so an ISR that ran before the WFE is never slept
// over, and has any value out of reset: early returns. No exclusive access in here: on some chips they
// set it too (RP2350).
// First DSB: this core's stores are complete before its clock may stop (Arm application note 321).
// Second DSB: it orders the loads that follow. WFE is no memory access, so a DMB would not tie them to
// it, but no instruction after a DSB executes before the DSB is complete, and the DSB does not execute
// while the WFE suspends execution. A later load is thus later than the SEV, and that than the waker's
// stores (its DSB).
// CLREX: a compare-exchange that failed has loaded exclusively and stored nothing. While the monitor is armed
// somebody else's store may end the sleep, and QEMU 11 does not sleep at all. It clears the local monitor and makes no
// access, so it sets no event where accesses do (RP2350, whose other monitor is at the bus).
void Port::park() { asm volatile("clrex\n\tdsb\n\twfe\n\tdsb" ::: "memory"); }

#if WEFT_ARMV7M_PREEMPTS
namespace {

void (*volatile preempt)();  // the same in all calls

// ICSR.PENDSVSET (DDI0403 and DDI0553, "Interrupt Control and State Register"): it reads as pending, and is taken as
// soon as no handler and no mask is in the way.
void pend() {
    *reinterpret_cast<volatile uint32_t*>(uintptr_t{0xe000ed04}) = 1u << 28;
    asm volatile("dsb\n\tisb" ::: "memory");  // in task context it has come when this returns
}

}  // namespace

// First DSB: the handler, and what this core has stored before, are visible to all cores before the doorbell rings.
void Port::interrupt(uint32_t core, void (*handler)()) {
    preempt = handler;
    if (core == core_id()) return pend();
    asm volatile("dsb" ::: "memory");
    weft_image_interrupt(core);
}
#endif

}  // namespace weft

#if WEFT_ARMV7M_PREEMPTS
extern "C" void weft_port_doorbell() { weft::pend(); }
extern "C" void weft_port_pendsv() { weft::preempt(); }
#endif

extern "C" [[noreturn]] void weft_port_secondary(uint32_t core) {
    using weft::Port;
#if WEFT_CHECKS
    if (core >= Port::max_cores || core != Port::core_id()) {
        Port::panic("weft: not the calling core", core, nullptr);
    }
#endif
    weft::cores.wait(core);
}
