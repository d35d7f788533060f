// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, AArch64 port: the Power State Coordination Interface (Arm DEN0022), as far as the port calls it.
#pragma once

#include <stdint.h>

#include "weft_image.hpp"

namespace weft {
namespace psci {

// Function identifiers; SMC64 where an argument is an address or an affinity.
constexpr uint64_t cpu_off = 0x84000002;
constexpr uint64_t cpu_on = 0xc4000003;
constexpr uint64_t affinity_info = 0xc4000004;

// Return codes.
enum Result : int32_t {
    success = weft_power_comes,
    not_supported = -1,
    invalid_parameters = weft_power_absent,
    // All others mean: not now. ALREADY_ON (-4) and ON_PENDING (-5) too: a core of ours that is on is not asked for, so
    // this one does something else, or the image is sending it to the pen just now.
};
constexpr int32_t is_off = 1;  // of AFFINITY_INFO: this core is off. 0: on, 2: on its way

// SMC Calling Convention (Arm DEN0028): x0..x3 arguments and results, x4..x17 not preserved by version 1.0.
inline int32_t call(weft_psci_conduit conduit, uint64_t function, uint64_t a, uint64_t b, uint64_t c) {
    register uint64_t x0 asm("x0") = function;
    register uint64_t x1 asm("x1") = a;
    register uint64_t x2 asm("x2") = b;
    register uint64_t x3 asm("x3") = c;
#define WEFT_SMCCC_CALL(instruction)                                                                      \
    asm volatile(instruction                                                                              \
                 : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3)                                                 \
                 :                                                                                        \
                 : "memory", "cc", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", \
                   "x15", "x16", "x17")
    if (conduit == weft_psci_hvc) {
        WEFT_SMCCC_CALL("hvc #0");
    } else {
        WEFT_SMCCC_CALL("smc #0");
    }
#undef WEFT_SMCCC_CALL
    return static_cast<int32_t>(x0);
}

// AFFINITY_INFO of a core: is_off, another state, or why there is no answer (negative).
inline int32_t state_of(uint32_t core) {
    return call(weft_image_psci_conduit(), affinity_info, weft_image_mpidr(core), 0, 0);
}

}  // namespace psci
}  // namespace weft
