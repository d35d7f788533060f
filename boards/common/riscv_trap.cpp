// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the last line of a RISC-V image that met an unexpected trap.
#include "board.hpp"
#include "report.hpp"
#include "riscv_board.hpp"

void riscv_fatal_trap(uintptr_t hart, uintptr_t mcause, uintptr_t mepc, uintptr_t mtval) {
    using namespace report;
    begin(exception_status);
    print("\nboard: unexpected trap: hart ");
    print_decimal(hart);
    print(" mcause ");
    print_hex(mcause);
    print(" mepc ");
    print_hex(mepc);
    print(" mtval ");
    print_hex(mtval);
    print("\n");
    board::exit(exception_status);
}
