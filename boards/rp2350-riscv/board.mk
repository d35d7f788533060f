# SPDX-License-Identifier: MIT OR Apache-2.0
# Raspberry Pi Pico 2: RP2350, its two Hazard3 (RV32IMAC, machine mode). As boards/rp2350, in RAM.
SUMMARY := Raspberry Pi Pico 2, two Hazard3 (RV32IMAC), image in RAM; WFI + SIO soft interrupt; build-only
ARCH_FLAGS := -march=rv32imac -mabi=ilp32
include boards/common/riscv.mk
CORES := 2
BOARD_SOURCES := boards/rp2350-riscv/board.cpp boards/rp2350/image_def.S boards/common/rp_chip.cpp \
                 boards/common/pl011.cpp $(RISCV_SOURCES)
# SIO (RP2350 datasheet): RISCV_SOFTIRQ, MTIME, and MTIMECMP, of which each core sees its own.
BOARD_DEFINES := -DBOARD_RAM_KIB=256 -DWEFT_RISCV_SOFTIRQ
BOARD_ONLY    := -DRISCV_MSIP=0xd00001a0 -DRISCV_MTIME=0xd00001b0 -DRISCV_MTIMECMP=0xd00001b8 \
                 -DRISCV_MTIMECMP_BYTES=0 -DRISCV_MTIME_HZ=1000000 -Iboards/rp2350
LINKER_SCRIPT := linker/rp2350_riscv.ld

VARIANTS    := preempt
UF2_FAMILY  := rp2350-riscv
PROBES      := picotool openocd jlink
OPENOCD     := -f interface/cmsis-dap.cfg -f target/rp2350-riscv.cfg -c "adapter speed 5000"
JLINK_DEVICE := RP2350_RV32_0
LOADED_TO   := ram
UF2_ADDRESS := 0x20000000
