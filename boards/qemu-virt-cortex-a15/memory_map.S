// SPDX-License-Identifier: MIT OR Apache-2.0
// boards/qemu-virt-cortex-a15: the translation table: virtual = physical, 1 GiB blocks, constant, shared by all cores.
// First gigabyte: devices. Second: RAM. Third: stacks (armv7a_start.S). Fourth: faults. Descriptor bits: Arm ARM for
// Armv7-A, B3.6 (long-descriptor translation table format).

#define BLOCK           0x1
#define TABLE           0x3
#define ATTRIBUTE(n)    ((n) << 2)      // of MAIR0: 0 Device, 1 Normal (armv7a_start.S)
#define INNER_SHAREABLE (3 << 8)
#define ACCESSED        (1 << 10)
#define NO_EXECUTE      (1 << 54)

    .section .rodata.memory_map, "a"
    .balign 32                          // four entries of eight bytes
    .global board_map
board_map:
    .quad   0x00000000 | BLOCK | ATTRIBUTE(0) | ACCESSED | NO_EXECUTE
    .quad   0x40000000 | BLOCK | ATTRIBUTE(1) | ACCESSED | INNER_SHAREABLE
    .word   armv7a_stack_map + TABLE, 0
    .quad   0
