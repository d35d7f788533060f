# SPDX-License-Identifier: MIT OR Apache-2.0
# What every library of this port is compiled with. PORT_ARCH: where ARCH_FLAGS says nothing.
TOOLCHAIN := aarch64-none-elf- aarch64-elf- aarch64-linux-gnu-
PORT_ARCH := -march=armv8-a
# Interrupt handlers and tasks share the FP and SIMD registers with nobody; no calls into libgcc for atomics.
PORT_FLAGS := -mgeneral-regs-only -mno-outline-atomics
ifeq ($(PARK),wfi)
PORT_DEFINES := -DWEFT_PARK_WFI
endif
