// SPDX-License-Identifier: MIT OR Apache-2.0
// A stand-in for the Pico SDK: see pico_sdk_init.cmake.
#pragma once

#include "hardware/sync.h"
#include "hardware/timer.h"
#include "pico.h"

#ifdef __cplusplus
extern "C" {
#endif

bool stdio_init_all(void);
int puts_raw(const char* text);

#ifdef __cplusplus
}
#endif
