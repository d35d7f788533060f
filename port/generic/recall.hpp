// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: how core 0 calls the others in when it alone has started over, before it initialises memory (docs/RESTART.md).
// What stands here uses no memory but its stack.
#pragma once

#include <stdint.h>

namespace weft {
namespace generic {

// Core 0. send(core): makes the interrupt pending; again and again until has_left(core). Returns how many have not when
// `ticks` are over.
template <class Port, class HasLeft, class Send>
uint32_t recall(uint32_t cores, uint32_t ticks, HasLeft has_left, Send send) {
    const uint32_t begin = Port::now();
    for (;;) {
        uint32_t missing = 0;
        for (uint32_t core = 1; core != cores; ++core) {
            if (has_left(core)) continue;
            ++missing;
            send(core);
        }
        if (missing == 0 || Port::now() - begin >= ticks) return missing;
        Port::relax();
    }
}

}  // namespace generic
}  // namespace weft
