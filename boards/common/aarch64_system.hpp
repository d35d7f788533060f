// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: AArch64 system registers as functions; memory-mapped registers (mmio.hpp) too.
#pragma once

#include <stdint.h>

#include "mmio.hpp"  // IWYU pragma: export

// read_<register>() and write_<register>(value) for one system register.
#define AARCH64_REGISTER(register_name)                                     \
    inline uint64_t read_##register_name() {                                \
        uint64_t value;                                                     \
        asm volatile("mrs %0, " #register_name : "=r"(value)::"memory");    \
        return value;                                                       \
    }                                                                       \
    inline void write_##register_name(uint64_t value) {                     \
        asm volatile("msr " #register_name ", %0" ::"r"(value) : "memory"); \
    }

// Generic timer, virtual. The count itself is read-only.
AARCH64_REGISTER(cntv_ctl_el0)
AARCH64_REGISTER(cntv_cval_el0)
AARCH64_REGISTER(cntp_ctl_el0)
AARCH64_REGISTER(cntp_tval_el0)

// GICv3 CPU interface.
AARCH64_REGISTER(icc_sre_el1)
AARCH64_REGISTER(icc_sre_el2)
AARCH64_REGISTER(icc_pmr_el1)
AARCH64_REGISTER(icc_bpr1_el1)
AARCH64_REGISTER(icc_igrpen1_el1)

// Performance monitors.
AARCH64_REGISTER(pmcr_el0)
AARCH64_REGISTER(pmcntenset_el0)
AARCH64_REGISTER(pmevtyper0_el0)
AARCH64_REGISTER(pmevcntr0_el0)
#undef AARCH64_REGISTER

#define AARCH64_READ_ONLY(register_name)                                 \
    inline uint64_t read_##register_name() {                             \
        uint64_t value;                                                  \
        asm volatile("mrs %0, " #register_name : "=r"(value)::"memory"); \
        return value;                                                    \
    }
AARCH64_READ_ONLY(cntfrq_el0)
AARCH64_READ_ONLY(cntvct_el0)
AARCH64_READ_ONLY(currentel)
AARCH64_READ_ONLY(id_aa64pfr0_el1)
AARCH64_READ_ONLY(esr_el1)
AARCH64_READ_ONLY(esr_el2)
AARCH64_READ_ONLY(far_el1)
AARCH64_READ_ONLY(far_el2)
AARCH64_READ_ONLY(elr_el1)
AARCH64_READ_ONLY(elr_el2)
AARCH64_READ_ONLY(icc_iar1_el1)
AARCH64_READ_ONLY(pmceid0_el0)
AARCH64_READ_ONLY(tpidrro_el0)
AARCH64_READ_ONLY(tpidr_el1)
#undef AARCH64_READ_ONLY

inline void write_icc_eoir1_el1(uint64_t value) {
    asm volatile("msr icc_eoir1_el1, %0" ::"r"(value) : "memory");
}

inline void write_icc_sgi1r_el1(uint64_t value) {
    asm volatile("msr icc_sgi1r_el1, %0" ::"r"(value) : "memory");
}

inline uint32_t current_el() { return static_cast<uint32_t>(read_currentel() >> 2) & 3; }

inline void instruction_barrier() { asm volatile("isb" ::: "memory"); }

inline void unmask_irqs() { asm volatile("msr daifclr, #2" ::: "memory"); }
