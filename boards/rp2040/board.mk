# SPDX-License-Identifier: MIT OR Apache-2.0
# Raspberry Pi Pico: RP2040, two Cortex-M0+. The image lies in RAM (264 KiB with its data): the boot ROM loads it from
# a UF2 file and starts it; flash stays as it is. The emulator is rp2040js, with two cores by tools/rp2040/dual.cjs.
SUMMARY      := Raspberry Pi Pico, two Cortex-M0+, image in RAM; park WFE/SEV, core 1 by FIFO handshake, emulated
PORT         := armv6m
CORES        := 2
ARCH_FLAGS   := -mcpu=cortex-m0plus -mthumb -mfloat-abi=soft
BOARD_SOURCES := boards/rp2040/board.cpp boards/rp2040/start.S boards/common/rp_arm.cpp \
                 boards/common/rp_chip.cpp boards/common/arm_m_start.cpp \
                 boards/common/arm_m_fault.cpp boards/common/arm_m_systick.cpp boards/common/arm_m_semihosting.cpp \
                 boards/common/pl011.cpp boards/common/semihosting.cpp boards/common/memory.cpp \
                 boards/common/report.cpp
# (Cortex-M0+ multiplies 32 bits: the demo's 64-bit products are calls.)
BOARD_DEFINES := -DBOARD_RAM_KIB=128 -DDEMO_MOST_STEPS=500
BOARD_ONLY   := -DARM_M_CODE_TOP=0x20 -Iboards/rp2040
LINKER_SCRIPT := linker/rp2040.ld
LIBS         := -lgcc

# The file that the boot ROM loads, and what the emulator loads in its place.
UF2_FAMILY   := rp2040
UF2_ADDRESS  := 0x20000000
RUN_AS       := uf2

# On a real one: over USB with BOOTSEL held down; or by SWD, the two pins that a debug probe or J-Link has.
PROBES       := picotool openocd jlink
OPENOCD      := -f interface/cmsis-dap.cfg -f target/rp2040.cfg -c "adapter speed 5000"
JLINK_DEVICE := RP2040_M0_0
LOADED_TO    := ram
QEMU         := node tools/rp2040/dual.cjs
