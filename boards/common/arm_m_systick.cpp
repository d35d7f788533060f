// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the periodic interrupt of M-profile boards: SysTick, which every core has for itself.
#include <weft/port.hpp>

#include "arm_m_registers.hpp"
#include "arm_m_start.hpp"
#include "board.hpp"

namespace {

// Written and called by the same core: program order is enough. Volatile: the reader is an interrupt.
void (*volatile handlers[weft::Port::max_cores])();

}  // namespace

namespace board {

void start_timer(uint32_t hz, void (*isr)()) {
    uint32_t period = arm_m::systick_hz / (hz == 0 ? 1 : hz);
    if (period > arm_m::syst_period_max) period = arm_m::syst_period_max;
    if (period < 2) period = 2;  // a reload value of 0 stops the counter
    stop_timer();
    handlers[weft::Port::core_id()] = isr;
    arm_m::write32(arm_m::syst_rvr, period - 1);
    arm_m::write32(arm_m::syst_cvr, 0);  // any write clears the counter: a full period from here
    arm_m::write32(arm_m::syst_csr,
                   arm_m::syst_csr_enable | arm_m::syst_csr_tickint | arm_m::syst_csr_clksource_core);
}

void stop_timer() {
    arm_m::write32(arm_m::syst_csr, 0);
    arm_m::synchronise();  // from here on the timer requests nothing; a request may be pending still
    arm_m::write32(arm_m::icsr, arm_m::icsr_pendstclr);
    arm_m::synchronise();  // and none is taken after this
}

}  // namespace board

extern "C" void arm_m_systick() { handlers[weft::Port::core_id()](); }
