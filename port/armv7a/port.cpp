// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, ARMv7-A port: starting cores.
#include <weft/port.hpp>

#include "generic/switched_cores.hpp"

namespace weft {
namespace {

generic::SwitchedCores<Port> cores;

}  // namespace

Port::Start Port::start_core(uint32_t core, void (*entry)(void*), void* arg) {
    return cores.start(core, entry, arg);
}

bool Port::cancel_start(uint32_t core, void* arg) { return cores.cancel(core, arg); }

void Port::vacate() { cores.vacate(); }

#if WEFT_QUIESCE
bool Port::is_penned(uint32_t core) { return cores.is_penned(core); }
#endif

}  // namespace weft

extern "C" [[noreturn]] void weft_port_secondary(uint32_t core) {
    using weft::Port;
    if (core >= Port::max_cores || core != Port::core_id()) {
        Port::panic("weft: TPIDRPRW is not the core's number", core, nullptr);
    }
    weft::cores.wait(core);
}
