// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: interrupts and time of an ARMv7-A board with a GICv2 and the generic timer. Two interrupts are enabled:
// weft's alarm is the virtual timer of each core, the periodic one of the tests is its physical timer. Registers of the
// GIC: Arm IHI0048, chapter 4; those of the first 32 interrupts are each core's own.
#include "armv7a_board.hpp"
#include "armv7a_system.hpp"
#include "board.hpp"
#include "weft_image.hpp"
#include "weft_port.hpp"

namespace {

using namespace armv7a;

constexpr uintptr_t gicd_ctlr = 0x000;
constexpr uintptr_t gicd_isenabler0 = 0x100;
constexpr uintptr_t gicd_icenabler0 = 0x180;
constexpr uintptr_t gicd_icpendr0 = 0x280;
constexpr uintptr_t gicd_ipriorityr0 = 0x400;
constexpr uintptr_t gicc_ctlr = 0x000;
constexpr uintptr_t gicc_pmr = 0x004;
constexpr uintptr_t gicc_iar = 0x00c;
constexpr uintptr_t gicc_eoir = 0x010;

constexpr uint32_t enable = 1;  // of GICD_CTLR and GICC_CTLR
constexpr uint32_t all = 0xffffffff;
constexpr uint32_t middle_priority = 0x80808080;  // four interrupts per word
constexpr uint32_t lowest_priority = 0xff;
constexpr uint32_t number_mask = 0x3ff;
constexpr uint32_t spurious = 1020;  // and above: nothing to serve

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

void enable_distributor() { write32(distributor + gicd_ctlr, enable); }

void enable_interrupts() {
    write_cntv_ctl(0);
    write_cntp_ctl(0);
    write32(distributor + gicd_icenabler0, all);
    write32(distributor + gicd_icpendr0, all);
    for (uintptr_t word = 0; word < 8; ++word) {
        write32(distributor + gicd_ipriorityr0 + 4 * word, middle_priority);
    }
    write32(distributor + gicd_isenabler0, 1u << alarm_interrupt);
    write32(cpu_interface + gicc_pmr, lowest_priority);
    write32(cpu_interface + gicc_ctlr, enable);
    unmask_irqs();
}

}  // namespace armv7a

extern "C" {

void armv7a_interrupt() {
    const uint32_t acknowledged = read32(cpu_interface + gicc_iar);
    const uint32_t interrupt = acknowledged & number_mask;
    if (interrupt >= spurious) return;
    if (interrupt == alarm_interrupt) {
        weft_image_clear_alarm();
        weft::Port::unpark(weft::Port::core_id());
    } else if (interrupt != timer_interrupt) {
        weft::Port::panic("an interrupt that this board has not enabled", weft::Port::core_id(), nullptr);
    } else if ((read_cntp_ctl() & timer_enable) != 0) {  // else stopped after the interrupt was signalled
        serve_timer();
    }
    write32(cpu_interface + gicc_eoir, acknowledged);
}

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
    write32(distributor + gicd_isenabler0, 1u << timer_interrupt);
}

void stop_timer() {
    write_cntp_ctl(0);
    instruction_barrier();
    write32(distributor + gicd_icenabler0, 1u << timer_interrupt);
}

}  // namespace board
