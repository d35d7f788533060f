// SPDX-License-Identifier: MIT OR Apache-2.0
// The code memory of an image for an SSE-200 board as flash is while it is written: nobody can read it. And what a core
// does that tries: a fault, which counts, waits until it can be read, and tries again.
#pragma once

#include <stdint.h>

#include <weft/weft.hpp>

#include "arm_m_registers.hpp"

namespace flash {

using weft::Atomic;
using weft::Port;

constexpr uint32_t cores = 2;

// The memory protection controller of SSRAM1, where the code is (AN521, "Memory map"; SIE-200 TRM, "AHB5 TrustZone
// memory protection controller"): a bit of each block says that only Non-secure accesses may pass. There are none.
constexpr uintptr_t controller = 0x58007000;
constexpr uintptr_t control = controller + 0x00;
constexpr uint32_t control_bus_error = 1u << 4;  // else what cannot be read reads as 0
constexpr uintptr_t last_index = controller + 0x10;
constexpr uintptr_t block_index = controller + 0x18;
constexpr uintptr_t block_bits = controller + 0x1c;

// A part of code in WEFT_RAM_SECTION, by any core.
[[gnu::always_inline]] inline void set_readable(bool readable) {
    arm_m::write32(control, control_bus_error);
    const uint32_t last = arm_m::read32(last_index);
    for (uint32_t index = 0; index <= last; ++index) {
        arm_m::write32(block_index, index);
        arm_m::write32(block_bits, readable ? 0 : 0xffffffff);
    }
    arm_m::synchronise();
}

struct Faults {
    volatile uint32_t count;    // of the core
    volatile uint32_t address;  // of the instruction that did not pass, the last time
};
extern Faults faults[cores];
extern volatile uint32_t unreadable;  // the code memory: 1 + the core that has closed it, or 0

// By each core, in a task: from now on its vector table and its fault handler are in RAM.
void take_faults();
// By the owner, with the number of turns for which it shall last. Interrupts are held off meanwhile. Returns early when
// another core has faulted; all others are sent an event at each turn.
WEFT_RAM_CODE void close_code_memory(uint32_t turns);
// Reads a word of the code memory, by code in RAM, until `stop` is set.
WEFT_RAM_CODE void read_code_memory(const volatile uint32_t* word, const volatile uint32_t* stop);

}  // namespace flash
