// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: transmit half of the APB UART of Arm's Cortex-M System Design Kit (DDI0479, "APB UART").
#pragma once

#include <stdint.h>

namespace cmsdk_uart {

// Once, before put(). `divider`: peripheral clock / baud rate, at least 16.
void start(uintptr_t base, uint32_t divider);

// One character; waits until the transmitter has room.
void put(uintptr_t base, char c);

}  // namespace cmsdk_uart
