# SPDX-License-Identifier: MIT OR Apache-2.0
# Raspberry Pi Pico 2: RP2350, its two Cortex-M33. The image lies in RAM (520 KiB with its data): the boot ROM loads it
# from a UF2 file and starts it; flash stays as it is. No QEMU line: no emulator that this tree is tested with has the
# chip.
SUMMARY      := Raspberry Pi Pico 2, two Cortex-M33, image in RAM; WFE/SEV, core 1 by FIFO handshake; build-only
PORT         := armv7m
CORES        := 2
ARCH_FLAGS   := -mcpu=cortex-m33 -mthumb -mfloat-abi=soft
BOARD_SOURCES := boards/rp2350/board.cpp boards/rp2350/start.S boards/rp2350/image_def.S boards/common/rp_arm.cpp \
                 boards/common/rp_chip.cpp boards/common/arm_m_start.cpp boards/common/arm_m_fault.cpp \
                 boards/common/arm_m_systick.cpp boards/common/arm_m_semihosting.cpp boards/common/pl011.cpp \
                 boards/common/semihosting.cpp boards/common/memory.cpp boards/common/report.cpp
# A trace reads the clock in each event.
BOARD_DEFINES := -DBOARD_RAM_KIB=256 $(if $(TRACE),-DWEFT_ARMV7M_CLOCK_REGISTER)
BOARD_ONLY   := -DARM_M_CODE_TOP=$(if $(filter flash,$(VARIANT)),0x10,0x20) -Iboards/rp2350
LINKER_SCRIPT := linker/rp2350$(if $(filter flash,$(VARIANT)),_flash).ld
LIBS         := -lgcc

# flash: the image lies in flash, which the UF2 file is written to.
VARIANTS     := flash
UF2_FAMILY   := rp2350-arm-s
# (target/rp2350.cfg is younger than OpenOCD 0.12.0.)
PROBES       := picotool openocd jlink
OPENOCD      := -f interface/cmsis-dap.cfg -f target/rp2350.cfg -c "adapter speed 5000"
JLINK_DEVICE := RP2350_M33_0
LOADED_TO    := $(if $(filter flash,$(VARIANT)),flash,ram)
UF2_ADDRESS  := $(if $(filter flash,$(VARIANT)),0x10000000,0x20000000)
