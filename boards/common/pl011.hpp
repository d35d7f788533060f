// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the Arm PL011 UART, output only, polled.
#pragma once

#include <stdint.h>

namespace pl011 {

// The baud rate stays as the firmware (or the emulator) left it, or as set_baud_rate() has set it before.
void enable(uintptr_t base);
void set_baud_rate(uintptr_t base, uint32_t clock_hz, uint32_t baud);
void put(uintptr_t base, char c);

}  // namespace pl011
