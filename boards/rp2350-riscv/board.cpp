// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: Raspberry Pi Pico 2, RISC-V cores (Hazard3). Timer and software interrupts are in the SIO, which
// riscv_clint.cpp is told of by board.mk; clocks and console are those of boards/rp2350.
#include <weft/port.hpp>

#include "board.hpp"
#include "riscv_board.hpp"
#include "rp_chip.hpp"

extern "C" {

void _start();  // riscv_start.S
extern const uint32_t riscv_trap_vector[];

}  // extern "C"

// SIO, RISCV_SOFTIRQ: CORE0_SET is bit 0, CORE1_SET bit 1, CORE0_CLR bit 8, CORE1_CLR bit 9; it is one register.
static_assert(weft::riscv::msip_set(0) == 0x1 && weft::riscv::msip_set(1) == 0x2);
static_assert(weft::riscv::msip_clear(0) == 0x100 && weft::riscv::msip_clear(1) == 0x200);

// Core 1 is in the boot ROM, and not in riscv_start.S as the harts of other boards: it is sent there, and told by its
// software interrupt that memory is initialised. One that does not answer counts as a core that never comes.
void riscv_enable_console() {
    rp::start_clocks();
    const uintptr_t stack = reinterpret_cast<uintptr_t>(riscv_stacks) + 2 * RISCV_STACK_BYTES;
    const uintptr_t vectors = reinterpret_cast<uintptr_t>(riscv_trap_vector) | 1;
    if (rp::launch_core1(vectors, stack, reinterpret_cast<uintptr_t>(_start))) weft::Port::unpark(1);
}

// Nothing but semihosting ends a run.
void riscv_finish(uintptr_t) {}

namespace board {

const char* const name = "rp2350-riscv";

void put(char c) { rp::put(c); }

}  // namespace board
