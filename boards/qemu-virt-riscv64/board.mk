# SPDX-License-Identifier: MIT OR Apache-2.0
# QEMU `virt`, four 64-bit harts.
RISCV_XLEN := 64
ARCH_FLAGS := -march=rv64imac -mabi=lp64
include boards/common/riscv_virt.mk
