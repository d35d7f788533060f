// SPDX-License-Identifier: MIT OR Apache-2.0
// The smallest start-up that weft can live with, for two Cortex-M33: each has a vector table, with its stack and where
// it begins.
#define CORES 2
#define STACK_BYTES 4096
#define ACTLR 0xe000e008

    .syntax unified

    .section .vectors, "a"
    .balign 1024                         // VTOR: as large as a table with all interrupts of the chip
    .word   stacks + STACK_BYTES, reset0
    .rept   14
    .word   trap                         // this image has no interrupts: an exception is the end
    .endr
    .balign 1024
    .globl  vectors1
vectors1:
    .word   stacks + 2 * STACK_BYTES, reset1
    .rept   14
    .word   trap
    .endr

    .text
    .globl  reset0
    .thumb_func
reset0:
    ldr     r0, =__data_start            // core 0 sets memory up, ...
    ldr     r1, =__data_end
    ldr     r2, =__data_load
1:  cmp     r0, r1
    itt     lo
    ldrlo   r3, [r2], #4
    strlo   r3, [r0], #4
    blo     1b
    ldr     r0, =__bss_start
    ldr     r1, =__bss_end
    movs    r2, #0
2:  cmp     r0, r1
    it      lo
    strlo   r2, [r0], #4
    blo     2b
    bl      set_up_core
    bl      set_up_devices
    bl      main                         // ... and runs main()
    bl      finish

    .thumb_func
reset1:                                  // weft_image_power_on() has let core 1 go
    bl      set_up_core
    movs    r0, #1
    bl      weft_port_secondary          // waits there until the pool wants this core

set_up_core:
    ldr     r0, =ACTLR                   // each core has its own
    ldr     r1, [r0]
    orr     r1, r1, #1 << 29             // EXTEXCLALL: exclusive accesses are seen by the other core
    str     r1, [r0]
    dsb
    isb
    bx      lr

    .thumb_func
trap:
    ldr     r0, =trapped
    ldr     r1, =weft_image_core_id
    ldr     r1, [r1]
    movs    r2, #0
    bl      weft_image_panic

    .section .rodata
trapped:
    .string "a trap"

    .section .stacks, "aw", %nobits
    .balign 8
    .globl  stacks
stacks:
    .skip   CORES * STACK_BYTES
