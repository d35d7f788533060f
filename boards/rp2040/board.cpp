// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: Raspberry Pi Pico: the lock of port/armv6m; the rest is boards/common/rp_arm.cpp.
#include "board.hpp"

#include "mmio.hpp"
#include "weft_image.hpp"

namespace {

// RP2040 datasheet, 2.3.1.3, SIO: spinlocks. A read that is not 0 has taken the lock, any write frees it.
constexpr uintptr_t spinlock31 = 0xd000017c;

}  // namespace

extern "C" {

void weft_image_lock_words(void) {
    while (read32(spinlock31) == 0) {
        // The other core has it for a dozen instructions.
    }
}

void weft_image_unlock_words(void) { write32(spinlock31, 1); }

}  // extern "C"

namespace board {

const char* const name = "rp2040";

}  // namespace board
