# SPDX-License-Identifier: MIT OR Apache-2.0
# What every library of this port is compiled with: the compiler of this machine.
TOOLCHAIN :=
PORT_FLAGS := -pthread
