// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: Raspberry Pi Pico. Addresses and bits: RP2040 datasheet.
#include "board.hpp"

#include "arm_m_registers.hpp"
#include "arm_m_start.hpp"
#include "chip.hpp"
#include "pl011.hpp"
#include "weft_image.hpp"
#include "weft_port.hpp"

namespace {

constexpr uintptr_t uart0 = 0x40034000;
constexpr uint32_t baud_rate = 115'200;

// 2.3.1.3, SIO: spinlocks. A read that is not 0 has taken the lock, any write frees it.
constexpr uintptr_t spinlock31 = 0xd000017c;

// 4.6, Timer: 1 MHz, 64 bits; an alarm compares the lower 32, and each has an interrupt of its number. Alarm 0 is core
// 0's, alarm 1 core 1's. Both interrupts reach both cores; each enables its own.
constexpr uintptr_t timer_alarms = 0x40054010;
constexpr uintptr_t timer_armed = 0x40054020;
constexpr uintptr_t timer_raw_low = 0x40054028;
constexpr uintptr_t timer_requests = 0x40054034;
constexpr uintptr_t timer_enables = 0x40054038;
constexpr uintptr_t timer_forced = 0x4005403c;
constexpr uintptr_t set_bits =
    0x2000;  // a write at these distances sets or clears only the bits that are written
constexpr uintptr_t clear_bits = 0x3000;  // (2.1.2): the two cores do not get into each other's way

}  // namespace

const uint32_t weft_image_ticks_per_ms = 1000;

extern "C" {

void weft_image_lock_words(void) {
    while (read32(spinlock31) == 0) {
        // The other core has it for a dozen instructions.
    }
}

void weft_image_unlock_words(void) { write32(spinlock31, 1); }

uint32_t weft_image_clock(void) { return read32(timer_raw_low); }

void weft_image_set_alarm(uint32_t tick) {
    const uint32_t self = weft::Port::core_id();
    write32(timer_enables + set_bits, 1u << self);
    write32(timer_alarms + 4 * self, tick);  // arms it
    arm_m::write32(arm_m::nvic_iser0, 1u << self);
    // The alarm waits for this one tick: one that has passed would come in 71 minutes.
    if (static_cast<int32_t>(tick - weft_image_clock()) <= 0) write32(timer_forced + set_bits, 1u << self);
}

void weft_image_clear_alarm(void) {
    const uint32_t self = weft::Port::core_id();
    write32(timer_armed, 1u << self);
    write32(timer_forced + clear_bits, 1u << self);
    write32(timer_requests, 1u << self);
    arm_m::synchronise();  // the request is down before an interrupt ends
}

void arm_m_alarm() {
    weft_image_clear_alarm();
    weft::Port::unpark(weft::Port::core_id());
}

int weft_image_power_on(uint32_t core) {
    if (core != 1) return -1;
    return rp2040::launch_core1(reinterpret_cast<const uint32_t*>(&arm_m::vectors1)) ? 0 : -1;
}

uint32_t* weft_image_stack_limit(uint32_t core) {
    if (core == 0) return arm_m_stack0_limit;
    if (core == 1) return arm_m_stack1_limit;
    return nullptr;
}

void arm_m_board_start() {
    rp2040::start_clocks();
    // A debugger that started this image anew may have found the lock taken.
    weft_image_unlock_words();
    pl011::set_baud_rate(uart0, rp2040::clock_hz, baud_rate);
    pl011::enable(uart0);
}

}  // extern "C"

namespace board {

const char* const name = "rp2040";
const uint32_t cores = BOARD_CORES;

void put(char c) { pl011::put(uart0, c); }

// Cortex-M0+ has no counter of instructions.
uint32_t instructions() { return 0; }

}  // namespace board

namespace arm_m {

const uint32_t systick_hz = rp2040::clock_hz;

}  // namespace arm_m
