// SPDX-License-Identifier: MIT OR Apache-2.0
// The smallest start-up that weft can live with, RV64 in machine mode: every hart enters at _start.
#define CORES 4
#define STACK_BYTES 4096
#define MSIP 0x02000000                  /* the CLINT's first word: an event for each hart */

    .option norelax                      // gp is not set yet
    .section .text.start, "ax"
    .globl  _start
_start:
    la      gp, __global_pointer$
    csrw    mie, zero
    csrw    mscratch, zero               // not in an interrupt handler
    la      t0, trap
    csrw    mtvec, t0
    csrr    a0, mhartid
    li      t0, CORES
    bgeu    a0, t0, unused
    addi    t0, a0, 1                    // each hart has a stack of its own
    slli    t0, t0, 12
    la      sp, stacks
    add     sp, sp, t0
    bnez    a0, secondary

    la      t0, __bss_start              // hart 0 sets memory up, ...
    la      t1, __bss_end
1:  bgeu    t0, t1, 2f
    sd      zero, 0(t0)
    addi    t0, t0, 8
    j       1b
2:  fence   rw, ow
    li      t0, MSIP                     // ... tells the others, ...
    li      t1, 1
    sw      t1, 4(t0)
    sw      t1, 8(t0)
    sw      t1, 12(t0)
    call    main                         // ... and runs main()
    call    finish

secondary:
    csrwi   mie, 8                       // WFI ends with a software interrupt, which is not taken
1:  wfi
    csrr    t0, mip
    andi    t0, t0, 8
    beqz    t0, 1b
    csrw    mie, zero
    fence   i, rw
    call    weft_port_secondary          // waits there until the pool wants this hart; a0 is its number

unused:
    wfi
    j       unused

    .balign 4
trap:                                    // this image has no interrupts: a trap is the end
    la      a0, trapped
    csrr    a1, mhartid
    li      a2, 0
    call    weft_image_panic

    .section .rodata
trapped:
    .string "a trap"

    .section .stacks, "aw", @nobits
    .balign 16
    .globl  stacks
stacks:
    .skip   CORES * STACK_BYTES
