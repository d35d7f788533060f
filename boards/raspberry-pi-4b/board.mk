# SPDX-License-Identifier: MIT OR Apache-2.0
# Raspberry Pi 4 Model B: BCM2711, four Cortex-A72. As the Pi 3, at other addresses; config.txt leaves the GIC off.
# No QEMU line: the QEMU that this tree is tested with has no such machine.
SUMMARY := Raspberry Pi 4B, 4 Cortex-A72 at EL2; WFE, or WFI + mailbox; cores wait in the spin table; build-only
include boards/common/raspberry_pi.mk
BOARD_ONLY := -DRASPBERRY_PI=4
QEMU :=
VARIANTS :=
