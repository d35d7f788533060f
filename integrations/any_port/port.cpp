// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the source of the port that weft_port.hpp beside it chooses.
#if defined(__aarch64__)
#include "aarch64/port.cpp"
#elif defined(__riscv)
#include "riscv/port.cpp"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'A'
#include "armv7a/port.cpp"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M' && defined(__ARM_FEATURE_LDREX)
#include "armv7m/port.cpp"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#include "armv6m/port.cpp"
#else
#error "weft: no port in port/ is for this machine (docs/PORTING.md says how to write one)"
#endif
