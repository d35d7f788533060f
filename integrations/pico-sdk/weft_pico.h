// SPDX-License-Identifier: MIT OR Apache-2.0
// weft with the Raspberry Pi Pico SDK: what a program may say about core 1. For C and C++.
//
// weft starts core 1 when it first needs it, by multicore_launch_core1(). That call of the SDK waits for core 1's boot
// ROM, for ever if core 1 runs something else already. A program that starts core 1 by itself compiles with
// PICO_WEFT_CORE1=0: then weft never does, and core 1 takes part if that program calls the pool's run() there.
//
// The stack of core 1 is the SDK's: PICO_CORE1_STACK_SIZE, 2048 bytes unless it says otherwise. Fork-join in checked
// builds wants more: 4096 or above.
//
// What it takes of the SDK: on RP2040 one spin lock (spin_lock_claim_unused), before main(); with WEFT_TIMERS=1 on each
// core that watches a timer one hardware alarm (hardware_alarm_claim_unused), for good.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Yours, if you define it; otherwise it does nothing. Core 1 calls it, once, in task context, before anything else of
// weft runs there: for multicore_lockout_victim_init() or flash_safe_execute_core_init(), without which no core may
// write to flash while core 1 runs; for interrupts that core 1 shall serve.
void weft_pico_core1_init(void);

#ifdef __cplusplus
}
#endif
