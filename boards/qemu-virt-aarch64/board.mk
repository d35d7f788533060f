# SPDX-License-Identifier: MIT OR Apache-2.0
# boards/qemu-virt-aarch64: QEMU `virt`, GICv3, PSCI. Variables only.
SUMMARY := QEMU virt, 4 Cortex-A53 (EL1, EL2; up to 8 cores); WFE or WFI+SGI; PSCI CPU_ON; emulated

CORES := 4
include boards/common/aarch64.mk
BOARD_SOURCES := boards/qemu-virt-aarch64/board.cpp boards/qemu-virt-aarch64/memory_map.S \
    boards/common/gicv3.cpp boards/common/pl011.cpp $(AARCH64_SOURCES)
BOARD_DEFINES :=
LINKER_SCRIPT := linker/qemu-virt-aarch64.ld

# el2: entered at EL2. lse: Armv8.1 atomics. cores8: more cores. cores24: as many as a pool may have. fewer: two of
# four cores do not exist. preempt: with a level that preempts. quiesce: with cores that stand still. elastic:
# with cores that leave. elastic-off: and are off then. restart: core 0 may start over alone.
VARIANTS := el2 lse cores8 cores24 fewer preempt quiesce elastic elastic-off watch blocking mandatory metrics newest \
    all restart
QEMU_MACHINE := virt,gic-version=3
QEMU_CPU := cortex-a53
QEMU_CORES := 4
ifeq ($(VARIANT),el2)
QEMU_MACHINE := virt,gic-version=3,virtualization=on
endif
ifeq ($(VARIANT),lse)
QEMU_CPU := neoverse-n1
ARCH_FLAGS := $(subst -march=armv8-a,-march=armv8.1-a,$(ARCH_FLAGS))
endif
ifeq ($(VARIANT),cores8)
CORES := 8
QEMU_CORES := 8
endif
ifeq ($(VARIANT),cores24)
CORES := 24
QEMU_CORES := 24
BOARD_DEFINES += -DWEFT_MAX_CORES=24
endif
ifeq ($(VARIANT),elastic-off)
BOARD_DEFINES += -DWEFT_POWER_OFF=1
endif
ifeq ($(VARIANT),restart)
BOARD_DEFINES += -DBOARD_RESTART=1
BOARD_SOURCES += boards/common/restart.cpp
endif
ifeq ($(VARIANT),fewer)
QEMU_CORES := 2
endif
QEMU := qemu-system-aarch64 -M $(QEMU_MACHINE) -cpu $(QEMU_CPU) -smp $(QEMU_CORES) -m 128 -nic none
