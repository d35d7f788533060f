// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: start-up, trap entry and semihosting trap of RISC-V harts in machine mode without firmware.
#include "riscv_board.hpp"

#ifndef WEFT_RISCV_FIRST_HART
#define WEFT_RISCV_FIRST_HART 0
#endif

#if __riscv_xlen == 64
#define SAVE sd
#define LOAD ld
#define REG_BYTES 8
#else
#define SAVE sw
#define LOAD lw
#define REG_BYTES 4
#endif

#define MSTATUS_MIE 8
#define MSI 8                      /* MSIE in mie, MSIP in mip */
#define MTI 0x80                   /* MTIE */
#if WEFT_PREEMPTION
#define MIE_AT_START MSI           /* an interrupt of the port's */
#else
#define MIE_AT_START 0
#endif
#define CAUSE_BREAKPOINT 3
#define PMP_GUARD 0x98             /* locked, so for machine mode too; NAPOT; no access */
#define FRAME_BYTES (16 * REG_BYTES)

// Interrupts that are on from the start: with BOARD_RESTART the timer's, by which core 0 calls the others in.
    .macro  ENABLE_TIMER
#if BOARD_RESTART
    li      t0, MTI
    csrs    mie, t0
#endif
    .endm

// No linker relaxation in this file: gp is not set yet where it begins, and lld 14 cannot relax alignments.
    .option norelax

// Every hart enters here at reset, mstatus.MIE off, the other CSRs as they like ("Privileged", "Reset").
    .section .text.start, "ax", @progbits
    .globl  _start
    .type   _start, @function
#if BOARD_RESTART
    .globl  weft_image_secondary_start
weft_image_secondary_start:
#endif
_start:
    la      gp, __global_pointer$
    csrw    mie, zero
    csrw    mscratch, zero         // not in a handler (Port::in_isr)
    la      t0, riscv_trap_vector
    ori     t0, t0, 1              // vectored
    csrw    mtvec, t0

    csrr    a0, mhartid
    addi    a0, a0, -WEFT_RISCV_FIRST_HART
    li      t0, BOARD_CORES
    bgeu    a0, t0, unused_hart
    li      t1, RISCV_STACK_BYTES
    addi    t0, a0, 1
    mul     t0, t0, t1
    la      sp, riscv_stacks
    add     sp, sp, t0
    li      t1, -RISCV_STACK_BYTES
    add     t1, sp, t1             // this core's guard ("Privileged", Physical Memory Protection)
    srli    t1, t1, 2
    ori     t1, t1, RISCV_GUARD_BYTES / 8 - 1
    csrw    pmpaddr0, t1
    li      t1, 0xff
    csrc    pmpcfg0, t1
    li      t1, PMP_GUARD
    csrs    pmpcfg0, t1
    bnez    a0, secondary

#if BOARD_RESTART
    call    board_recall
#endif
    la      t0, __bss_start        // .data is in place: the image is loaded to RAM
    la      t1, __bss_end
1:  bgeu    t0, t1, 2f
    SAVE    zero, 0(t0)
    addi    t0, t0, REG_BYTES
    j       1b
2:
#if BOARD_RESTART
    call    weft_port_release
#elif !defined(WEFT_RISCV_SOFTIRQ) /* else the board sends for them */
    fence   rw, ow                 // memory is initialised before the other harts are told so
    lla     t0, weft_image_msip
    LOAD    t0, 0(t0)
    li      t1, BOARD_CORES
    li      t2, 1
3:  addi    t1, t1, -1
    beqz    t1, 4f
    addi    t0, t0, 4              // MSIP of core 1, 2, ...; a hart that is not there ignores it
    sw      t2, 0(t0)
    j       3b
4:
#endif
#if WEFT_PREEMPTION
    csrwi   mie, MIE_AT_START
#endif
    ENABLE_TIMER
    csrsi   mstatus, MSTATUS_MIE
    call    riscv_boot

// a0 = core. MSIP stays set: the port takes it for an event, and park() may return early.
secondary:
#if BOARD_RESTART
    mv      s0, a0
    call    weft_port_land
    mv      a0, s0
    csrwi   mie, MIE_AT_START
#else
    csrwi   mie, MSI               // for the WFI alone: mstatus.MIE is off
1:  wfi
    csrr    t0, mip
    andi    t0, t0, MSI
    beqz    t0, 1b
    csrwi   mie, MIE_AT_START
    fence   i, rw                  // reading mip is device input ("Zicsr", CSR access ordering)
#endif
    ENABLE_TIMER
    csrsi   mstatus, MSTATUS_MIE
    call    riscv_secondary

#if BOARD_RESTART
// board::restart(): what a reset would leave of this hart.
    .globl  riscv_restart
riscv_restart:
    csrci   mstatus, MSTATUS_MIE
    csrw    mie, zero
    csrw    mtvec, zero
    li      t0, -16
    .irp    register, ra, sp, gp, tp, t1, t2, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
    mv      \register, t0
    .endr
    .irp    register, a0, a1, a2, a3, a4, a5, a6, a7, t3, t4, t5, t6
    mv      \register, t0
    .endr
    j       _start
#endif

