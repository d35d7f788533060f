// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the lock that port/armv6m asks for, where code for ARMv6-M runs on cores that do have exclusives: an emulated
// board plays a chip whose lock is a device. The only instructions in the image that ARMv6-M has not.

    .syntax unified
    .arch armv7-m
    .thumb

    .section .bss.arm_m_lock, "aw", %nobits
    .balign 4
arm_m_lock:
    .skip 4

    .section .text.weft_image_lock_words, "ax", %progbits
    .global weft_image_lock_words
    .type weft_image_lock_words, %function
    .thumb_func
weft_image_lock_words:
    ldr     r0, =arm_m_lock
    movs    r1, #1
1:  ldrex   r2, [r0]
    cbnz    r2, 2f
    strex   r2, r1, [r0]
    cbnz    r2, 2f
    bx      lr
    // Held: give the other core the turn (an emulator may run one core after the other). And do not leave the monitor
    // armed, which may end a WFE.
2:  clrex
    yield
    b       1b
    .ltorg
    .size weft_image_lock_words, . - weft_image_lock_words

    .section .text.weft_image_unlock_words, "ax", %progbits
    .global weft_image_unlock_words
    .type weft_image_unlock_words, %function
    .thumb_func
weft_image_unlock_words:
    ldr     r0, =arm_m_lock
    movs    r1, #0
    str     r1, [r0]
    bx      lr
    .ltorg
    .size weft_image_unlock_words, . - weft_image_unlock_words
