// SPDX-License-Identifier: MIT OR Apache-2.0
// A stand-in for the Pico SDK: see pico_sdk_init.cmake.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned int uint;
typedef uint64_t absolute_time_t;

static inline absolute_time_t from_us_since_boot(uint64_t us) { return us; }

void __attribute__((noreturn)) panic(const char* format, ...);
uint get_core_num(void);

#ifdef __cplusplus
}
#endif
