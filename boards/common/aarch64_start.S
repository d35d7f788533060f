// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: AArch64 start-up of the boot core and of cores that PSCI powers on, and the exception vectors. Runs
// at the level it is entered at, EL1 or EL2, and stays there. The firmware below has made the core coherent
// (SMPEN on a Cortex-A53 or A72) and has invalidated its caches. Memory map: board_map_el1, board_map_el2
// (the board's own file).
#include "aarch64_map.hpp"
#include "weft_image.hpp"

#ifndef BOARD_CORES
#error "BOARD_CORES must be the number of cores that the image is built for"
#endif

// Where a core finds its stack: behind as many bytes without memory (aarch64_board.hpp has the same numbers).
#define STACKS          0x80000000
#define STACK_SHIFT     14              // 16 KiB
#define SLOT_SHIFT      15

#define HCR_EL2_FMO     (1 << 3)        // physical FIQ, IRQ, SError are taken to EL2
#define HCR_EL2_IMO     (1 << 4)
#define HCR_EL2_AMO     (1 << 5)
#define HCR_EL2_RW      (1 << 31)       // EL1 would be AArch64

#define CPTR_EL2_NO_FP  0x37ff          // RES1 bits, and TFP: FP and SIMD instructions are reported

// Memory attributes: 0 = Device-nGnRE, 1 = Normal, Write-Back, read and write allocate.
#define MAIR            0xff04

// 4 GiB of virtual addresses (one level of 1 GiB blocks), table walks Write-Back and Inner Shareable, 4 KiB
// granule, 32-bit physical addresses. EL1: no TTBR1 walks. EL2: bits 31 and 23 are RES1.
#define TCR_COMMON      ((32 << 0) | (1 << 8) | (1 << 10) | (3 << 12))
#define TCR_EL1         (TCR_COMMON | (1 << 23))
#define TCR_EL2         (TCR_COMMON | (1 << 23) | (1 << 31))

// MMU, data cache, stack alignment check, instruction cache; all other bits at their Armv8.0 RES1 value.
#define SCTLR_ON        ((1 << 0) | (1 << 2) | (1 << 3) | (1 << 12))
#define SCTLR_EL1       (0x30d00800 | SCTLR_ON)
#define SCTLR_EL2       (0x30c50830 | SCTLR_ON)

// A 32-bit constant in two instructions, without a literal.
.macro load_constant register, value
    movz    \register, #((\value) & 0xffff)
    movk    \register, #(((\value) >> 16) & 0xffff), lsl #16
.endm

// register = the top of the stack of core `core`, which is another register.
.macro stack_top register, core
    load_constant \register, STACKS
    add     \core, \core, #1
    add     \register, \register, \core, lsl #SLOT_SHIFT
    sub     \core, \core, #1
.endm

// -----------------------------------------------------------------------------------------------------------
    .section .text.start, "ax"

    .global _start
_start:
    mrs     x0, currentel
    cmp     x0, #(3 << 2)
    b.eq    entered_at_el3
    mov     x19, xzr                    // the boot core is core 0
    bl      set_up_core
    // No store has been made so far: from here on the caches are on.
#if BOARD_RESTART
    bl      board_recall
#endif
    adrp    x0, __bss_start
    add     x0, x0, :lo12:__bss_start
    adrp    x1, __bss_end
    add     x1, x1, :lo12:__bss_end
1:  cmp     x0, x1                      // both 16-byte aligned (linker script)
    b.hs    2f
    stp     xzr, xzr, [x0], #16
    b       1b
2:  bl      aarch64_boot_core
    b       .

// No firmware has been here: nothing is set up for EL1, there is no PSCI, and perhaps all cores came. One speaks.
entered_at_el3:
    mrs     x0, mpidr_el1
    tst     x0, #0xffffff               // affinity 0.0.0
    b.ne    .
    adrp    x0, stacks
    add     x0, x0, :lo12:stacks
    add     x0, x0, #(1 << STACK_SHIFT)
    mov     sp, x0
    b       aarch64_entered_at_el3

