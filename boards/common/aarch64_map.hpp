// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the boards' translation tables (memory_map.S), for the assembler. Virtual = physical,
// constant, shared by all cores: four entries of 1 GiB (aarch64_start.S), each a block or a table of 512 blocks of
// 2 MiB; but for the third one, which is that of the stacks (aarch64_stack_map).
// Bits: Arm ARM, D8.3 (VMSAv8-64 translation table format descriptors).
#pragma once

#define BLOCK 0x1
#define PAGE 0x3
#define TABLE 0x3
#define ATTRIBUTE(n) ((n) << 2)  // of MAIR: 0 Device-nGnRE, 1 Normal (aarch64_start.S)
#define INNER_SHAREABLE (3 << 8)
#define ACCESSED (1 << 10)
#define NO_EL0_EXECUTE (1 << 54)  // EL1: UXN. EL2: XN, for the level itself
#define NO_EL1_EXECUTE (1 << 53)  // EL1: PXN
#define EL2_AP1 (1 << 6)          // RES1 where only one level is translated

#define DEVICE (BLOCK | ATTRIBUTE(0) | ACCESSED)
#define NORMAL (BLOCK | ATTRIBUTE(1) | ACCESSED | INNER_SHAREABLE)

#define DEVICE_EL1 (DEVICE | NO_EL0_EXECUTE | NO_EL1_EXECUTE)
#define NORMAL_EL1 (NORMAL | NO_EL0_EXECUTE)
#define DEVICE_EL2 (DEVICE | EL2_AP1 | NO_EL0_EXECUTE)
#define NORMAL_EL2 (NORMAL | EL2_AP1)

// Of a stack, at both levels. (No code runs at EL0, which it would be open to; what is, EL1 does not execute.)
#define STACK_PAGE (PAGE | ATTRIBUTE(1) | ACCESSED | INNER_SHAREABLE | EL2_AP1 | NO_EL0_EXECUTE)

// The table of one level, el1 or el2: a descriptor for each GiB but the third, 0 for none.
#define BOARD_MAP(level, first, second, fourth) \
    .balign 32;                                 \
    .global board_map_##level;                  \
    board_map_##level :.quad first, second, aarch64_stack_map + TABLE, fourth