unused_hart:                       // nothing is enabled in mie: sleeps for ever
    wfi
    j       unused_hart
    .size   _start, . - _start

// Exceptions enter at the base, interrupt n at base + 4·n ("Privileged", mtvec). Only the timer (7) is ever
// enabled, and with a level that preempts the software interrupt (3).
    .section .text.trap, "ax", @progbits
    .balign 256
    .option push
    .option norvc
    .globl  riscv_trap_vector
riscv_trap_vector:
    j       exception
    .rept 2
    j       fatal
    .endr
#if WEFT_PREEMPTION
    j       software_interrupt
#else
    j       fatal
#endif
    .rept 3
    j       fatal
    .endr
    j       timer_interrupt
    .rept 8
    j       fatal
    .endr
    .option pop

// Interrupts stay masked until MRET, so there is one level: mscratch goes from 0 to non-zero and back. But for
// weft_port_software_interrupt, which opens them for tasks, with mscratch 0.
    .macro  HANDLER function
    addi    sp, sp, -FRAME_BYTES
    SAVE    ra, 0 * REG_BYTES(sp)
    SAVE    t0, 1 * REG_BYTES(sp)
    SAVE    t1, 2 * REG_BYTES(sp)
    SAVE    t2, 3 * REG_BYTES(sp)
    SAVE    t3, 4 * REG_BYTES(sp)
    SAVE    t4, 5 * REG_BYTES(sp)
    SAVE    t5, 6 * REG_BYTES(sp)
    SAVE    t6, 7 * REG_BYTES(sp)
    SAVE    a0, 8 * REG_BYTES(sp)
    SAVE    a1, 9 * REG_BYTES(sp)
    SAVE    a2, 10 * REG_BYTES(sp)
    SAVE    a3, 11 * REG_BYTES(sp)
    SAVE    a4, 12 * REG_BYTES(sp)
    SAVE    a5, 13 * REG_BYTES(sp)
    SAVE    a6, 14 * REG_BYTES(sp)
    SAVE    a7, 15 * REG_BYTES(sp)
    csrw    mscratch, sp
    call    \function
    csrw    mscratch, zero
    LOAD    ra, 0 * REG_BYTES(sp)
    LOAD    t0, 1 * REG_BYTES(sp)
    LOAD    t1, 2 * REG_BYTES(sp)
    LOAD    t2, 3 * REG_BYTES(sp)
    LOAD    t3, 4 * REG_BYTES(sp)
    LOAD    t4, 5 * REG_BYTES(sp)
    LOAD    t5, 6 * REG_BYTES(sp)
    LOAD    t6, 7 * REG_BYTES(sp)
    LOAD    a0, 8 * REG_BYTES(sp)
    LOAD    a1, 9 * REG_BYTES(sp)
    LOAD    a2, 10 * REG_BYTES(sp)
    LOAD    a3, 11 * REG_BYTES(sp)
    LOAD    a4, 12 * REG_BYTES(sp)
    LOAD    a5, 13 * REG_BYTES(sp)
    LOAD    a6, 14 * REG_BYTES(sp)
    LOAD    a7, 15 * REG_BYTES(sp)
    addi    sp, sp, FRAME_BYTES
    mret
    .endm

timer_interrupt:
    HANDLER riscv_timer_interrupt
#if WEFT_PREEMPTION
software_interrupt:
    HANDLER weft_port_software_interrupt
#endif

// An EBREAK of riscv_semihosting comes here only if nobody serves it: go on behind it with -1. That function
// is called by the C rules, so the temporaries are free.
exception:
    csrr    t0, mcause
    li      t1, CAUSE_BREAKPOINT
    bne     t0, t1, fatal
    csrr    t0, mepc
    lla     t1, semihosting_ebreak
    bne     t0, t1, fatal
    addi    t0, t0, 4
    csrw    mepc, t0
    li      a0, -1
    mret

// Never returns, so every register may go.
fatal:
    csrr    a0, mhartid
    li      t1, RISCV_PANIC_STACK_BYTES
    addi    t0, a0, 1 - WEFT_RISCV_FIRST_HART
    mul     t0, t0, t1
    la      sp, riscv_panic_stacks
    add     sp, sp, t0
    csrr    a1, mcause
    csrr    a2, mepc
    csrr    a3, mtval
    call    riscv_fatal_trap

// "RISC-V Semihosting": these three, uncompressed, within one page. Aligned to 16, 12 bytes cannot straddle
// one.
    .section .text.semihosting, "ax", @progbits
    .balign 16
    .globl  riscv_semihosting
    .type   riscv_semihosting, @function
    .option push
    .option norvc
riscv_semihosting:
    slli    zero, zero, 0x1f
semihosting_ebreak:
    ebreak
    srai    zero, zero, 7
    ret
    .option pop
    .size   riscv_semihosting, . - riscv_semihosting

    .section .stacks, "aw", @nobits
    .balign RISCV_GUARD_BYTES
    .globl  riscv_stacks
riscv_stacks:
    .space  BOARD_CORES * RISCV_STACK_BYTES
riscv_panic_stacks:
    .space  BOARD_CORES * RISCV_PANIC_STACK_BYTES
