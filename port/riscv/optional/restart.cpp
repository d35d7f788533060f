// SPDX-License-Identifier: MIT OR Apache-2.0
// weft/port/riscv: core 0 has started over and the other harts have not (docs/RESTART.md).
#include <weft/port.hpp>

#include "generic/landing.hpp"

namespace weft {
namespace {

[[gnu::section(".noinit")]] generic::Landing<Port> landing{};

}  // namespace
}  // namespace weft

uint32_t weft_port_recall(uint32_t ticks) {
    return weft::landing.recall(weft_image_cores, ticks, weft_image_recall);
}

void weft_port_release() { weft::landing.release(weft_image_cores); }

// The event is not wanted: what is looked at after it is seen, and until then the hart sleeps.
void weft_port_land(uint32_t core) {
    weft::riscv::write32(weft::riscv::msip(core), weft::riscv::msip_clear(core));
    asm volatile("fence o, r" : : : "memory");
    weft::landing.land(core, weft::Port::nap);
}

void weft_port_recalled() {
    if (weft::landing.is_recalled(weft::Port::core_id())) weft_image_secondary_start();
}
