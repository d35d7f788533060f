// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, ARMv7-A port: starting cores; a level that preempts.
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

#if WEFT_ARMV7A_PREEMPTS
namespace {

void (*volatile preempt)();  // the same in all calls

}  // namespace

// DSB: the handler, and what this core has stored before, are visible to all cores before the request exists.
void Port::interrupt(uint32_t core, void (*handler)()) {
    preempt = handler;
    asm volatile("dsb ish" ::: "memory");
    weft_image_interrupt(core);
}
#endif

}  // namespace weft

#if WEFT_ARMV7A_PREEMPTS
// DSB: the acknowledgement comes before the handler's look. So a request that it has taken along is seen, and a later
// one is pending.
extern "C" void weft_port_preempt() {
    uint32_t mark;
    asm volatile("mrc p15, 0, %0, c13, c0, 4" : "=r"(mark) : : "memory");
    asm volatile("dsb sy\n\tmcr p15, 0, %0, c13, c0, 4\n\tcpsie i"
                 :
                 : "r"(mark & ~(1u << WEFT_IN_ISR_BIT))
                 : "memory");
    weft::preempt();
    asm volatile("cpsid i\n\tmcr p15, 0, %0, c13, c0, 4" : : "r"(mark) : "memory");
}
#endif

extern "C" [[noreturn]] void weft_port_secondary(uint32_t core) {
    using weft::Port;
    if (core >= Port::max_cores || core != Port::core_id()) {
        Port::panic("weft: TPIDRPRW is not the core's number", core, nullptr);
    }
    weft::cores.wait(core);
}
