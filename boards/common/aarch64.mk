# SPDX-License-Identifier: MIT OR Apache-2.0
# What the AArch64 boards share; included by their board.mk.
PORT := aarch64
ARCH_FLAGS := -march=armv8-a -mstrict-align
LIBS := -lgcc
DEMO_PARK := wfi
# WFE blocks under the plugin; with WFI there is nothing for it to do.
WFE_PLUGIN := $(if $(filter wfi,$(PARK)),no,yes)
# Of boards without a GICv3: parking by WFI is the board's own.
PARK_OF_BOARD := $(if $(filter wfi,$(PARK)),-DWEFT_PARK_WFI_IMAGE)
AARCH64_SOURCES := $(addprefix boards/common/,aarch64_start.S aarch64_cores.cpp aarch64_interrupts.cpp \
    aarch64_counters.cpp aarch64_report.cpp aarch64_semihosting.S semihosting.cpp memory.cpp report.cpp)
