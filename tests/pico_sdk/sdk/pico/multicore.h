// SPDX-License-Identifier: MIT OR Apache-2.0
// A stand-in for the Pico SDK: see pico_sdk_init.cmake.
#pragma once

#include "pico.h"

#ifdef __cplusplus
extern "C" {
#endif

void multicore_launch_core1(void (*entry)(void));

#ifdef __cplusplus
}
#endif
