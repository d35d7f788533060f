# SPDX-License-Identifier: MIT OR Apache-2.0
# What every library of this port is compiled with. PORT_ARCH: where ARCH_FLAGS says nothing.
TOOLCHAIN := arm-none-eabi-
PORT_ARCH := -march=armv7-a -mthumb -mfloat-abi=soft
# Interrupt handlers and tasks share the FP and SIMD registers with nobody. The two compilers have different names for
# that.
PORT_FLAGS := $(if $(filter clang,$(COMPILER)),-mno-implicit-float,-mgeneral-regs-only)
