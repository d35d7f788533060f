# SPDX-License-Identifier: MIT OR Apache-2.0
# SiFive FU540 (HiFive Unleashed): four U54 harts, 1 to 4; hart 0, a small E51 without supervisor mode, sleeps.
SUMMARY := SiFive FU540, U54 harts 1 to 4 of 5 in M-mode; park WFI + MSIP; all on from reset; emulated
ARCH_FLAGS := -march=rv64imac -mabi=lp64
include boards/common/riscv.mk
BOARD_SOURCES := boards/sifive-u/board.cpp $(RISCV_SOURCES)
BOARD_DEFINES += -DWEFT_RISCV_FIRST_HART=1
BOARD_ONLY := -DRISCV_MTIME_HZ=1000000

# preempt: with a level that preempts.
# fewer: two of the four cores never arrive.
VARIANTS := fewer preempt
QEMU_HARTS := 5
ifeq ($(VARIANT),fewer)
QEMU_HARTS := 3
endif
QEMU := qemu-system-riscv64 -M sifive_u -bios none -smp $(QEMU_HARTS) -m 128 -nic none
