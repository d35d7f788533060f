# SPDX-License-Identifier: MIT OR Apache-2.0
# Two Cortex-M33 in an SSE-200 subsystem; included by the board.mk of the boards that have one.
PORT         := armv7m
CORES        := 2
ARCH_FLAGS   := -mcpu=cortex-m33+nodsp -mthumb -mfloat-abi=soft
BOARD_SOURCES := $(BOARD_FOLDER)/board.cpp boards/common/sse200.cpp boards/common/arm_m_start.cpp \
                 boards/common/arm_m_fault.cpp boards/common/arm_m_systick.cpp boards/common/arm_m_semihosting.cpp \
                 boards/common/cmsdk_uart.cpp boards/common/semihosting.cpp boards/common/memory.cpp \
                 boards/common/report.cpp
BOARD_DEFINES :=
LIBS         := -lgcc
WFE_PLUGIN   := yes

# preempt: with a level that preempts. quiesce: with cores that stand still.
# cores4: the image is built for four cores, the chip has two: starting cores 2 and 3 fails.
# armv6m: code for cores without exclusives (Cortex-M0+), with the lock of that port played by this core's exclusives.
VARIANTS     := cores4 preempt quiesce elastic watch blocking mandatory metrics all armv6m
ifeq ($(VARIANT),cores4)
CORES        := 4
endif
ifeq ($(VARIANT),armv6m)
PORT         := armv6m
ARCH_FLAGS   := -mcpu=cortex-m0plus -mthumb -mfloat-abi=soft
BOARD_SOURCES += boards/common/arm_m_exclusive_lock.S
BOARD_ONLY := -DARM_M_MAINLINE=1
endif
