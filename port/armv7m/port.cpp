// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, ARMv7-M / ARMv8-M port: starting cores. A core is switched on once; from then on it waits in the pen
// whenever no entry runs on it.
#include <weft/port.hpp>

#include "generic/mailbox.hpp"

namespace weft {
namespace {

// From `on` on, each state is the answer of start_core().
enum Power : uintptr_t {
    off,        // never switched on by start_core
    on,         // started: in the pen, on its way there, or in an entry
    elsewhere,  // refused: runs the image's own code, as the boot core does, unless it enters the pen itself
    missing,    // absent: the image says that there is no such core
};

constexpr Port::Start answer(uintptr_t power) { return static_cast<Port::Start>(power - on); }
static_assert(answer(on) == Port::Start::started && answer(elsewhere) == Port::Start::refused &&
                  answer(missing) == Port::Start::absent,
              "weft port: Power and Port::Start go together");

struct alignas(16) Mailbox : generic::Mailbox<Port> {  // the size makes its address a shift
    Port::Atomic<uintptr_t> power;
};

Mailbox mailboxes[Port::max_cores];

}  // namespace

Port::Start Port::start_core(uint32_t core, void (*entry)(void*), void* arg) {
    if (core >= max_cores) return Start::absent;
    const uint32_t self = core_id();
    // This core is on, and if not by us, then by the image.
    if (self < max_cores) generic::step(mailboxes[self].power, off, elsewhere);

    Mailbox& mailbox = mailboxes[core];
    if (!mailbox.post(entry, arg)) return Start::refused;
    // It is posted: nobody else is in here for this core, and the core, whenever it comes, finds its entry.
    if (generic::step(mailbox.power, off, on)) {
        // DSB: the mailbox is complete before the write to some device that lets the core run.
        asm volatile("dsb" ::: "memory");
        // relaxed: the state guards no memory, and the revoke() that follows shows it to the next one who posts.
        // What a started core reads comes to it through its mailbox.
        if (weft_image_power_on(core) != 0) mailbox.power.store(missing, relaxed);
    }
    const uintptr_t power = mailbox.power.load(relaxed);  // relaxed: guards no memory
    // A core that ran the image's code may have entered the pen just now and taken the entry: then it is started.
    if (power != on && mailbox.revoke(arg)) return answer(power);
    unpark(core);  // it may be waiting in the pen
    return Start::started;
}

bool Port::cancel_start(uint32_t core, void* arg) { return mailboxes[core].revoke(arg); }

// The sticky event is the core's Event Register: an SEV before the WFE makes the WFE return at once. It
// is also set by each exception return on this core, so an ISR that ran before the WFE is never slept
// over, and has any value out of reset: early returns. No exclusive access in here: on some chips they
// set it too (RP2350).
// First DSB: this core's stores are complete before its clock may stop (Arm application note 321).
// Second DSB: it orders the loads that follow. WFE is no memory access, so a DMB would not tie them to
// it, but no instruction after a DSB executes before the DSB is complete, and the DSB does not execute
// while the WFE suspends execution. A later load is thus later than the SEV, and that than the waker's
// stores (its DSB).
// CLREX: a compare-exchange that failed has loaded exclusively and stored nothing. While the monitor is armed
// somebody else's store may end the sleep, and QEMU 11 does not sleep at all. It clears the local monitor and makes no
// access, so it sets no event where accesses do (RP2350, whose other monitor is at the bus).
void Port::park() { asm volatile("clrex\n\tdsb\n\twfe\n\tdsb" ::: "memory"); }

void Port::vacate() { mailboxes[core_id()].done(); }

}  // namespace weft

extern "C" [[noreturn]] void weft_port_secondary(uint32_t core) {
    using weft::Port;
#if WEFT_CHECKS
    if (core >= Port::max_cores || core != Port::core_id()) {
        Port::panic("weft: not the calling core", core, nullptr);
    }
#endif
    weft::Mailbox& mailbox = weft::mailboxes[core];
    mailbox.power.store(weft::on, weft::relaxed);  // relaxed: guards no memory
    weft::generic::wait_in_pen<Port>(mailbox);
}
