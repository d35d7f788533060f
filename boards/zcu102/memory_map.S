// SPDX-License-Identifier: MIT OR Apache-2.0
// boards/zcu102: the translation tables, for EL1 and for EL2. First gigabyte: RAM. Third: stacks.
// Fourth: devices. The second one: faults.
#include "aarch64_map.hpp"

#define RAM_BASE        0x00000000
#define DEVICE_BASE     0xc0000000

    .section .rodata.memory_map, "a"
BOARD_MAP(el1, RAM_BASE | NORMAL_EL1, 0, DEVICE_BASE | DEVICE_EL1)
BOARD_MAP(el2, RAM_BASE | NORMAL_EL2, 0, DEVICE_BASE | DEVICE_EL2)
