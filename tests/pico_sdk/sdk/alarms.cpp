// SPDX-License-Identifier: MIT OR Apache-2.0
// A stand-in for the Pico SDK (pico_sdk_init.cmake): the timer and its four alarms. RP2040 datasheet, 4.6. An alarm is
// its claimer's alone, and here used by the core that gave it its callback.
#include "hardware/timer.h"
#include "mmio.hpp"
#include "sdk.hpp"

namespace {

constexpr uintptr_t timer = 0x40054000;
constexpr uintptr_t alarm0 = timer + 0x10;
constexpr uintptr_t armed = timer + 0x20;
constexpr uintptr_t raw_high = timer + 0x24;
constexpr uintptr_t raw_low = timer + 0x28;
constexpr uintptr_t requests = timer + 0x34;
constexpr uintptr_t enables = timer + 0x38;
constexpr uintptr_t set_bits = 0x2000;
constexpr uintptr_t interrupt_enable = 0xe000e100;  // NVIC_ISER, of each core
constexpr uint alarms = 4;

uint32_t claimed;
hardware_alarm_callback_t callbacks[alarms];
volatile bool wanted[alarms];

}  // namespace

extern "C" {

void stub_alarm_interrupt() {
    uint32_t number;
    asm volatile("mrs %0, ipsr" : "=r"(number));
    const uint alarm = number - 16;
    write32(requests, 1u << alarm);
    asm volatile("dsb" ::: "memory");
    if (!wanted[alarm]) return;
    wanted[alarm] = false;
    callbacks[alarm](alarm);
}

uint32_t time_us_32(void) { return read32(raw_low); }

uint64_t time_us_64(void) {
    for (;;) {
        const uint32_t high = read32(raw_high);
        const uint32_t low = read32(raw_low);
        if (read32(raw_high) == high) return (static_cast<uint64_t>(high) << 32) | low;
    }
}

int hardware_alarm_claim_unused(bool required) {
    for (uint alarm = 0; alarm < alarms; ++alarm) {
        if ((claimed & (1u << alarm)) == 0) {
            claimed |= 1u << alarm;
            return static_cast<int>(alarm);
        }
    }
    if (required) panic("No timers available");
    return -1;
}

bool hardware_alarm_is_claimed(uint alarm) { return (claimed & (1u << alarm)) != 0; }

void hardware_alarm_set_callback(uint alarm, hardware_alarm_callback_t callback) {
    callbacks[alarm] = callback;
    write32(enables + set_bits, 1u << alarm);
    write32(interrupt_enable, 1u << alarm);
}

// True: it is too late, and there will be no call.
bool hardware_alarm_set_target(uint alarm, absolute_time_t target) {
    wanted[alarm] = true;
    write32(alarm0 + 4 * alarm, static_cast<uint32_t>(target));  // arms it
    if (time_us_64() < target) return false;
    hardware_alarm_cancel(alarm);
    return true;
}

void hardware_alarm_cancel(uint alarm) {
    wanted[alarm] = false;
    write32(armed, 1u << alarm);
}

}  // extern "C"
