# SPDX-License-Identifier: MIT OR Apache-2.0
# What every library of this port is compiled with. PORT_ARCH: where ARCH_FLAGS says nothing.
TOOLCHAIN := riscv64-unknown-elf- riscv-none-elf- riscv64-linux-gnu-
# -misa-spec=2.2: the CSR and FENCE.I instructions are part of "i".
PORT_ARCH := -march=rv64imac -mabi=lp64 -misa-spec=2.2
# medany: at any address.
PORT_FLAGS := -mcmodel=medany
