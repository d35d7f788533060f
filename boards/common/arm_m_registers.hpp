// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: system registers of M-profile cores that the boards' start-up, fault and timer code uses. ARMv6-M cores have
// SysTick, NVIC and ICSR of these.
// Names and bits: ARMv8-M Architecture Reference Manual (DDI0553), "Register index"; for ACTLR the Cortex-M33
// TRM (100230).
#pragma once

#include <stdint.h>

#include "mmio.hpp"  // IWYU pragma: export

// Is this an ARMv8-M Mainline core, with fault status and ACTLR? Code for ARMv6-M may run on one, too: then the board
// says so. (Registers that only new instructions reach, as MSPLIM, go by __ARM_ARCH.)
#ifndef ARM_M_MAINLINE
#define ARM_M_MAINLINE (__ARM_ARCH >= 7)
#endif

namespace arm_m {

using ::read32;
using ::write32;

// Memory accesses and register writes before it have taken effect for the instructions after it.
[[gnu::always_inline]] inline void synchronise() { asm volatile("dsb\n\tisb" ::: "memory"); }

constexpr uintptr_t actlr = 0xe000e008;
constexpr uint32_t actlr_extexclall = 1u << 29;  // every exclusive access goes to the bus

constexpr uintptr_t syst_csr = 0xe000e010;
constexpr uint32_t syst_csr_enable = 1u << 0;
constexpr uint32_t syst_csr_tickint = 1u << 1;
constexpr uint32_t syst_csr_clksource_core = 1u << 2;
constexpr uintptr_t syst_rvr = 0xe000e014;
constexpr uintptr_t syst_cvr = 0xe000e018;
constexpr uint32_t syst_period_max = 1u << 24;  // the counter has 24 bits; a period is the reload value + 1

constexpr uintptr_t nvic_iser0 = 0xe000e100;  // a bit of each external interrupt: enabled

constexpr uintptr_t icsr = 0xe000ed04;
constexpr uint32_t icsr_pendstclr = 1u << 25;

constexpr uintptr_t shpr3 = 0xe000ed20;
constexpr uint32_t shpr3_pendsv_lowest = 0xffu << 16;

constexpr uintptr_t shcsr = 0xe000ed24;
// MEMFAULTENA, BUSFAULTENA, USGFAULTENA, SECUREFAULTENA.
constexpr uint32_t shcsr_all_faults = (1u << 16) | (1u << 17) | (1u << 18) | (1u << 19);

constexpr uintptr_t cfsr = 0xe000ed28;
constexpr uint32_t cfsr_mstkerr = 1u << 4;
constexpr uint32_t cfsr_mmarvalid = 1u << 7;
constexpr uint32_t cfsr_stkerr = 1u << 12;
constexpr uint32_t cfsr_bfarvalid = 1u << 15;
constexpr uint32_t cfsr_stkof = 1u << 20;
constexpr uintptr_t hfsr = 0xe000ed2c;
constexpr uintptr_t mmfar = 0xe000ed34;
constexpr uintptr_t bfar = 0xe000ed38;

}  // namespace arm_m
