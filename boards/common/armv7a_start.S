// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: ARMv7-A start-up of the boot core and of cores that PSCI powers on, and the exception vectors. ARM code, for
// cores that have the Large Physical Address Extension (Cortex-A7, A15, A17). They have invalidated their caches at
// reset. Everything runs in Supervisor mode. Memory map: board_map (the board's own file).
#include "weft_image.hpp"

#ifndef BOARD_CORES
#error "BOARD_CORES must be the number of cores that the image is built for"
#endif

// Where a core finds its stack: behind as many bytes without memory (armv7a_board.hpp has the same numbers).
#define STACKS          0x80000000
#define STACK_SHIFT     14              // 16 KiB
#define SLOT_SHIFT      15

// Long descriptors (Arm ARM for Armv7-A, B3.6): a table, and a page of Normal memory (board_map), never executed.
#define TABLE           0x3
#define STACK_PAGE      (0x3 | (1 << 2) | (3 << 8) | (1 << 10))
#define NO_EXECUTE_HIGH (1 << 22)

#define MODE_SVC        0x13

#define ACTLR_SMP       (1 << 6)        // Cortex-A7, A15, A17: this core takes part in coherency

// Memory attributes: 0 = Device, 1 = Normal, Write-Back, read and write allocate.
#define MAIR0           0x0000ff04

// Long descriptors (EAE), table walks Write-Back and Inner Shareable, no walks through TTBR1.
#define TTBCR           ((1 << 31) | (1 << 8) | (1 << 10) | (3 << 12) | (1 << 23))

// MMU, data cache, branch prediction, instruction cache.
#define SCTLR_ON        ((1 << 0) | (1 << 2) | (1 << 11) | (1 << 12))
#define SCTLR_OFF       ((1 << 13) | (1 << 30))  // V: vectors at 0xffff0000. TE: exceptions in Thumb

    .syntax unified
    .arm

// r0 = the top of the stack of the core whose number is r4.
.macro stack_top
    ldr     r0, =STACKS
    add     r1, r4, #1
    add     r0, r0, r1, lsl #SLOT_SHIFT
.endm

// -----------------------------------------------------------------------------------------------------------
    .section .text.start, "ax"
    .global _start
    .type _start, %function
_start:
    mov     r4, #0                      // the boot core is core 0
    bl      set_up_core
    // No store has been made so far: from here on the caches are on.
    ldr     r0, =__bss_start
    ldr     r1, =__bss_end
    mov     r2, #0
1:  cmp     r0, r1
    strlo   r2, [r0], #4
    blo     1b
    bl      armv7a_boot_core
    b       .

    .global armv7a_secondary_start
    .type armv7a_secondary_start, %function
armv7a_secondary_start:
    uxth    r4, r0                      // PSCI context identifier: the core's number
    bl      set_up_core
    mov     r0, r4
    bl      armv7a_secondary_core
    b       .

// r4 = core number. Returns with core_id(), vectors, MMU, caches and stack pointer set, all interrupts masked. Touches
// no memory but constants: the MMU is off when it begins.
set_up_core:
    mov     r5, lr
    cpsid   aif, #MODE_SVC
    mcr     p15, 0, r4, c13, c0, 4      // TPIDRPRW
    mrc     p15, 0, r0, c1, c0, 1       // ACTLR. Where firmware has set the bit, it may have made this read-only.
    tst     r0, #ACTLR_SMP
    orreq   r0, r0, #ACTLR_SMP
    mcreq   p15, 0, r0, c1, c0, 1
    ldr     r0, =vectors
    mcr     p15, 0, r0, c12, c0, 0      // VBAR
    ldr     r0, =MAIR0
    mcr     p15, 0, r0, c10, c2, 0
    ldr     r0, =TTBCR
    mcr     p15, 0, r0, c2, c0, 2
    ldr     r0, =board_map
    mov     r1, #0
    mcrr    p15, 0, r0, r1, c2          // TTBR0
    isb
    mcr     p15, 0, r1, c8, c7, 0       // TLBIALL
    mcr     p15, 0, r1, c7, c5, 0       // ICIALLU
    mcr     p15, 0, r1, c7, c5, 6       // BPIALL
    dsb
    isb
    mrc     p15, 0, r0, c1, c0, 0
    ldr     r1, =SCTLR_ON
    orr     r0, r0, r1
    ldr     r1, =SCTLR_OFF
    bic     r0, r0, r1
    mcr     p15, 0, r0, c1, c0, 0
    isb
    stack_top
    mov     sp, r0
    bx      r5
    .ltorg