#if BOARD_RESTART
// board::restart(): what a reset would leave of this core.
    .global aarch64_restart
aarch64_restart:
    msr     daifset, #0xf
    mov     x2, #((1 << 0) | (1 << 2) | (1 << 12))
    mrs     x0, currentel
    cmp     x0, #(2 << 2)
    b.eq    1f
    mrs     x1, sctlr_el1
    bic     x1, x1, x2
    msr     sctlr_el1, x1
    b       2f
1:  mrs     x1, sctlr_el2
    bic     x1, x1, x2
    msr     sctlr_el2, x1
2:  isb
    msr     tpidrro_el0, xzr
    mov     x0, #-16
    mov     sp, x0
    .irp    number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
    mov     x\number, x0
    .endr
    .irp    number, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
    mov     x\number, x0
    .endr
    b       _start
#endif

    .global weft_image_secondary_start
weft_image_secondary_start:
    mov     w19, w0                     // PSCI context identifier: the core's number
    bl      set_up_core
    mov     w0, w19
    bl      aarch64_secondary_core
    b       .

// x19 = core number. Returns with core_id(), vectors, MMU, caches and stack pointer set, all interrupts
// masked. Touches no memory: the MMU is off when it begins.
set_up_core:
    mov     x18, x30
    msr     daifset, #0xf
    msr     spsel, #1
    msr     tpidrro_el0, x19
    adrp    x1, vectors
    add     x1, x1, :lo12:vectors
    load_constant x2, MAIR
    mrs     x0, currentel
    cmp     x0, #(2 << 2)
    b.eq    1f
    bl      set_up_el1
    b       2f
1:  bl      set_up_el2
2:  stack_top x1, x19
    mov     sp, x1
    mov     x29, xzr
    ret     x18

// x1 = vectors, x2 = MAIR
set_up_el1:
    msr     cpacr_el1, xzr              // FP and SIMD instructions are reported
    msr     vbar_el1, x1
    msr     mair_el1, x2
    load_constant x2, TCR_EL1
    msr     tcr_el1, x2
    adrp    x2, board_map_el1
    add     x2, x2, :lo12:board_map_el1
    msr     ttbr0_el1, x2
    isb
    tlbi    vmalle1
    ic      iallu
    dsb     nsh
    isb
    load_constant x2, SCTLR_EL1
    msr     sctlr_el1, x2
    isb
    ret

set_up_el2:
    load_constant x3, (HCR_EL2_RW | HCR_EL2_AMO | HCR_EL2_IMO | HCR_EL2_FMO)
    msr     hcr_el2, x3
    load_constant x3, CPTR_EL2_NO_FP
    msr     cptr_el2, x3
    msr     cntvoff_el2, xzr            // the virtual count is the same on all cores
    msr     vbar_el2, x1
    msr     mair_el2, x2
    load_constant x2, TCR_EL2
    msr     tcr_el2, x2
    adrp    x2, board_map_el2
    add     x2, x2, :lo12:board_map_el2
    msr     ttbr0_el2, x2
    isb
    tlbi    alle2
    ic      iallu
    dsb     nsh
    isb
    load_constant x2, SCTLR_EL2
    msr     sctlr_el2, x2
    isb
    ret

// -----------------------------------------------------------------------------------------------------------
// Exception vectors. Only IRQ from the current level on SP_ELx is expected, and a semihosting trap that nobody serves;
// everything else is reported by its number (0..15 in table order) and ends the run.
.macro unexpected number
    .balign 128
    mov     w0, #\number
    b       report
.endm

    .text
    .balign 2048
