// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the first instructions of an image in RAM. The boot ROM jumps to the lowest address that it has loaded
// (RP2040 datasheet, 2.8.4, "USB mass storage interface"), with a stack of its own.

    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .section .entry, "ax", %progbits
    .global rp2040_entry
    .type rp2040_entry, %function
    .thumb_func
rp2040_entry:
    cpsid   i
    ldr     r0, =arm_m_vectors0
    ldr     r1, =0xe000ed08         // VTOR
    str     r0, [r1]
    ldmia   r0!, {r1, r2}           // core 0's stack and start-up code
    msr     msp, r1
    bx      r2
    .ltorg
    .size rp2040_entry, . - rp2040_entry
