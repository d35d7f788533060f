// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the Arm PL011 UART, output only, polled.
#pragma once

#include <stdint.h>

namespace pl011 {

// The baud rate stays as the firmware (or the emulator) left it.
void enable(uintptr_t base);
void put(uintptr_t base, char c);

}  // namespace pl011
