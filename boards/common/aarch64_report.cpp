// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the last line of an AArch64 image that met an unexpected exception, or that cannot run here.
#include "aarch64_board.hpp"
#include "aarch64_system.hpp"
#include "board.hpp"
#include "report.hpp"

namespace {

const char* exception_name(uint32_t vector) {
    switch (vector & 3) {
        case 0: return "synchronous exception";
        case 1: return "IRQ";
        case 2: return "FIQ";
        default: return "SError";
    }
}

const char* exception_source(uint32_t vector) {
    switch (vector >> 2) {
        case 0: return "current level, SP_EL0";
        case 1: return "current level";
        case 2: return "lower level, AArch64";
        default: return "lower level, AArch32";
    }
}

}  // namespace

namespace aarch64 {

void refuse(const char* why) {
    using namespace report;
    print("board: ");
    print(why);
    print("\n");
    board::exit(unsuitable_status);
}

}  // namespace aarch64

extern "C" {

// The MMU is off, the stack is that of core 0.
[[noreturn]] void aarch64_entered_at_el3() {
    aarch64::enable_console();
    aarch64::refuse("entered at EL3, without firmware below; this image runs at EL1 or EL2");
}

[[noreturn]] void aarch64_exception(uint32_t vector, uint64_t stack_pointer) {
    using namespace report;
    const bool el2 = current_el() == 2;
    begin(exception_status);
    print("\nboard: unexpected ");
    print(exception_name(vector));
    print(" from ");
    print(exception_source(vector));
    print(": core ");
    print_decimal(static_cast<uint32_t>(read_tpidrro_el0()));
    print(el2 ? " EL2 ESR " : " EL1 ESR ");
    print_hex(el2 ? read_esr_el2() : read_esr_el1());
    print(" ELR ");
    print_hex(el2 ? read_elr_el2() : read_elr_el1());
    print(" FAR ");
    print_hex(el2 ? read_far_el2() : read_far_el1());
    print(" SP ");
    print_hex(stack_pointer);
    print("\n");
    board::exit(exception_status);
}

}  // extern "C"
