// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: what the dual-core M-profile start-up, its linker script and the board's own code share.
#pragma once

#include <stdint.h>

extern "C" {

// From the linker script: the lowest word of each core's stack, and the word above its highest.
extern uint32_t arm_m_stack0_limit[];
extern uint32_t arm_m_stack0_top[];
extern uint32_t arm_m_stack1_limit[];
extern uint32_t arm_m_stack1_top[];

// From the board: called on core 0 before board_main(), with memory loaded: console and clock.
void arm_m_board_start();

}  // extern "C"

namespace arm_m {

// The vector table of core 1, whose first two words are its stack and its start-up code.
struct Vectors;
extern const Vectors vectors1;

// External interrupts in the vector tables. (An enabled one of a higher number would go astray.)
constexpr uint32_t external_interrupts = 8;
constexpr uint32_t doorbell_interrupt = 6;  // another core wants this one's PendSV

// From the board: the frequency of every core's SysTick.
extern const uint32_t systick_hz;

}  // namespace arm_m
