# SPDX-License-Identifier: MIT OR Apache-2.0
# Arm MPS2+ with the AN521 image: two Cortex-M33 in one SSE-200 subsystem.
SUMMARY      := two Cortex-M33 (AN521), park WFE/SEV, core 1 released through CPUWAIT, emulated
include boards/common/sse200.mk
LINKER_SCRIPT := linker/mps2-an521.ld
# A trace reads the clock in each event.
BOARD_DEFINES += $(if $(TRACE),$(if $(filter armv7m,$(PORT)),-DWEFT_ARMV7M_CLOCK_REGISTER))
# No -nic none: the machine's LAN9118 then warns on each start that it has no peer.
QEMU         := qemu-system-arm -M mps2-an521
