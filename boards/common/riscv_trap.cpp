// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the last line of a RISC-V image that met an unexpected trap.
#include <weft/port.hpp>

#include "board.hpp"
#include "report.hpp"
#include "riscv_board.hpp"

namespace {

// The privileged architecture's table of causes: access faults of a load, and of a store or an atomic operation.
constexpr uintptr_t load_fault = 5;
constexpr uintptr_t store_fault = 7;

bool is_in_guard(uintptr_t address) {
    const uintptr_t end = reinterpret_cast<uintptr_t>(weft::Port::stack_limit());
    return end != 0 && end - RISCV_GUARD_BYTES <= address && address < end;
}

}  // namespace

void riscv_fatal_trap(uintptr_t hart, uintptr_t mcause, uintptr_t mepc, uintptr_t mtval) {
    using namespace report;
    if ((mcause == load_fault || mcause == store_fault) && is_in_guard(mtval)) stack_overflow(mepc);
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
