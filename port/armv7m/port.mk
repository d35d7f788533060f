# SPDX-License-Identifier: MIT OR Apache-2.0
# What every library of this port is compiled with. PORT_ARCH: where ARCH_FLAGS says nothing.
TOOLCHAIN := arm-none-eabi-
PORT_ARCH := -mcpu=cortex-m33+nodsp -mthumb -mfloat-abi=soft
# No FP and SIMD registers (MVE) in the library; the two compilers have different names for that.
PORT_FLAGS := $(if $(filter clang,$(COMPILER)),-mno-implicit-float,-mgeneral-regs-only)
OPT := -Os
