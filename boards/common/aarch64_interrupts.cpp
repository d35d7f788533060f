// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: interrupts of an AArch64 board. Two are enabled: the periodic one is the EL1 virtual timer of each core,
// weft's alarm is its EL1 physical timer. With a level that preempts, one more that cores send each other.
#include "aarch64_board.hpp"
#include "aarch64_system.hpp"
#include "board.hpp"
#include "restart.hpp"
#include "weft_image.hpp"
#include "weft_port.hpp"

namespace {

constexpr uint64_t ctl_enable = 1;  // of CNTV_CTL and CNTP_CTL

// Each core's own; its interrupt handler runs on the same core, so plain words do.
struct Timer {
    void (*isr)();
    uint64_t period;
};

Timer timers[BOARD_CORES];

void serve_timer() {
    const Timer& timer = timers[weft::Port::core_id()];
    // The next deadline keeps the period; after a long stop it starts again from now.
    const uint64_t now = read_cntvct_el0();
    uint64_t deadline = read_cntv_cval_el0() + timer.period;
    if (deadline <= now) deadline = now + timer.period;
    write_cntv_cval_el0(deadline);
    instruction_barrier();  // the timer's level is down before the interrupt ends
    timer.isr();
}

}  // namespace

namespace aarch64 {

void enable_interrupts(uint32_t core) {
    write_cntv_ctl_el0(0);
    write_cntp_ctl_el0(0);
    enable_controller(core);
    enable_interrupt(alarm_interrupt);
#if WEFT_PREEMPTION
    enable_interrupt(preempt_interrupt);
#endif
#if BOARD_RESTART
    enable_interrupt(recall_interrupt);
#endif
    unmask_irqs();
}

}  // namespace aarch64

extern "C" void aarch64_interrupt() {
    const uint32_t taken = aarch64::acknowledge();
    const uint32_t interrupt = taken & aarch64::number_mask;
    if (interrupt == aarch64::spurious) return;
#if WEFT_PREEMPTION
    if (interrupt == aarch64::preempt_interrupt) {
        weft_port_preempt();
        return aarch64::end(taken);
    }
#endif
#if BOARD_RESTART
    if (interrupt == aarch64::recall_interrupt) {
        aarch64::end(taken);
        weft_port_recalled();
    }
#endif
    if (interrupt == aarch64::alarm_interrupt) {
        weft_image_clear_alarm();
        weft::Port::unpark(weft::Port::core_id());
    } else if (interrupt != aarch64::timer_interrupt) {
        weft::Port::panic("an interrupt that this board has not enabled", weft::Port::core_id(), nullptr);
    } else if ((read_cntv_ctl_el0() & ctl_enable) != 0) {  // else stopped after the interrupt was signalled
        serve_timer();
    }
    aarch64::end(taken);
}

#if WEFT_PREEMPTION
void weft_image_interrupt(uint32_t core) { aarch64::interrupt(core, aarch64::preempt_interrupt); }
#endif

// The timer's value is what is left, a number with a sign: what has passed is due at once.
void weft_image_set_alarm(uint32_t tick) {
    write_cntp_tval_el0(tick - weft::Port::now());
    write_cntp_ctl_el0(ctl_enable);
}

void weft_image_clear_alarm() {
    write_cntp_ctl_el0(0);
    instruction_barrier();  // the timer's level is down before an interrupt ends
}

namespace board {

#if BOARD_RESTART
void restart() { aarch64_restart(); }
#endif

void start_timer(uint32_t hz, void (*isr)()) {
    const uint32_t core = weft::Port::core_id();
    const uint64_t frequency = read_cntfrq_el0();
    stop_timer();
    timers[core].isr = isr;
    timers[core].period = hz != 0 && hz < frequency ? frequency / hz : 1;
    write_cntv_cval_el0(read_cntvct_el0() + timers[core].period);
    write_cntv_ctl_el0(ctl_enable);
    aarch64::enable_interrupt(aarch64::timer_interrupt);
}

void stop_timer() {
    write_cntv_ctl_el0(0);
    instruction_barrier();
    aarch64::disable_interrupt(aarch64::timer_interrupt);
}

}  // namespace board
