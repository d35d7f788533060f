// SPDX-License-Identifier: MIT OR Apache-2.0
// boards/qemu-virt-aarch64: the translation tables, for EL1 and for EL2. First gigabyte: devices. Second: RAM. Third:
// stacks. Fourth: faults.
#include "aarch64_map.hpp"

#define DEVICE_BASE     0x00000000
#define RAM_BASE        0x40000000

    .section .rodata.memory_map, "a"
BOARD_MAP(el1, DEVICE_BASE | DEVICE_EL1, RAM_BASE | NORMAL_EL1, 0)
BOARD_MAP(el2, DEVICE_BASE | DEVICE_EL2, RAM_BASE | NORMAL_EL2, 0)
