// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the SSE-200 subsystem, two Cortex-M33. Everything runs in Secure state. Addresses: SSE-200 TRM (101104),
// "Programmers model".
#include "board.hpp"

#include <stdint.h>

#include "arm_m_registers.hpp"
#include "arm_m_start.hpp"
#include "cmsdk_uart.hpp"
#include "sse200.hpp"
#include "weft_image.hpp"
#include "weft_port.hpp"

namespace {

constexpr uint32_t core_count = 2;
constexpr uint32_t baud_rate = 115'200;

// System Control Register Block: where core 1 starts, and what keeps it from starting.
constexpr uintptr_t initsvtor1 = 0x50021114;
constexpr uintptr_t cpuwait = 0x50021118;
constexpr uint32_t cpuwait_core1 = 1u << 1;

// Timer 1 of the CMSDK dual timer (DDI0479, "APB dual-input timers"): counts down, 32 bits, free-running.
constexpr uintptr_t timer1load = 0x50002000;
constexpr uintptr_t timer1value = 0x50002004;
constexpr uintptr_t timer1control = 0x50002008;
constexpr uint32_t timer_enable = 1u << 7;
constexpr uint32_t timer_32_bits = 1u << 1;

// The CMSDK timers 0 and 1 (DDI0479, "APB timer"), one for each core: they count down to 0, 32 bits. Both interrupts
// reach both cores; each enables its own.
constexpr uintptr_t alarms = 0x50000000;
constexpr uintptr_t alarm_bytes = 0x1000;
constexpr uintptr_t alarm_control = 0x0;
constexpr uintptr_t alarm_value = 0x4;
constexpr uintptr_t alarm_reload = 0x8;
constexpr uintptr_t alarm_clear = 0xc;
constexpr uint32_t alarm_enable = 1u << 0;
constexpr uint32_t alarm_interrupt_enable = 1u << 3;
constexpr uint32_t alarm_interrupt = 3;  // of core 0; core 1 has the next one

#if WEFT_PREEMPTION
// The message handling unit 0 ("MHU"): a word of bits for each core, which interrupts it while one is set.
constexpr uintptr_t doorbells = 0x50003000;
constexpr uintptr_t doorbell_bytes = 0x10;
constexpr uintptr_t doorbell_set = 0x4;
constexpr uintptr_t doorbell_clear = 0x8;
#endif

uintptr_t own_alarm() { return alarms + alarm_bytes * weft::Port::core_id(); }

}  // namespace

extern "C" {

void weft_image_set_alarm(uint32_t tick) {
    const uintptr_t alarm = own_alarm();
    arm_m::write32(alarm + alarm_control, 0);
    const uint32_t left = tick - weft::Port::now();
    const uint32_t ticks = static_cast<int32_t>(left) <= 0 ? 1 : left;  // a timer that begins with 0 stands
    arm_m::write32(alarm + alarm_reload, ticks);
    arm_m::write32(alarm + alarm_value, ticks);
    arm_m::write32(alarm + alarm_control, alarm_enable | alarm_interrupt_enable);
    arm_m::write32(arm_m::nvic_iser0, 1u << (alarm_interrupt + weft::Port::core_id()));
}

void weft_image_clear_alarm(void) {
    arm_m::write32(own_alarm() + alarm_control, 0);
    arm_m::write32(own_alarm() + alarm_clear, 1);
    arm_m::synchronise();  // the request is down before an interrupt ends
}

void arm_m_alarm() {
    weft_image_clear_alarm();
    weft::Port::unpark(weft::Port::core_id());
}

#if WEFT_PREEMPTION
void weft_image_interrupt(uint32_t core) {
    arm_m::write32(doorbells + doorbell_bytes * core + doorbell_set, 1);
}

void arm_m_doorbell() {
    arm_m::write32(doorbells + doorbell_bytes * weft::Port::core_id() + doorbell_clear, 1);
    weft_port_doorbell();
}
#endif

uint32_t weft_image_clock(void) {
    return ~arm_m::read32(timer1value);  // the counter goes down from 0xffffffff: this goes up from 0
}

int weft_image_power_on(uint32_t core) {
    if (core == 0 || core >= core_count) return -1;
    arm_m::write32(initsvtor1, static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&arm_m::vectors1)));
    arm_m::write32(cpuwait, arm_m::read32(cpuwait) & ~cpuwait_core1);
    return 0;
}

uint32_t* weft_image_stack_limit(uint32_t core) {
    if (core == 0) return arm_m_stack0_limit;
    if (core == 1) return arm_m_stack1_limit;
    return nullptr;
}

void arm_m_board_start() {
    cmsdk_uart::start(sse200::uart, arm_m::systick_hz / baud_rate);
    arm_m::write32(timer1control, 0);
    arm_m::write32(timer1load, 0xffffffff);
    arm_m::write32(timer1control, timer_enable | timer_32_bits);
}

}  // extern "C"

namespace board {

const uint32_t cores = BOARD_CORES;

void put(char c) { cmsdk_uart::put(sse200::uart, c); }

// The emulator has no instruction counter for M-profile cores (no DWT), and its timers are too coarse.
uint32_t instructions() { return 0; }

}  // namespace board
