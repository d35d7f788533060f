// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, template of a port: the calls that need not be inline. See weft_port.hpp.
#include <weft/port.hpp>

#include "generic/mailbox.hpp"

namespace weft {
namespace {

// How an entry reaches its core, and how a late core and a deadline agree on who was first.
generic::Mailbox<Port> mailboxes[Port::max_cores];

// PLACEHOLDER, together with now().
Port::Atomic<uint32_t> calls;

}  // namespace

// PLACEHOLDER: free-running ticks that all cores share, any context, all 32 bits, wraps. A port without a
// clock counts the calls, as here: later is still larger, but durations mean nothing. relaxed: it orders nothing.
uint32_t Port::now() { return calls.fetch_add(1u, relaxed); }

// PLACEHOLDER: never 0.
uint32_t Port::ticks_per_ms() { return 1; }

// PLACEHOLDER: makes `core` call entry(arg) once, on its own stack, and never waits for it. The model:
//   1. core >= max_cores, or the platform says that there is none: absent. The calling core itself: refused.
//   2. mailboxes[core].post(entry, arg); false means that it is busy: refused.
//   3. The first time: the platform's power-on call, after a barrier that completes the post. Guard it, so
//      that two callers never power the same core on twice. If it fails: revoke(), then refused or absent.
//   4. Later times: unpark(core); it waits in the pen.
// A core that runs the image's own code and is not in the pen (the boot core) must end as refused, with
// nothing posted.
Port::Start Port::start_core(uint32_t core, void (*)(void*), void*) {
    return core < max_cores ? Start::refused : Start::absent;
}

// True: the entry posted last will not be called. The mailbox decides the race with the core that takes it.
bool Port::cancel_start(uint32_t core, void* arg) { return core < max_cores && mailboxes[core].revoke(arg); }

// The core may be posted to again before the entry has returned.
void Port::vacate() { mailboxes[core_id()].done(); }

// PLACEHOLDER: weft_image_stack_limit(core_id()).
uint32_t* Port::stack_limit() { return nullptr; }

// PLACEHOLDER: weft_image_panic(reason, core, task).
void Port::panic(const char*, uint32_t, const void*) {
    for (;;) relax();
}

}  // namespace weft

// It is complete. With the placeholders no core gets here.
extern "C" [[noreturn]] void weft_port_secondary(uint32_t core) {
    using weft::Port;
    if (core >= Port::max_cores || core != Port::core_id()) {
        Port::panic("weft_port_secondary: not the number of the calling core", core, nullptr);
    }
    weft::generic::wait_in_pen<Port>(weft::mailboxes[core]);
}
