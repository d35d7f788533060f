# SPDX-License-Identifier: MIT OR Apache-2.0
# QEMU `virt`, four 32-bit harts.
RISCV_XLEN := 32
ARCH_FLAGS := -march=rv32imac -mabi=ilp32
include boards/common/riscv_virt.mk
