// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: VARIANT=restart, where core 0 may start over while the other cores go on (docs/RESTART.md).
#pragma once

#include <stdint.h>

namespace board {

// Core 0, any context: as a reset of this core alone would do it. Interrupts off, caches and MMU off where there are
// some, registers lost, and then what is done out of reset. Memory stays until start-up code initialises it.
[[noreturn]] void restart();

// What start-up code leaves as it is (.noinit), and finds as memory was when the power comes on.
struct Recall {
    static constexpr uint32_t known = 0x7ec0a11d;

    uint32_t mark;     // `known`: the rest has been written
    uint32_t ms;       // how long start-up code waits for the other cores; 1000 where nobody has said
    uint32_t missing;  // how many had not come by then
};
extern Recall recall;

}  // namespace board

// Start-up code calls this on core 0, on its stack, before it initialises .bss: it calls the other cores in. Behind it
// .data is as the image has it. (One that lies in RAM has no other place from which start-up code could copy it.)
extern "C" void board_recall();
