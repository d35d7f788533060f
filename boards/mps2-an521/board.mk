# SPDX-License-Identifier: MIT OR Apache-2.0
# Arm MPS2+ with the AN521 image: two Cortex-M33 in one SSE-200 subsystem.
SUMMARY      := two Cortex-M33 (AN521), park WFE/SEV, core 1 released through CPUWAIT, emulated
PORT         := armv7m
CORES        := 2
ARCH_FLAGS   := -mcpu=cortex-m33+nodsp -mthumb -mfloat-abi=soft
BOARD_SOURCES := boards/mps2-an521/board.cpp boards/common/arm_m_start.cpp boards/common/arm_m_fault.cpp \
                 boards/common/arm_m_systick.cpp boards/common/arm_m_semihosting.cpp \
                 boards/common/cmsdk_uart.cpp boards/common/semihosting.cpp boards/common/memory.cpp \
                 boards/common/report.cpp
BOARD_DEFINES :=
LINKER_SCRIPT := linker/mps2-an521.ld
LIBS         := -lgcc
# No -nic none: the machine's LAN9118 then warns on each start that it has no peer.
QEMU         := qemu-system-arm -M mps2-an521
WFE_PLUGIN   := yes

# cores4: the image is built for four cores, the chip has two: starting cores 2 and 3 fails.
VARIANTS     := cores4
ifeq ($(VARIANT),cores4)
CORES        := 4
endif
