// SPDX-License-Identifier: MIT OR Apache-2.0
// A stand-in for the Pico SDK: what its sources share, and its linker script gives them.
#pragma once

#include <stdint.h>

extern "C" {

extern uint32_t stub_bss_start[];
extern uint32_t stub_bss_end[];
extern void (*stub_constructors[])();
extern void (*stub_constructors_end[])();
extern char __StackTop[];
extern char __StackOneTop[];

void stub_alarm_interrupt();

}  // extern "C"
