# SPDX-License-Identifier: MIT OR Apache-2.0
# AMD ZCU102: Zynq UltraScale+, four Cortex-A53, entered at EL3 without firmware, or at EL1 or EL2 by one that has PSCI.
SUMMARY := ZCU102, 4 Cortex-A53 from EL3 to Secure EL1; WFE, or WFI + SGI; cores held in reset; emulated
include boards/common/aarch64.mk
CORES := 4
BOARD_SOURCES := boards/zcu102/board.cpp boards/zcu102/start.S boards/zcu102/memory_map.S \
    boards/common/aarch64_el3.S boards/common/gicv2.cpp $(AARCH64_SOURCES)
LINKER_SCRIPT := linker/zcu102.ld
BOARD_DEFINES := $(PARK_OF_BOARD)

# firmware: PSCI below, as the emulator has it itself. fewer: the image is built for six cores, the chip has four.
# preempt: with a level that preempts.
VARIANTS := firmware fewer preempt
QEMU_MACHINE := xlnx-zcu102,secure=on,virtualization=on
ifeq ($(VARIANT),firmware)
QEMU_MACHINE := xlnx-zcu102
endif
ifeq ($(VARIANT),fewer)
CORES := 6
endif
QEMU := qemu-system-aarch64 -M $(QEMU_MACHINE) -smp 4 -m 128 -nic none
