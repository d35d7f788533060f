// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: registers of devices, of 32 bits, at their addresses.
#pragma once

#include <stdint.h>

[[gnu::always_inline]] inline uint32_t read32(uintptr_t address) {
    return *reinterpret_cast<volatile uint32_t*>(address);
}

[[gnu::always_inline]] inline void write32(uintptr_t address, uint32_t value) {
    *reinterpret_cast<volatile uint32_t*>(address) = value;
}
