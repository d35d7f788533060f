// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the last line of an AArch64 image that met an unexpected exception, or that cannot run here.
#include <weft/port.hpp>

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

// An access at the level itself to addresses of this core's guard: ESR_ELx.EC (Arm ARM, D13.2.37).
bool is_stack_overflow(uint32_t vector, uint64_t esr, uint64_t far) {
    constexpr uint64_t data_abort = 0x25;
    const uintptr_t end = reinterpret_cast<uintptr_t>(weft::Port::stack_limit());
    const uintptr_t guard = aarch64::slot_bytes - aarch64::stack_bytes;
    return vector == 4 && esr >> 26 == data_abort && end - guard <= far && far < end;
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
    const uint64_t elr = el2 ? read_elr_el2() : read_elr_el1();
    const uint64_t esr = el2 ? read_esr_el2() : read_esr_el1();
    const uint64_t far = el2 ? read_far_el2() : read_far_el1();
    if (is_stack_overflow(vector, esr, far)) stack_overflow(elr);
    begin(exception_status);
    print("\nboard: unexpected ");
    print(exception_name(vector));
    print(" from ");
    print(exception_source(vector));
    print(": core ");
    print_decimal(static_cast<uint32_t>(read_tpidrro_el0()));
    print(el2 ? " EL2 ESR " : " EL1 ESR ");
    print_hex(esr);
    print(" ELR ");
    print_hex(elr);
    print(" FAR ");
    print_hex(far);
    print(" SP ");
    print_hex(stack_pointer);
    print("\n");
    board::exit(exception_status);
}

}  // extern "C"
