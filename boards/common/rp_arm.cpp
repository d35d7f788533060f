// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: RP2040, and the Arm cores of RP2350: what they ask of an image. Addresses: the board's chip.hpp.
#include "arm_m_registers.hpp"
#include "arm_m_start.hpp"
#include "board.hpp"
#include "chip.hpp"
#include "rp_chip.hpp"
#include "weft_image.hpp"
#include "weft_port.hpp"

namespace {

// A write at these distances sets or clears only the bits that are written (2.1.2): the two cores do not get into each
// other's way.
constexpr uintptr_t set_bits = 0x2000;
constexpr uintptr_t clear_bits = 0x3000;

}  // namespace

const uint32_t weft_image_ticks_per_ms = 1000;

extern "C" {

uint32_t weft_image_clock(void) { return read32(chip::timer_raw_low); }

void weft_image_set_alarm(uint32_t tick) {
    const uint32_t self = weft::Port::core_id();
    write32(chip::timer_enables + set_bits, 1u << self);
    write32(chip::timer_alarms + 4 * self, tick);  // arms it
    arm_m::write32(arm_m::nvic_iser0, 1u << self);
    // The alarm waits for this one tick: one that has passed would come in 71 minutes.
    if (static_cast<int32_t>(tick - weft_image_clock()) <= 0) {
        write32(chip::timer_forced + set_bits, 1u << self);
    }
}

void weft_image_clear_alarm(void) {
    const uint32_t self = weft::Port::core_id();
    write32(chip::timer_armed, 1u << self);
    write32(chip::timer_forced + clear_bits, 1u << self);
    write32(chip::timer_requests, 1u << self);
    arm_m::synchronise();  // the request is down before an interrupt ends
}

void arm_m_alarm() {
    weft_image_clear_alarm();
    weft::Port::unpark(weft::Port::core_id());
}

int weft_image_power_on(uint32_t core) {
    if (core != 1) return -1;
    const uint32_t* const table = reinterpret_cast<const uint32_t*>(&arm_m::vectors1);
    return rp::launch_core1(reinterpret_cast<uintptr_t>(table), table[0], table[1]) ? 0 : -1;
}

uint32_t* weft_image_stack_limit(uint32_t core) {
    if (core == 0) return arm_m_stack0_limit;
    if (core == 1) return arm_m_stack1_limit;
    return nullptr;
}

void arm_m_board_start() {
    rp::start_clocks();
#if __ARM_ARCH < 7
    weft_image_unlock_words();  // a debugger that started this image anew may have found the lock taken
#endif
}

}  // extern "C"

namespace board {

const uint32_t cores = BOARD_CORES;

void put(char c) { rp::put(c); }

// Cortex-M0+ has no counter of instructions, and the Cortex-M33 one that counts time.
uint32_t instructions() { return 0; }

}  // namespace board

namespace arm_m {

const uint32_t systick_hz = chip::clock_hz;

}  // namespace arm_m
