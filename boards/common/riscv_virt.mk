# SPDX-License-Identifier: MIT OR Apache-2.0
# QEMU's RISC-V `virt` machine; included by boards/qemu-virt-riscv64 and -riscv32, which set RISCV_XLEN and
# ARCH_FLAGS.
include boards/common/riscv.mk
BOARD_SOURCES := boards/common/riscv_virt.cpp $(RISCV_SOURCES)
BOARD_ONLY := -DRISCV_MTIME_HZ=10000000
# A trace reads the clock in each event.
BOARD_DEFINES += $(if $(TRACE),-DWEFT_RISCV_TIME_CSR)
QEMU_HARTS = $(CORES)

# fewer:  two of the four cores never arrive.
# cores8: eight harts.
# offset: core 0 is hart 1, and hart 0 belongs to somebody else.
# preempt: with a level that preempts.
# pause:  relax() as on silicon (slow under -icount).
# restart: core 0 may start over alone.
VARIANTS := fewer cores8 offset pause preempt quiesce elastic watch blocking mandatory metrics all restart
ifeq ($(VARIANT),fewer)
QEMU_HARTS = 2
endif
ifeq ($(VARIANT),cores8)
CORES := 8
endif
ifeq ($(VARIANT),offset)
QEMU_HARTS = 5
BOARD_DEFINES += -DWEFT_RISCV_FIRST_HART=1
endif
ifeq ($(VARIANT),restart)
BOARD_DEFINES += -DBOARD_RESTART=1
BOARD_SOURCES += boards/common/restart.cpp
endif
ifeq ($(VARIANT),pause)
BOARD_DEFINES := $(filter-out -DWEFT_RELAX_WFI,$(BOARD_DEFINES))
endif

QEMU := qemu-system-riscv$(RISCV_XLEN) -M virt -bios none -smp $(QEMU_HARTS) -m 64 -nic none
SUMMARY := QEMU virt, $(CORES) RV$(RISCV_XLEN)IMAC harts in M-mode; park WFI + MSIP; all on from reset; emulated
