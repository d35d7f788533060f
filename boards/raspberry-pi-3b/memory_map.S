// SPDX-License-Identifier: MIT OR Apache-2.0
// boards/raspberry-pi-3b: the translation tables, for EL1 and for EL2. First gigabyte: RAM, of which the image uses
// 128 MiB (the last part is the GPU's), and from 0x3f000000 on the peripherals. Second: the registers of the cores.
// Third: stacks. Fourth: faults.
#include "aarch64_map.hpp"

#define BLOCK_BYTES     0x200000
#define RAM_BLOCKS      64
#define DEVICE_BASE     0x3f000000
#define DEVICE_BLOCKS   8
#define LOCAL_BASE      0x40000000

.macro first_gigabyte normal, device
    .set    address, 0
    .rept   RAM_BLOCKS
    .quad   address | \normal
    .set    address, address + BLOCK_BYTES
    .endr
    .fill   512 - RAM_BLOCKS - DEVICE_BLOCKS, 8, 0
    .set    address, DEVICE_BASE
    .rept   DEVICE_BLOCKS
    .quad   address | \device
    .set    address, address + BLOCK_BYTES
    .endr
.endm

    .section .rodata.memory_map, "a"
    .balign 4096
first_el1:
    first_gigabyte NORMAL_EL1, DEVICE_EL1
first_el2:
    first_gigabyte NORMAL_EL2, DEVICE_EL2

BOARD_MAP(el1, first_el1 + TABLE, LOCAL_BASE | DEVICE_EL1, 0)
BOARD_MAP(el2, first_el2 + TABLE, LOCAL_BASE | DEVICE_EL2, 0)
