// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the block by which the boot ROM of RP2350 knows an image, in its first 4 KiB: for which cores it is, where it
// begins, with which stack. RP2350 datasheet, "Bootrom concepts", blocks and their items.

#ifdef __riscv
#include "riscv_board.hpp"
#endif

#define BLOCK_BEGIN 0xffffded3
#define BLOCK_END 0xab123579
#define ITEM_IMAGE_TYPE 0x42
#define ITEM_ENTRY_POINT 0x44
#define ITEM_LAST 0xff
#define EXECUTABLE 0x0001
#define SECURE 0x0020
#define RISCV 0x0100
#define FOR_RP2350 0x1000

    .section .image_def, "a"
    .balign 4
    .word   BLOCK_BEGIN
    .byte   ITEM_IMAGE_TYPE, 1      // words, this one included
#ifdef __riscv
    .short  EXECUTABLE | RISCV | FOR_RP2350
#else
    .short  EXECUTABLE | SECURE | FOR_RP2350
#endif
    .byte   ITEM_ENTRY_POINT, 3, 0, 0
#ifdef __riscv
    .word   _start
    .word   riscv_stacks + RISCV_STACK_BYTES
#else
    .word   rp2350_entry
    .word   arm_m_stack0_top
#endif
    .byte   ITEM_LAST
    .short  4                       // words of the items above
    .byte   0
    .word   0                       // the next block: this one, there is no other
    .word   BLOCK_END
