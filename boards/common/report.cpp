// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: see report.hpp.
#include "report.hpp"

#include <weft/port.hpp>
#include <weft/stack.hpp>

#include "board.hpp"
#include "console.hpp"

namespace report {
namespace {

weft::Atomic<uint32_t> reporter;  // number of the core + 1
uintptr_t overflowed_at[BOARD_CORES];

}  // namespace

void begin(int status) {
    const uint32_t self = weft::Port::core_id() + 1;
    uint32_t seen = 0;
    // relaxed: the word guards no memory
    while (!reporter.compare_exchange(seen, self, weft::relaxed, weft::relaxed)) {
        if (seen == self) board::exit(status);
        if (seen != 0) weft::Port::relax();  // until the other one ends the run
    }
    // Another core's line comes to its end. Not for ever: that core may have gone wrong within it.
    board::Console::take_for_good();
    const uint32_t begun = weft::Port::now();
    while (!board::Console::is_own() && !board::Console::try_take() &&
           weft::Port::now() - begun < 1000 * weft::Port::ticks_per_ms()) {
        weft::Port::relax();
    }
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
