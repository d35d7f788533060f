// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, AArch64 port: core 0 has started over and the others have not (docs/RESTART.md). Uses no memory of its own:
// core 0 calls this before it has initialised any, and the others when it may have done so.
#include <weft/port.hpp>

#include "../psci.hpp"
#include "generic/recall.hpp"

namespace {

using weft::Port;

// One that the firmware does not know, or has switched off for good, is no core of ours.
bool is_off(uint32_t core) {
    using namespace weft;
    const int32_t answer = psci::state_of(core);
    return answer == psci::is_off || (answer < 0 && answer != psci::not_supported);
}

}  // namespace

uint32_t weft_port_recall(uint32_t ticks) {
    if (weft_image_psci_conduit() == weft_psci_none) return Port::max_cores - 1;
    return weft::generic::recall<Port>(Port::max_cores, ticks, is_off, weft_image_recall);
}

void weft_port_recalled() {
    weft::psci::call(weft_image_psci_conduit(), weft::psci::cpu_off, 0, 0, 0);
    for (;;)
        asm volatile(
            "wfi");  // the firmware has denied it: then it is not seen as off, and does nothing any more
}
