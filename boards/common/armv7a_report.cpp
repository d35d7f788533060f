// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the last line of an ARMv7-A image that met an unexpected exception; and the counter of instructions.
#include <weft/port.hpp>

#include "armv7a_board.hpp"
#include "armv7a_system.hpp"
#include "board.hpp"
#include "report.hpp"

namespace {

constexpr uint32_t pmcr_enable = 1u << 0;
constexpr uint32_t cycle_counter = 1u << 31;

const char* exception_name(uint32_t kind) {
    switch (kind) {
        case 1: return "undefined instruction";
        case 2: return "supervisor call";
        case 3: return "prefetch abort";
        case 4: return "data abort";
        case 5: return "hypervisor trap";
        default: return "FIQ";
    }
}

// A data abort at an address of this core's guard.
bool is_stack_overflow(uint32_t kind, uint32_t address) {
    const uintptr_t end = reinterpret_cast<uintptr_t>(weft::Port::stack_limit());
    const uintptr_t guard = armv7a::slot_bytes - armv7a::stack_bytes;
    return kind == 4 && end - guard <= address && address < end;
}

}  // namespace

extern "C" [[noreturn]] void armv7a_exception(uint32_t kind, uint32_t address) {
    using namespace armv7a;
    using namespace report;
    constexpr uint32_t abort_offset = 8;  // of LR, from the instruction that was aborted
    if (is_stack_overflow(kind, read_dfar())) stack_overflow(address - abort_offset);
    begin(exception_status);
    print("\nboard: unexpected ");
    print(exception_name(kind));
    print(": core ");
    print_decimal(weft::Port::core_id());
    print(" LR ");
    print_hex(address);
    print(" DFSR ");
    print_hex(read_dfsr());
    print(" DFAR ");
    print_hex(read_dfar());
    print(" IFSR ");
    print_hex(read_ifsr());
    print(" IFAR ");
    print_hex(read_ifar());
    print("\n");
    board::exit(exception_status);
}

namespace armv7a {

void enable_counters() {
    write_pmcr(read_pmcr() | pmcr_enable);
    write_pmcntenset(cycle_counter);
    instruction_barrier();
}

}  // namespace armv7a

namespace board {

// The emulator's cycles are its instructions where one of them takes a nanosecond (-icount shift=0). The event that
// counts instructions is not in its ARMv7-A cores.
uint32_t instructions() { return armv7a::read_pmccntr(); }

}  // namespace board
