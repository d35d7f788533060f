// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the Arm PL011 UART, output only, polled. Registers: PL011 TRM (Arm DDI0183), chapter 3.
#include "pl011.hpp"

#include "mmio.hpp"

namespace {

constexpr uintptr_t uartdr = 0x00;     // data
constexpr uintptr_t uartfr = 0x18;     // flags
constexpr uintptr_t uartibrd = 0x24;   // baud rate: clocks for 1/16 of a bit
constexpr uintptr_t uartfbrd = 0x28;   // and 64ths of one
constexpr uintptr_t uartlcr_h = 0x2c;  // line control
constexpr uintptr_t uartcr = 0x30;     // control

constexpr uint32_t fr_transmit_full = 1u << 5;
constexpr uint32_t lcr_fifo_8n1 = (3u << 5) | (1u << 4);
constexpr uint32_t cr_enable = 1u << 0;
constexpr uint32_t cr_transmit = 1u << 8;

}  // namespace

namespace pl011 {

void enable(uintptr_t base) {
    write32(base + uartlcr_h, lcr_fifo_8n1);
    write32(base + uartcr, cr_enable | cr_transmit);
}

void set_baud_rate(uintptr_t base, uint32_t clock_hz, uint32_t baud) {
    const uint32_t in_64ths = (clock_hz * 4 + baud / 2) / baud;
    write32(base + uartcr, 0);
    write32(base + uartibrd, in_64ths / 64);
    write32(base + uartfbrd, in_64ths % 64);
}

void put(uintptr_t base, char c) {
    while ((read32(base + uartfr) & fr_transmit_full) != 0) {
        // The transmitter drains its FIFO.
    }
    write32(base + uartdr, static_cast<unsigned char>(c));
}

}  // namespace pl011
