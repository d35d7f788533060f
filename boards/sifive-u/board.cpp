// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: SiFive FU540, entered by all harts in machine mode without firmware, as QEMU does it: console.
// Registers: SiFive FU540-C000 manual, "Universal Asynchronous Receiver/Transmitter".
#include <weft/port.hpp>

#include "board.hpp"
#include "riscv_board.hpp"

namespace {

using weft::riscv::read32;
using weft::riscv::write32;

constexpr uintptr_t uart = 0x10010000;
constexpr uintptr_t transmit_data = uart;
constexpr uint32_t transmit_full = 1u << 31;
constexpr uintptr_t transmit_control = uart + 0x8;
constexpr uint32_t transmit_enable = 1u << 0;

}  // namespace

// The divisor stays as reset left it: an emulated UART has no baud rate.
void riscv_enable_console() { write32(transmit_control, transmit_enable); }

// Nothing but semihosting ends a run.
void riscv_finish(uintptr_t) {}

namespace board {

const char* const name = "sifive-u";

void put(char c) {
    while ((read32(transmit_data) & transmit_full) != 0) {
        // The UART makes progress by itself.
    }
    write32(transmit_data, static_cast<unsigned char>(c));
}

}  // namespace board
