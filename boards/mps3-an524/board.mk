# SPDX-License-Identifier: MIT OR Apache-2.0
# Arm MPS3 with the AN524 image: two Cortex-M33 in one SSE-200 subsystem, and as little RAM as a microcontroller has.
SUMMARY      := two Cortex-M33 (AN524), 128 KiB of RAM, park WFE/SEV, core 1 released through CPUWAIT, emulated
include boards/common/sse200.mk
BOARD_DEFINES += -DBOARD_RAM_KIB=128
LINKER_SCRIPT := linker/mps3-an524.ld
# No -nic none: as for mps2-an521.
QEMU         := qemu-system-arm -M mps3-an524