vectors:
    unexpected 0                        // current level, SP_EL0: synchronous, IRQ, FIQ, SError
    unexpected 1
    unexpected 2
    unexpected 3
    .balign 128
    b       synchronous                 // current level, SP_ELx
    .balign 128
    b       interrupt
    unexpected 6
    unexpected 7
    unexpected 8                        // lower level, AArch64
    unexpected 9
    unexpected 10
    unexpected 11
    unexpected 12                       // lower level, AArch32
    unexpected 13
    unexpected 14
    unexpected 15

// The HLT of semihosting_call comes here only if nobody serves it: go on behind it with -1. That function is called by
// the C rules, so these registers are free; and for a report as well.
synchronous:
    adrp    x9, semihosting_trap
    add     x9, x9, :lo12:semihosting_trap
    mrs     x10, currentel
    cmp     x10, #(2 << 2)
    b.eq    1f
    mrs     x10, elr_el1
    cmp     x9, x10
    b.ne    3f
    add     x10, x10, #4
    msr     elr_el1, x10
    b       2f
1:  mrs     x10, elr_el2
    cmp     x9, x10
    b.ne    3f
    add     x10, x10, #4
    msr     elr_el2, x10
2:  mov     x0, #-1
    eret
3:  mov     w0, #4
    b       report

// Saves what a C function may change. Interrupts stay masked until ERET, so ELR and SPSR need no saving (but in
// weft_port_preempt(), which opens interrupts, and saves them itself); the images are built without FP and SIMD
// registers.
interrupt:
    stp     x0, x1, [sp, #-176]!
    stp     x2, x3, [sp, #16]
    stp     x4, x5, [sp, #32]
    stp     x6, x7, [sp, #48]
    stp     x8, x9, [sp, #64]
    stp     x10, x11, [sp, #80]
    stp     x12, x13, [sp, #96]
    stp     x14, x15, [sp, #112]
    stp     x16, x17, [sp, #128]
    stp     x18, x30, [sp, #144]
    mrs     x0, tpidrro_el0             // in_isr() from here: see weft_image.hpp
    str     x0, [sp, #160]
    orr     x0, x0, #(1 << WEFT_IN_ISR_BIT)
    msr     tpidrro_el0, x0
    bl      aarch64_interrupt
    ldr     x0, [sp, #160]
    msr     tpidrro_el0, x0
    ldp     x18, x30, [sp, #144]
    ldp     x16, x17, [sp, #128]
    ldp     x14, x15, [sp, #112]
    ldp     x12, x13, [sp, #96]
    ldp     x10, x11, [sp, #80]
    ldp     x8, x9, [sp, #64]
    ldp     x6, x7, [sp, #48]
    ldp     x4, x5, [sp, #32]
    ldp     x2, x3, [sp, #16]
    ldp     x0, x1, [sp], #176
    eret

// w0 = vector. The stack pointer may be what went wrong: the report starts at the top of this core's stack.
report:
    mov     x1, sp
    mrs     x2, tpidrro_el0
    mov     w2, w2
    stack_top x3, x2
    mov     sp, x3
    b       aarch64_exception

// -----------------------------------------------------------------------------------------------------------
    .section .stacks, "aw", %nobits
    .balign 4096
stacks:
    .space  BOARD_CORES << STACK_SHIFT

// The third gigabyte: stacks, each in its slot of pages, of which the first ones have no memory.
    .section .rodata.stack_map, "a"
    .balign 4096
    .global aarch64_stack_map
aarch64_stack_map:
    .quad   stack_pages + TABLE
    .fill   511, 8, 0
stack_pages:
    .set    page, 0
    .rept   BOARD_CORES
    .fill   (1 << (SLOT_SHIFT - 12)) - (1 << (STACK_SHIFT - 12)), 8, 0
    .rept   1 << (STACK_SHIFT - 12)
    .quad   stacks + page + STACK_PAGE
    .set    page, page + 4096
    .endr
    .endr
    .fill   512 - (BOARD_CORES << (SLOT_SHIFT - 12)), 8, 0
