// SPDX-License-Identifier: MIT OR Apache-2.0
// boards/qemu-virt-aarch64: the translation tables, for EL1 and for EL2: virtual = physical, 1 GiB blocks,
// constant, shared by all cores. First gigabyte: devices. Second: RAM. Third and fourth: faults.
// Descriptor bits: Arm ARM, D8.3 (VMSAv8-64 translation table format descriptors).

#define BLOCK           0x1
#define ATTRIBUTE(n)    ((n) << 2)      // of MAIR: 0 Device-nGnRE, 1 Normal (aarch64_start.S)
#define INNER_SHAREABLE (3 << 8)
#define ACCESSED        (1 << 10)
#define NO_EL0_EXECUTE  (1 << 54)       // EL1: UXN. EL2: XN, for the level itself
#define NO_EL1_EXECUTE  (1 << 53)       // EL1: PXN
#define EL2_AP1         (1 << 6)        // RES1 where only one level is translated

#define DEVICE_BASE     0x00000000
#define RAM_BASE        0x40000000

#define DEVICE          (BLOCK | ATTRIBUTE(0) | ACCESSED)
#define NORMAL          (BLOCK | ATTRIBUTE(1) | ACCESSED | INNER_SHAREABLE)

    .section .rodata.memory_map, "a"
    .balign 32                          // four entries of eight bytes
    .global board_map_el1
board_map_el1:
    .quad   DEVICE_BASE | DEVICE | NO_EL0_EXECUTE | NO_EL1_EXECUTE
    .quad   RAM_BASE | NORMAL | NO_EL0_EXECUTE
    .quad   0
    .quad   0

    .balign 32
    .global board_map_el2
board_map_el2:
    .quad   DEVICE_BASE | DEVICE | EL2_AP1 | NO_EL0_EXECUTE
    .quad   RAM_BASE | NORMAL | EL2_AP1
    .quad   0
    .quad   0
