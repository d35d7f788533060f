// SPDX-License-Identifier: MIT OR Apache-2.0
// A stand-in for the Pico SDK: see pico_sdk_init.cmake.
#pragma once

#include "pico.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*hardware_alarm_callback_t)(uint alarm);

uint32_t time_us_32(void);
uint64_t time_us_64(void);
int hardware_alarm_claim_unused(bool required);
bool hardware_alarm_is_claimed(uint alarm);
void hardware_alarm_set_callback(uint alarm, hardware_alarm_callback_t callback);
bool hardware_alarm_set_target(uint alarm, absolute_time_t target);
void hardware_alarm_cancel(uint alarm);

#ifdef __cplusplus
}
#endif
