# SPDX-License-Identifier: MIT OR Apache-2.0
# boards/qemu-virt-cortex-a15: QEMU `virt` with 32-bit cores, GICv2, PSCI. Variables only.
SUMMARY := QEMU virt, 4 Cortex-A15 (32 bits), park WFE/SEV, PSCI CPU_ON, emulated

PORT := armv7a
CORES := 4
ARCH_FLAGS := -mcpu=cortex-a15 -mthumb -mfloat-abi=soft

BOARD_SOURCES := boards/qemu-virt-cortex-a15/board.cpp boards/qemu-virt-cortex-a15/memory_map.S \
    boards/common/armv7a_start.S boards/common/armv7a_interrupts.cpp boards/common/armv7a_report.cpp \
    boards/common/gicv2.cpp boards/common/pl011.cpp boards/common/semihosting.cpp boards/common/memory.cpp \
    boards/common/report.cpp
BOARD_DEFINES :=
LINKER_SCRIPT := linker/qemu-virt-cortex-a15.ld
LIBS := -lgcc

# arm: ARM code instead of Thumb, on Cortex-A7, with two of the four cores missing. preempt: with a level that preempts.
# quiesce: with cores that stand still.
VARIANTS := arm preempt quiesce all
QEMU_CPU := cortex-a15
QEMU_CORES := 4
# WFE blocks under the plugin, which knows Thumb code.
WFE_PLUGIN := yes
ifeq ($(VARIANT),arm)
ARCH_FLAGS := -mcpu=cortex-a7 -marm -mfloat-abi=soft
QEMU_CPU := cortex-a7
QEMU_CORES := 2
WFE_PLUGIN := no
endif
QEMU := qemu-system-arm -M virt -cpu $(QEMU_CPU) -smp $(QEMU_CORES) -m 128 -nic none
