// SPDX-License-Identifier: MIT OR Apache-2.0
// weft/port/riscv: starting cores. All harts are on from reset; the ones that run nothing wait in the pen.
#include <weft/port.hpp>

#include "generic/mailbox.hpp"

namespace weft {
namespace {

struct alignas(Port::cache_line) Mailbox : generic::Mailbox<Port> {};

Mailbox mailboxes[Port::max_cores];

}  // namespace

// Core 0 runs main() and never comes to the pen. A caller's own mailbox, like that of every core that runs an
// entry, is taken: post() refuses. A hart that has not arrived yet finds the entry when it does (or not,
// after a cancel_start).
Port::Start Port::start_core(uint32_t core, void (*entry)(void*), void* arg) {
    if (core >= max_cores || core >= weft_image_cores) return Start::absent;
    if (core == 0) return Start::refused;
    if (!mailboxes[core].post(entry, arg)) return Start::refused;
    unpark(core);  // the post comes before the event: the look after the park() that it ends sees it
    return Start::started;
}

bool Port::cancel_start(uint32_t core, void* arg) { return core < max_cores && mailboxes[core].revoke(arg); }

void Port::vacate() { mailboxes[core_id()].done(); }

}  // namespace weft

void weft_port_secondary(uint32_t core) {
    using weft::Port;
    if (core >= Port::max_cores) Port::panic("weft: WEFT_MAX_CORES is too small", core, nullptr);
    weft::generic::wait_in_pen<Port>(weft::mailboxes[core]);
}
