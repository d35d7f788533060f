// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: see report.hpp.
#include "report.hpp"

#include <weft/port.hpp>
#include <weft/stack.hpp>

#include "board.hpp"
#include "console.hpp"

namespace report {
namespace {

uintptr_t overflowed_at[BOARD_CORES];

}  // namespace

void begin(int status) {
    while (!board::Console::close()) {
        if (board::Console::is_closed_by_this_core()) board::exit(status);
        weft::Port::relax();  // until the other one ends the run
    }
    board::Console::take_at_last();
}

void stack_overflow(uintptr_t pc) {
    const uint32_t core = weft::Port::core_id();
    overflowed_at[core] = pc;
    weft::Port::panic(weft::stack_overflow, core, nullptr);
}

void print(const char* text) {
    while (*text != '\0') board::put(*text++);
}

void print_decimal(uintptr_t value) {
    if (value >= 10) print_decimal(value / 10);
    board::put(static_cast<char>('0' + value % 10));
}

void print_hex(uintptr_t value) {
    print("0x");
    for (uint32_t shift = 8 * sizeof(value); shift > 0;) {
        shift -= 4;
        board::put("0123456789abcdef"[value >> shift & 0xf]);
    }
}

}  // namespace report

extern "C" [[noreturn]] void weft_image_panic(const char* reason, uint32_t core, const void* task) {
    using namespace report;
    begin(panic_status);
    print("\npanic: ");
    print(reason);
    print(" (core ");
    print_decimal(core);
    if (task != nullptr) {
        print(", object ");
        print_hex(reinterpret_cast<uintptr_t>(task));
    }
    if (core < BOARD_CORES && overflowed_at[core] != 0) {
        print(", PC ");
        print_hex(overflowed_at[core]);
    }
    print(")\n");
    board::exit(panic_status);
}
