// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, AArch64 port: how a software-generated interrupt is asked for on a GICv3. Images may use it, too.
#pragma once

#include <stdint.h>

// What is written to ICC_SGI1R_EL1 (Arm IHI0069) for the core with this affinity (MPIDR_EL1): Aff3 55..48,
// RangeSelector 47..44, Aff2 39..32, INTID 27..24, Aff1 23..16, TargetList 15..0.
inline uint64_t gicv3_sgi_request(uint64_t mpidr, uint32_t sgi) {
    const uint64_t aff0 = mpidr & 0xff;
    return ((mpidr >> 32 & 0xff) << 48) | ((aff0 >> 4) << 44) | ((mpidr >> 16 & 0xff) << 32) |
           (static_cast<uint64_t>(sgi) << 24) | ((mpidr >> 8 & 0xff) << 16) | (uint64_t{1} << (aff0 & 0xf));
}
