# SPDX-License-Identifier: MIT OR Apache-2.0
# Raspberry Pi 3 and 4; included by boards/raspberry-pi-3b and -4b, which say what differs.
include boards/common/aarch64.mk
CORES := 4
BOARD_SOURCES := boards/common/raspberry_pi.cpp boards/common/raspberry_pi_start.S $(BOARD_FOLDER)/memory_map.S \
    boards/common/pl011.cpp $(AARCH64_SOURCES)
LINKER_SCRIPT := linker/raspberry-pi.ld
CARD_CONFIG := $(BOARD_FOLDER)/config.txt
BOARD_DEFINES := $(PARK_OF_BOARD)
