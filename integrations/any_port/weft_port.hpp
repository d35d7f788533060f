// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the port by what the compiler says of its machine, for build systems that take one list of sources for all
// machines. On the include path: this folder, and port/. A folder of a port before it on that path chooses by hand.
#pragma once

#if defined(__aarch64__)
#include "aarch64/weft_port.hpp"
#elif defined(__riscv)
#include "riscv/weft_port.hpp"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'A'
#include "armv7a/weft_port.hpp"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M' && defined(__ARM_FEATURE_LDREX)
#include "armv7m/weft_port.hpp"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#include "armv6m/weft_port.hpp"
#else
#error "weft: no port in port/ is for this machine (docs/PORTING.md says how to write one)"
#endif
