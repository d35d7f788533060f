// SPDX-License-Identifier: MIT OR Apache-2.0
// boards/qemu-virt-aarch64: the translation tables, for EL1 and for EL2. First gigabyte: devices. Second: RAM. The
// others: faults.
#include "aarch64_map.hpp"

#define DEVICE_BASE     0x00000000
#define RAM_BASE        0x40000000

    .section .rodata.memory_map, "a"
    .balign 32                          // four entries of eight bytes
    .global board_map_el1
board_map_el1:
    .quad   DEVICE_BASE | DEVICE_EL1
    .quad   RAM_BASE | NORMAL_EL1
    .quad   0
    .quad   0

    .balign 32
    .global board_map_el2
board_map_el2:
    .quad   DEVICE_BASE | DEVICE_EL2
    .quad   RAM_BASE | NORMAL_EL2
    .quad   0
    .quad   0
