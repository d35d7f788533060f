// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: transmit half of the APB UART of Arm's Cortex-M System Design Kit (DDI0479, "APB UART").
#include "cmsdk_uart.hpp"

#include <weft/port.hpp>

#include "arm_m_registers.hpp"

namespace {

constexpr uintptr_t data = 0x00;
constexpr uintptr_t state = 0x04;
constexpr uint32_t state_tx_full = 1u << 0;
constexpr uintptr_t ctrl = 0x08;
constexpr uint32_t ctrl_tx_enable = 1u << 0;
constexpr uintptr_t bauddiv = 0x10;

// The transmitter makes progress by itself.
void wait_for_room(uintptr_t base) {
    while ((arm_m::read32(base + state) & state_tx_full) != 0) weft::Port::relax();
}

}  // namespace

namespace cmsdk_uart {

void start(uintptr_t base, uint32_t divider) {
    arm_m::write32(base + bauddiv, divider);
    arm_m::write32(base + ctrl, ctrl_tx_enable);
}

void put(uintptr_t base, char c) {
    wait_for_room(base);
    arm_m::write32(base + data, static_cast<unsigned char>(c));
    if (c == '\n') wait_for_room(base);  // a line is out before its writer ends the emulation
}

}  // namespace cmsdk_uart
