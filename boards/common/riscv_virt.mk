# SPDX-License-Identifier: MIT OR Apache-2.0
# QEMU's RISC-V `virt` machine; included by boards/qemu-virt-riscv64 and -riscv32, which set RISCV_XLEN and
# ARCH_FLAGS.
PORT := riscv
CORES := 4

# -misa-spec=2.2: the CSR and FENCE.I instructions are part of "i".
ARCH_FLAGS += -misa-spec=2.2

BOARD_SOURCES := boards/common/riscv_start.S boards/common/riscv_trap.cpp boards/common/riscv_virt.cpp \
                 boards/common/semihosting.cpp boards/common/memory.cpp \
                 boards/common/report.cpp
# Without it a spin loop holds QEMU's -icount round robin for 0.1 s of virtual time at a turn.
BOARD_DEFINES := -DWEFT_RELAX_WFI
LINKER_SCRIPT := linker/qemu-virt-riscv.ld
LIBS := -lgcc
QEMU_HARTS = $(CORES)
WFE_PLUGIN := no

# fewer:  two of the four cores never arrive.
# cores8: eight harts.
# offset: core 0 is hart 1, and hart 0 belongs to somebody else.
# pause:  relax() as on silicon (slow under -icount).
VARIANTS := fewer cores8 offset pause
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
ifeq ($(VARIANT),pause)
BOARD_DEFINES := $(filter-out -DWEFT_RELAX_WFI,$(BOARD_DEFINES))
endif

QEMU := qemu-system-riscv$(RISCV_XLEN) -M virt -bios none -smp $(QEMU_HARTS) -m 64 -nic none
SUMMARY := QEMU virt, $(CORES) RV$(RISCV_XLEN)IMAC harts in M-mode; park WFI + MSIP; all on from reset; emulated
