# SPDX-License-Identifier: MIT OR Apache-2.0
# What the RISC-V boards share; included by their board.mk, which set ARCH_FLAGS first.
PORT := riscv
CORES := 4

# -misa-spec=2.2: the CSR and FENCE.I instructions are part of "i".
ARCH_FLAGS += -misa-spec=2.2
RISCV_SOURCES := $(addprefix boards/common/,riscv_start.S riscv_trap.cpp riscv_clint.cpp semihosting.cpp memory.cpp \
    report.cpp)
LINKER_SCRIPT := linker/riscv.ld
LIBS := -lgcc
WFE_PLUGIN := no
# Without it a spin loop holds QEMU's -icount round robin for 0.1 s of virtual time at a turn.
BOARD_DEFINES := -DWEFT_RELAX_WFI
