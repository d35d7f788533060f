// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: what the cores of an AArch64 board do between start-up (aarch64_start.S) and weft.
#include <weft/stack.hpp>

#include "aarch64_board.hpp"
#include "board.hpp"
#include "weft_image.hpp"

namespace {

void set_up_core(uint32_t core) {
    static_cast<void>(weft::paint_stack());
    aarch64::enable_counters();
    aarch64::enable_interrupts(core);
}

}  // namespace

extern "C" {

[[noreturn]] void aarch64_boot_core() {
    aarch64::enable_console();
    aarch64::enable_machine();
    set_up_core(0);
    board::exit(board_main());
}

[[noreturn]] void aarch64_secondary_core(uint32_t core) {
    set_up_core(core);
    weft_port_secondary(core);
}

uint32_t* weft_image_stack_limit(uint32_t core) {
    using namespace aarch64;
    return reinterpret_cast<uint32_t*>(stacks + (core + 1) * slot_bytes - stack_bytes);
}

}  // extern "C"
