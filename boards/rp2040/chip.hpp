// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: RP2040. Clocks, console, and the handshake that starts core 1.
#pragma once

#include <stdint.h>

namespace rp2040 {

constexpr uint32_t clock_hz = 125'000'000;  // both cores and the UART

// From reset: crystal, PLL, resets of what is used here, the timer's tick of 1 us, the UART's pin. Core 0, once.
void start_clocks();

// Gives core 1, which waits in the boot ROM, its vector table, whose first words are its stack and its start-up code.
// Waits for the boot ROM's answers, some microseconds. False: none came, core 1 is not in the boot ROM.
bool launch_core1(const uint32_t* vectors);

}  // namespace rp2040
