# SPDX-License-Identifier: MIT OR Apache-2.0
# Raspberry Pi 3 Model B: BCM2837, four Cortex-A53, entered at EL2 by the firmware or its stand-in in QEMU.
SUMMARY := Raspberry Pi 3B, 4 Cortex-A53 at EL2; WFE, or WFI + mailbox; cores wait in the spin table; emulated
include boards/common/raspberry_pi.mk
BOARD_ONLY := -DRASPBERRY_PI=3
# Given the ELF file, QEMU starts all four cores in it, without a spin table.
RUN_AS := bin
QEMU_MACHINE := raspi3b

# fewer: the image is built for six cores, the chip has four. preempt: with a level that preempts.
VARIANTS := fewer preempt
ifeq ($(VARIANT),fewer)
CORES := 6
endif
QEMU := qemu-system-aarch64 -M $(QEMU_MACHINE)
