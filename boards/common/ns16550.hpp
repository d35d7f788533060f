// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: NS16550A UART, byte-wide registers, polled output only.
#pragma once

#include <stdint.h>

namespace ns16550 {

// Register offsets (National Semiconductor PC16550D data sheet, "Registers").
inline constexpr uintptr_t transmit_holding = 0;
inline constexpr uintptr_t interrupt_enable = 1;
inline constexpr uintptr_t line_control = 3;
inline constexpr uintptr_t line_status = 5;

inline constexpr uint8_t line_control_8n1 = 0x03;
inline constexpr uint8_t line_status_transmitter_free = 0x20;  // THRE

inline volatile uint8_t& reg(uintptr_t base, uintptr_t offset) {
    return *reinterpret_cast<volatile uint8_t*>(base + offset);
}

// The divisor stays as firmware or reset left it: an emulated UART has no baud rate.
inline void init(uintptr_t base) {
    reg(base, interrupt_enable) = 0;
    reg(base, line_control) = line_control_8n1;
}

inline void put(uintptr_t base, char c) {
    while ((reg(base, line_status) & line_status_transmitter_free) == 0) {
        // The UART makes progress by itself.
    }
    reg(base, transmit_holding) = static_cast<uint8_t>(c);
}

}  // namespace ns16550
