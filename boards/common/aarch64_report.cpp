// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the last line of an AArch64 image that goes wrong: weft's panic, or an unexpected exception.
#include "aarch64_board.hpp"
#include "aarch64_system.hpp"
#include "board.hpp"
#include "weft_image.hpp"

namespace {

constexpr int panic_status = 101;
constexpr int exception_status = 102;
constexpr int unsuitable_status = 103;

// The first core to report ends the run; the others stop here, so that their lines do not mix.
void one_reporter() {
    static uint32_t reporting;
    if (__atomic_exchange_n(&reporting, 1u, __ATOMIC_RELAXED) == 0) return;
    for (;;) asm volatile("yield");
}

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

void print(const char* text) {
    while (*text != '\0') board::put(*text++);
}

void print_decimal(uint32_t value) {
    if (value >= 10) print_decimal(value / 10);
    board::put(static_cast<char>('0' + value % 10));
}

void print_hex(uint64_t value) {
    print("0x");
    bool started = false;
    for (uint32_t shift = 64; shift > 0;) {
        shift -= 4;
        const uint32_t digit = static_cast<uint32_t>(value >> shift) & 0xf;
        started = started || digit != 0 || shift == 0;
        if (started) board::put("0123456789abcdef"[digit]);
    }
}

void refuse(const char* why) {
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

[[noreturn]] void weft_image_panic(const char* reason, uint32_t core, const void* task) {
    using namespace aarch64;
    one_reporter();
    print("\nweft: panic: ");
    print(reason);
    print(" (core ");
    print_decimal(core);
    print(", task ");
    print_hex(reinterpret_cast<uintptr_t>(task));
    print(")\n");
    board::exit(panic_status);
}

[[noreturn]] void aarch64_exception(uint32_t vector, uint64_t stack_pointer) {
    using namespace aarch64;
    const bool el2 = current_el() == 2;
    one_reporter();
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
