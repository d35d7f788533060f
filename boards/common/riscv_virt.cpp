// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: QEMU's RISC-V `virt` machine, 32 and 64 bits: console and end of run. Addresses: QEMU, hw/riscv/virt.c.
#include <weft/port.hpp>

#include "board.hpp"
#include "ns16550.hpp"
#include "riscv_board.hpp"

namespace {

constexpr uintptr_t finisher = 0x00100000;
constexpr uintptr_t uart = 0x10000000;

constexpr uintptr_t finisher_pass = 0x5555;
constexpr uintptr_t finisher_fail = 0x3333;  // status in bits 31:16

}  // namespace

void riscv_enable_console() { ns16550::init(uart); }

// The test finisher device stops the machine.
void riscv_finish(uintptr_t status) {
    const uintptr_t value = status == 0 ? finisher_pass : status << 16 | finisher_fail;
    weft::riscv::write32(finisher, static_cast<uint32_t>(value));
}

namespace board {

const char* const name = __riscv_xlen == 64 ? "qemu-virt-riscv64" : "qemu-virt-riscv32";

void put(char c) { ns16550::put(uart, c); }

}  // namespace board
