// SPDX-License-Identifier: MIT OR Apache-2.0
// boards/raspberry-pi-4b: the translation tables, for EL1 and for EL2. First gigabyte: RAM, of which the image uses
// 128 MiB. Third: stacks. Fourth: peripherals and the registers of the cores. The second one: faults.
#include "aarch64_map.hpp"

#define BLOCK_BYTES     0x200000
#define RAM_BLOCKS      64
#define DEVICE_BASE     0xc0000000

.macro first_gigabyte normal
    .set    address, 0
    .rept   RAM_BLOCKS
    .quad   address | \normal
    .set    address, address + BLOCK_BYTES
    .endr
    .fill   512 - RAM_BLOCKS, 8, 0
.endm

    .section .rodata.memory_map, "a"
    .balign 4096
first_el1:
    first_gigabyte NORMAL_EL1
first_el2:
    first_gigabyte NORMAL_EL2

BOARD_MAP(el1, first_el1 + TABLE, 0, DEVICE_BASE | DEVICE_EL1)
BOARD_MAP(el2, first_el2 + TABLE, 0, DEVICE_BASE | DEVICE_EL2)
