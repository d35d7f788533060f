// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the first instructions of an image for the Arm cores of RP2350, on core 0, with a stack of the boot ROM's.

    .syntax unified
    .thumb

    .section .entry, "ax", %progbits
    .global rp2350_entry
    .type rp2350_entry, %function
    .thumb_func
rp2350_entry:
    cpsid   i
    movs    r0, #0
    msr     msplim, r0              // the boot ROM's stack lies above all of ours
    ldr     r0, =arm_m_vectors0
    ldr     r1, =0xe000ed08         // VTOR
    str     r0, [r1]
    ldmia   r0!, {r1, r2}           // core 0's stack and start-up code
    msr     msp, r1
    bx      r2
    .ltorg
    .size rp2350_entry, . - rp2350_entry
