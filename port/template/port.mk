# SPDX-License-Identifier: MIT OR Apache-2.0
# PLACEHOLDER: prefixes of the cross compilers, the best first; the processor where ARCH_FLAGS does not say it; and what
# every library of this port needs: no FP and SIMD registers, no calls into a library for atomics.
TOOLCHAIN :=
PORT_ARCH :=
PORT_FLAGS :=
