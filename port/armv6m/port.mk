# SPDX-License-Identifier: MIT OR Apache-2.0
# What every library of this port is compiled with. PORT_ARCH: where ARCH_FLAGS says nothing.
TOOLCHAIN := arm-none-eabi-
PORT_ARCH := -mcpu=cortex-m0plus -mthumb -mfloat-abi=soft
# No jump tables: for those GCC calls functions of libgcc here.
PORT_FLAGS := -fno-jump-tables
OPT := -Os
