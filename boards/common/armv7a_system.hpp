// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: ARMv7-A system registers as functions.
#pragma once

#include <stdint.h>

namespace armv7a {

// read_<name>() and write_<name>(value) for one register of coprocessor 15 (Arm ARM for Armv7-A, B3.17 and B4.1).
#define ARMV7A_REGISTER(name, crn, op1, crm, op2)                                                 \
    inline uint32_t read_##name() {                                                               \
        uint32_t value;                                                                           \
        asm volatile("mrc p15, " #op1 ", %0, " #crn ", " #crm ", " #op2 : "=r"(value)::"memory"); \
        return value;                                                                             \
    }                                                                                             \
    inline void write_##name(uint32_t value) {                                                    \
        asm volatile("mcr p15, " #op1 ", %0, " #crn ", " #crm ", " #op2 ::"r"(value) : "memory"); \
    }
ARMV7A_REGISTER(cntfrq, c14, 0, c0, 0)
ARMV7A_REGISTER(cntp_tval, c14, 0, c2, 0)
ARMV7A_REGISTER(cntp_ctl, c14, 0, c2, 1)
ARMV7A_REGISTER(cntv_tval, c14, 0, c3, 0)
ARMV7A_REGISTER(cntv_ctl, c14, 0, c3, 1)
ARMV7A_REGISTER(pmcr, c9, 0, c12, 0)
ARMV7A_REGISTER(pmcntenset, c9, 0, c12, 1)
ARMV7A_REGISTER(pmccntr, c9, 0, c13, 0)
ARMV7A_REGISTER(dfsr, c5, 0, c0, 0)
ARMV7A_REGISTER(ifsr, c5, 0, c0, 1)
ARMV7A_REGISTER(dfar, c6, 0, c0, 0)
ARMV7A_REGISTER(ifar, c6, 0, c0, 2)
#undef ARMV7A_REGISTER

inline uint32_t read_cntvct() {  // its low word
    uint32_t low;
    uint32_t high;
    asm volatile("mrrc p15, 1, %0, %1, c14" : "=r"(low), "=r"(high)::"memory");
    return low;
}

inline void instruction_barrier() { asm volatile("isb" ::: "memory"); }

inline void unmask_irqs() { asm volatile("cpsie i" ::: "memory"); }

}  // namespace armv7a
