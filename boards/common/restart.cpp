// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: see restart.hpp.
#include "restart.hpp"

#include <stddef.h>

#include <weft/port.hpp>

#include "weft_image.hpp"

namespace board {

[[gnu::section(".noinit")]] Recall recall;

}  // namespace board

// From the linker script.
extern "C" uint64_t __data_start[];
extern "C" uint64_t __data_end[];

namespace {

[[gnu::section(".noinit")]] uint64_t data_copy[2048];

// Volatile: no call of memcpy, which might use what is not there yet.
void copy(volatile uint64_t* to, const volatile uint64_t* from, size_t words) {
    for (size_t i = 0; i != words; ++i) to[i] = from[i];
}

}  // namespace

void board_recall() {
    using board::recall;
    const bool again = recall.mark == board::Recall::known;
    recall.missing = weft_port_recall((again ? recall.ms : 1000) * weft::Port::ticks_per_ms());
    const size_t words = static_cast<size_t>(__data_end - __data_start);
    if (words > sizeof data_copy / sizeof *data_copy) {
        weft::Port::panic("board: no room for a copy of .data", 0, nullptr);
    }
    if (again) {
        copy(__data_start, data_copy, words);
    } else {
        copy(data_copy, __data_start, words);
    }
}
