// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: RP2040 and RP2350. Clocks, console, and the handshake that starts core 1. Where the chips differ, the board's
// chip.hpp says how.
#pragma once

#include <stdint.h>

namespace rp {

// From reset: crystal, PLL, resets of what is used here, ticks of 1 us, the UART and its pin. Core 0, once.
void start_clocks();

// Sends one character to UART0.
void put(char c);

// Gives core 1, which waits in the boot ROM, the address of its vector table, its stack and where it begins. Waits for
// the boot ROM's answers, some microseconds. False: none came, core 1 is not in the boot ROM.
bool launch_core1(uintptr_t table, uintptr_t stack, uintptr_t entry);

}  // namespace rp