// -----------------------------------------------------------------------------------------------------------
// Exception vectors. Only IRQ is expected; everything else is reported by its number and ends the run.
    .text
    .balign 32
vectors:
    b       .                           // reset is not taken here
    b       undefined
    b       supervisor_call
    b       prefetch_abort
    b       data_abort
    b       hypervisor_trap
    b       interrupt
    b       fast_interrupt

undefined:
    mov     r0, #1
    b       report
supervisor_call:
    mov     r0, #2
    b       report
prefetch_abort:
    mov     r0, #3
    b       report
data_abort:
    mov     r0, #4
    b       report
hypervisor_trap:
    mov     r0, #5
    b       report
fast_interrupt:
    mov     r0, #7

// The stack pointer may be what went wrong: the report starts at the top of this core's stack.
report:
    mov     r6, r0
    mov     r7, lr
    cpsid   aif, #MODE_SVC
    mrc     p15, 0, r4, c13, c0, 4
    uxth    r4, r4
    stack_top
    mov     sp, r0
    mov     r0, r6
    mov     r1, r7
    bl      armv7a_exception

// Saves what a C function may change, on the stack of Supervisor mode, where all code runs. Interrupts stay masked
// until RFE, but in weft_port_preempt(); the images are built without FP and SIMD registers.
interrupt:
    sub     lr, lr, #4
    srsdb   sp!, #MODE_SVC
    cps     #MODE_SVC
    push    {r0-r3, r12, lr}
    mrc     p15, 0, r0, c13, c0, 4      // in_isr() from here: see weft_image.hpp
    and     r1, sp, #4                  // functions expect a multiple of 8
    sub     sp, sp, r1
    push    {r0, r1}
    orr     r0, r0, #(1 << WEFT_IN_ISR_BIT)
    mcr     p15, 0, r0, c13, c0, 4
    bl      armv7a_interrupt
    pop     {r0, r1}
    mcr     p15, 0, r0, c13, c0, 4
    add     sp, sp, r1
    clrex                               // the return would leave the monitor as it is: see weft_image.hpp
    pop     {r0-r3, r12, lr}
    rfeia   sp!
    .ltorg

// -----------------------------------------------------------------------------------------------------------
    .arch_extension virt
    .global armv7a_hvc
    .type armv7a_hvc, %function
armv7a_hvc:
    hvc     #0
    bx      lr

// semihosting_call(r0 = operation, r1 = block) -> r0. A core in Supervisor mode loses LR to the call.
    .global semihosting_call
    .type semihosting_call, %function
semihosting_call:
    mov     r2, lr
    svc     #0x123456
    bx      r2

// -----------------------------------------------------------------------------------------------------------
    .section .stacks, "aw", %nobits
    .balign 4096
stacks:
    .space  BOARD_CORES << STACK_SHIFT

// The third gigabyte: stacks, each in its slot of pages, of which the first ones have no memory.
    .section .rodata.stack_map, "a"
    .balign 4096
    .global armv7a_stack_map
armv7a_stack_map:
    .word   stack_pages + TABLE, 0
    .fill   511, 8, 0
stack_pages:
    .set    page, 0
    .rept   BOARD_CORES
    .fill   (1 << (SLOT_SHIFT - 12)) - (1 << (STACK_SHIFT - 12)), 8, 0
    .rept   1 << (STACK_SHIFT - 12)
    .word   stacks + page + STACK_PAGE, NO_EXECUTE_HIGH
    .set    page, page + 4096
    .endr
    .endr
    .fill   512 - (BOARD_CORES << (SLOT_SHIFT - 12)), 8, 0
