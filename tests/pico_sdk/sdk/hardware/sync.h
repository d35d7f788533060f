// SPDX-License-Identifier: MIT OR Apache-2.0
// A stand-in for the Pico SDK: see pico_sdk_init.cmake.
#pragma once

#include "pico.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef volatile uint32_t spin_lock_t;

static inline void __dsb(void) { __asm volatile("dsb" ::: "memory"); }
static inline void __isb(void) { __asm volatile("isb" ::: "memory"); }

int spin_lock_claim_unused(bool required);
bool spin_lock_is_claimed(uint number);
spin_lock_t* spin_lock_init(uint number);

static inline void spin_lock_unsafe_blocking(spin_lock_t* lock) {
    while (*lock == 0) {
        // The other core has it.
    }
    __asm volatile("dmb" ::: "memory");
}

static inline void spin_unlock_unsafe(spin_lock_t* lock) {
    __asm volatile("dmb" ::: "memory");
    *lock = 0;
}

#ifdef __cplusplus
}
#endif
