// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: from EL3 to Secure EL1, on a Cortex-A53, A57 or A72 out of reset: what a firmware would set up before an
// image. The image stays in Secure state, where this core has no EL2 and all interrupts of a GICv2 are of Group 0, as
// reset leaves them. CNTFRQ_EL0 stays: who loads the image has set it. Bits: Arm ARM, D13.2; SMPEN: Cortex-A53 TRM
// (Arm DDI0500), "CPU Extended Control Register".

#define CPUECTLR_EL1    s3_1_c15_c2_1
#define SMPEN           (1 << 6)        // this core takes part in coherency

#define SCR_EL3_NS      (1 << 0)
#define SCR_EL3_RES1    (3 << 4)
#define SCR_EL3_SMD     (1 << 7)        // SMC is reported: nobody is there to serve it
#define SCR_EL3_RW      (1 << 10)       // EL1 is AArch64
#define SCR_EL3         (SCR_EL3_RES1 | SCR_EL3_SMD | SCR_EL3_RW)

#define MDCR_EL3_SPME   (1 << 17)       // counters count in Secure state, too
#define SCTLR_EL1_OFF   0x30d00800      // RES1 bits alone
#define PSTATE          0x3c5           // EL1, its own stack pointer, all interrupts masked

    .section .text.aarch64_leave_el3, "ax"

// Returns at EL1 with 1 in TPIDR_EL1; at any other level nothing is done, and it is 0. Touches no memory. Uses x0, x1.
    .global aarch64_leave_el3
aarch64_leave_el3:
    msr     tpidr_el1, xzr
    mrs     x0, currentel
    cmp     x0, #(3 << 2)
    b.ne    2f
    mov     x0, #1
    msr     tpidr_el1, x0
    mrs     x0, CPUECTLR_EL1
    orr     x0, x0, #SMPEN
    msr     CPUECTLR_EL1, x0
    msr     cptr_el3, xzr
    mov     x0, #MDCR_EL3_SPME
    msr     mdcr_el3, x0
    mov     x1, #SCR_EL3
    mrs     x0, id_aa64pfr0_el1
    tst     x0, #(0xf << 8)             // EL2, whose registers are those of Non-secure state
    b.eq    1f
    orr     x0, x1, #SCR_EL3_NS
    msr     scr_el3, x0
    isb
    msr     cntvoff_el2, xzr            // the virtual count is the same on all cores
    isb
1:  msr     scr_el3, x1
    mov     x0, #(SCTLR_EL1_OFF & 0xffff)
    movk    x0, #(SCTLR_EL1_OFF >> 16), lsl #16
    msr     sctlr_el1, x0
    mov     x0, #PSTATE
    msr     spsr_el3, x0
    msr     elr_el3, x30
    isb
    eret
2:  ret
