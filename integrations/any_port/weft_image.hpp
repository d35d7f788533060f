// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: what the port of this machine asks of the image, as weft_port.hpp beside it chooses the port.
#pragma once

#if defined(__aarch64__)
#include "aarch64/weft_image.hpp"
#elif defined(__riscv)
#include "riscv/weft_image.hpp"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'A'
#include "armv7a/weft_image.hpp"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M' && defined(__ARM_FEATURE_LDREX)
#include "armv7m/weft_image.hpp"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#include "armv6m/weft_image.hpp"
#endif
