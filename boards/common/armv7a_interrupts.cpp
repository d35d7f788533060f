// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: interrupts and time of an ARMv7-A board with a GICv2 and the generic timer. Two interrupts are enabled:
// weft's alarm is the virtual timer of each core, the periodic one of the tests is its physical timer. With a level
// that preempts, also an SGI.
#include "armv7a_board.hpp"
#include "armv7a_system.hpp"
#include "board.hpp"
#include "gicv2.hpp"
#include "weft_image.hpp"
#include "weft_port.hpp"

namespace {

using namespace armv7a;

constexpr uint32_t timer_enable = 1;  // of CNTV_CTL and CNTP_CTL

// Each core's own; its interrupt handler runs on the same core, so plain words do.
struct Timer {
    void (*isr)();
    uint32_t period;
};

Timer timers[BOARD_CORES];

void serve_timer() {
    const Timer& timer = timers[weft::Port::core_id()];
    // What is left is negative by now. The next deadline keeps the period; after a long stop it starts again from now.
    const uint32_t left = read_cntp_tval() + timer.period;
    write_cntp_tval(static_cast<int32_t>(left) > 0 ? left : timer.period);
    instruction_barrier();  // the timer's level is down before the interrupt ends
    timer.isr();
}

}  // namespace

namespace armv7a {

void enable_interrupts() {
    write_cntv_ctl(0);
    write_cntp_ctl(0);
    gicv2::enable_core();
    gicv2::enable_private(alarm_interrupt);
#if WEFT_PREEMPTION
    gicv2::enable_private(gicv2::low_sgi);
#endif
    unmask_irqs();
}

}  // namespace armv7a

extern "C" {

void armv7a_interrupt() {
    const uint32_t taken = gicv2::acknowledge();
    const uint32_t interrupt = taken & gicv2::number_mask;
    if (interrupt == gicv2::spurious) return;
#if WEFT_PREEMPTION
    if (interrupt == gicv2::low_sgi) {
        weft_port_preempt();
        return gicv2::end(taken);
    }
#endif
    if (interrupt == alarm_interrupt) {
        weft_image_clear_alarm();
        weft::Port::unpark(weft::Port::core_id());
    } else if (interrupt != timer_interrupt) {
        weft::Port::panic("an interrupt that this board has not enabled", weft::Port::core_id(), nullptr);
    } else if ((read_cntp_ctl() & timer_enable) != 0) {  // else stopped after the interrupt was signalled
        serve_timer();
    }
    gicv2::end(taken);
}

#if WEFT_PREEMPTION
void weft_image_interrupt(uint32_t core) { gicv2::send_sgi(core, gicv2::low_sgi); }
#endif

// The timer's value is what is left, a number with a sign: what has passed is due at once.
void weft_image_set_alarm(uint32_t tick) {
    write_cntv_tval(tick - weft_image_clock());
    write_cntv_ctl(timer_enable);
}

void weft_image_clear_alarm() {
    write_cntv_ctl(0);
    instruction_barrier();  // the timer's level is down before an interrupt ends
}

uint32_t weft_image_clock() { return read_cntvct(); }

}  // extern "C"

namespace board {

void start_timer(uint32_t hz, void (*isr)()) {
    const uint32_t core = weft::Port::core_id();
    const uint32_t frequency = read_cntfrq();
    stop_timer();
    timers[core].isr = isr;
    timers[core].period = hz != 0 && hz < frequency ? frequency / hz : 1;
    write_cntp_tval(timers[core].period);
    write_cntp_ctl(timer_enable);
    gicv2::enable_private(timer_interrupt);
}

void stop_timer() {
    write_cntp_ctl(0);
    instruction_barrier();
    gicv2::disable_private(timer_interrupt);
}

}  // namespace board
