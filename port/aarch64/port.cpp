// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, AArch64 port: starting cores through PSCI, the pen they wait in, clock rate, panic; WFI parking.
#include <weft/port.hpp>

#include "generic/power.hpp"
#include "gicv3_sgi.hpp"
#include "psci.hpp"

namespace weft {
namespace {

#if WEFT_POWER_OFF
using Mailbox = generic::PoweredMailbox<Port>;
#else
struct Mailbox : generic::Mailbox<Port> {
    // 1: this core is ours: on its way to the pen, waiting in it, or running an entry. Never goes back to 0.
    // It is written before the mailbox becomes empty again (by done() of the core itself or by revoke() after
    // start_core returned), so whoever posts next reads it through the mailbox's edge [M2]; relaxed is
    // enough. It keeps CPU_ON from being called twice: a second one in flight may reset the core under its
    // entry.
    Port::Atomic<uint32_t> ours;
};
#endif

Mailbox mailboxes[Port::max_cores];

int32_t psci_power_on(weft_psci_conduit conduit, uint32_t core) {
    const auto entry = reinterpret_cast<uintptr_t>(&weft_image_secondary_start);
    return psci::call(conduit, psci::cpu_on, weft_image_mpidr(core), entry, core);
}

// Asks the platform to power `core` on. The entry is in its mailbox already.
Port::Start power_on(uint32_t core) {
    const weft_psci_conduit conduit = weft_image_psci_conduit();
    // The mailbox must be visible before the core looks: empty, it would sleep, and nobody wakes it.
    asm volatile("dsb ish" ::: "memory");
    switch (conduit == weft_psci_none ? weft_image_power_on(core) : psci_power_on(conduit, core)) {
        case psci::success: return Port::Start::started;
        case psci::invalid_parameters: return Port::Start::absent;
        default: return Port::Start::refused;
    }
}

#if WEFT_POWER_OFF
// That a core on its way out may need for its last instructions, and its firmware for the caches.
constexpr uint32_t most_ms_until_off = 100;

// Firmware that does not answer: then what CPU_ON says decides.
bool is_off(uint32_t core) {
    const int32_t state = psci::state_of(core);
    return state == psci::is_off || state < 0;
}
#endif

// The calling core: between vacate() and its entry's return, if it was started by us. Only who leaves asks for that.
bool may_be_posted_to(uint32_t core) {
    const bool is_another = core != Port::core_id();
#if !WEFT_ELASTIC
    return is_another;
#elif WEFT_POWER_OFF
    return is_another || mailboxes[core].power() == Mailbox::on;
#else
    return is_another || mailboxes[core].ours.load(relaxed) != 0;  // relaxed: the core itself has written it
#endif
}

}  // namespace

Port::Start Port::start_core(uint32_t core, void (*entry)(void*), void* arg) {
    if (core >= max_cores) return Start::absent;
    if (!may_be_posted_to(core)) return Start::refused;
    Mailbox& mailbox = mailboxes[core];
#if WEFT_POWER_OFF
    return mailbox.start<Start>(
        core, entry, arg, most_ms_until_off * ticks_per_ms(), [core] { return is_off(core); },
        [core] { return power_on(core); });
#else
    if (!mailbox.post(entry, arg)) return Start::refused;

    if (mailbox.ours.load(relaxed) != 0) {  // relaxed: see Mailbox::ours
        unpark(core);
        return Start::started;
    }
    const Start answer = power_on(core);
    if (answer == Start::started) {
        mailbox.ours.store(1, relaxed);  // relaxed: see Mailbox::ours
        return answer;
    }
    // Nobody will come: unless the image sent the core to the pen by itself and it has taken the entry.
    return mailbox.revoke(arg) ? answer : Start::started;
#endif
}

bool Port::cancel_start(uint32_t core, void* arg) { return core < max_cores && mailboxes[core].revoke(arg); }

void Port::vacate() { mailboxes[core_id()].done(); }

#if WEFT_QUIESCE
namespace {

WEFT_RAM_CODE void stand_in_pen(Mailbox& mailbox) { mailbox.stand(); }

}  // namespace

uint32_t Port::pen_turn(uint32_t core) {
    if (core >= max_cores) return 1;
    const Mailbox& mailbox = mailboxes[core];
    const uint32_t turn = mailbox.turn();  // first: what it did when it was switched on shows that it is
#if WEFT_POWER_OFF
    switch (mailbox.power()) {
        case Mailbox::unknown: return turn;
        // After all that it did: so says the firmware. If it does not answer, nobody knows.
        case Mailbox::off: return psci::state_of(core) == psci::is_off ? turn : 0;
        default: return mailbox.pen_turn();
    }
#else
    const bool ours = mailbox.ours.load(relaxed) != 0;  // relaxed: [M2] in turn()
    return ours ? mailbox.pen_turn() : turn;
#endif
}
#endif

namespace {

void wait_for_entry([[maybe_unused]] Mailbox& mailbox) {
#if WEFT_QUIESCE
    stand_in_pen(mailbox);
#else
    Port::park();
#endif
}

#if WEFT_POWER_OFF
// In the pen, when nothing is posted. Interrupts are held off, as who starts this core may wait for it. An alarm that
// is left from its pool would come while the core is off. QEMU, at least, keeps that line up beyond the reset.
void switch_off(Mailbox& mailbox) {
    const weft_psci_conduit conduit = weft_image_psci_conduit();
    if (conduit != weft_psci_none) {
        uint64_t masks;
        asm volatile("mrs %0, daif\n\tmsr daifset, #3" : "=r"(masks)::"memory");
        const bool leaves = mailbox.leaves();
        if (leaves) {
#if WEFT_TIMERS
            Port::clear_alarm();
#endif
            psci::call(conduit, psci::cpu_off, 0, 0, 0);
            mailbox.arrives();  // the firmware has denied it
        }
        asm volatile("msr daif, %0" ::"r"(masks) : "memory");
        if (!leaves) return;
    }
    wait_for_entry(mailbox);
}
#endif

}  // namespace

uint32_t Port::ticks_per_ms() {
    uint64_t hertz;
    asm("mrs %0, cntfrq_el0" : "=r"(hertz));
    const uint32_t ticks = static_cast<uint32_t>(hertz) / 1000;
    return ticks == 0 ? 1 : ticks;
}

uint32_t* Port::stack_limit() { return weft_image_stack_limit(core_id()); }

void Port::panic(const char* reason, uint32_t core, const void* task) {
    weft_image_panic(reason, core, task);
}

#ifdef WEFT_PARK_WFI

// The sticky event is the pending bit of the SGI in this core's redistributor. A disabled SGI can become
// pending and stay so, but is not signalled to the core; park() enables it only while PSTATE.I masks
// interrupts (WFI wakes all the same), so no handler ever sees it and it is never acknowledged.
// With WEFT_PARK_WFI_IMAGE the event is the image's, of another interrupt controller, and these four calls are its own.
#ifndef WEFT_PARK_WFI_IMAGE
namespace {

// GICv3 (Arm IHI0069), chapter 12: redistributor registers, RD_base frame and SGI_base frame.
constexpr uintptr_t gicr_ctlr = 0x0000;
constexpr uint32_t gicr_ctlr_rwp = 1u << 3;  // a write to ICENABLER is still on its way
constexpr uintptr_t sgi_frame = 0x10000;
constexpr uintptr_t gicr_isenabler0 = sgi_frame + 0x0100;
constexpr uintptr_t gicr_icenabler0 = sgi_frame + 0x0180;
constexpr uintptr_t gicr_ispendr0 = sgi_frame + 0x0200;
constexpr uintptr_t gicr_icpendr0 = sgi_frame + 0x0280;

uint32_t read32(uintptr_t address) { return *reinterpret_cast<volatile uint32_t*>(address); }

void write32(uintptr_t address, uint32_t value) { *reinterpret_cast<volatile uint32_t*>(address) = value; }

struct Event {
    explicit Event(uint32_t core) : redistributor(weft_image_redistributor(core)) {}

    const uintptr_t redistributor;
    const uint32_t sgi = 1u << weft_image_park_sgi;

    void enable() const { write32(redistributor + gicr_isenabler0, sgi); }
    void disable() const {
        write32(redistributor + gicr_icenabler0, sgi);
        while ((read32(redistributor + gicr_ctlr) & gicr_ctlr_rwp) != 0) {
            // The redistributor ends this: before, unmasking might let the image take the SGI.
        }
    }
    // The read-back arrives there after the write (same device).
    void clear() const {
        write32(redistributor + gicr_icpendr0, sgi);
        (void)read32(redistributor + gicr_ispendr0);
    }
};

}  // namespace
#else
namespace {

struct Event {
    explicit Event(uint32_t own) : core(own) {}

    const uint32_t core;

    void enable() const { weft_image_event_enable(core); }
    void disable() const { weft_image_event_disable(core); }
    void clear() const { weft_image_event_clear(core); }
};

}  // namespace
#endif

void Port::park() {
    const Event event(core_id());

    uint64_t daif;
    asm volatile("mrs %0, daif\n\tmsr daifset, #2" : "=r"(daif)::"memory");
    event.enable();
    // DSB: the enable has been accepted before the core stops. An event that is pending ends the WFI at once;
    // so does an interrupt of the image, which is taken when PSTATE.I is restored below.
    asm volatile("dsb sy\n\twfi" ::: "memory");
    event.disable();
    // Clear the event, then let nothing of the caller's re-check be loaded before the controller has done
    // it: clear() ends in a read-back, and the DSB waits for its answer. An unpark() that this clear swallows has
    // been sent before, hence its caller's stores are visible to every load from here on; a later one stays
    // pending and ends the next park().
    event.clear();
    asm volatile("dsb sy\n\tmsr daif, %0" ::"r"(daif) : "memory");
}

#ifdef WEFT_PARK_WFI_IMAGE
// The DSB completes the caller's stores (and any store it has read) before the event exists.
void Port::unpark(uint32_t core) {
    asm volatile("dsb ish" ::: "memory");
    weft_image_event_send(core);
}
#else
void Port::unpark(uint32_t core) {
    const uint64_t request = gicv3_sgi_request(weft_image_mpidr(core), weft_image_park_sgi);
    // A system register write is not ordered with memory: the DSB completes the caller's stores (and any
    // store it has read) before the interrupt exists. The ISB sends it off now.
    asm volatile("dsb ish\n\tmsr icc_sgi1r_el1, %0\n\tisb" ::"r"(request) : "memory");
}
#endif

#endif  // WEFT_PARK_WFI

#if WEFT_AARCH64_PREEMPTS
namespace {

void (*volatile preempt)();  // the same in all calls

constexpr uint64_t interrupt_masks = 0x3c0;  // D, A, I and F: the same bits in SPSR and in DAIF
constexpr uint64_t isr_mark = uint64_t{1} << WEFT_IN_ISR_BIT;

}  // namespace

// DSB: the handler, and what this core has stored before, are visible to all cores before the request exists.
void Port::interrupt(uint32_t core, void (*handler)()) {
    preempt = handler;
    asm volatile("dsb ish" ::: "memory");
    weft_image_interrupt(core);
}
#endif

}  // namespace weft

#if WEFT_AARCH64_PREEMPTS
// The return address and state are in registers, which the next interrupt overwrites: they are kept on the stack while
// interrupts are open as they were below. DSB: the acknowledgement, whatever kind of access it is, comes before the
// handler's look. So a request that it has taken along is seen, and a later one is pending.
void weft_port_preempt() {
    uint64_t level;
    uint64_t address;
    uint64_t state;
    uint64_t mark;
    uint64_t masks;
    asm volatile("mrs %0, currentel" : "=r"(level));
    const bool at_el1 = level == 1 << 2;
    if (at_el1) {
        asm volatile("mrs %0, elr_el1\n\tmrs %1, spsr_el1" : "=&r"(address), "=r"(state) : : "memory");
    } else {
        asm volatile("mrs %0, elr_el2\n\tmrs %1, spsr_el2" : "=&r"(address), "=r"(state) : : "memory");
    }
    asm volatile("mrs %0, tpidrro_el0\n\tmrs %1, daif" : "=&r"(mark), "=r"(masks) : : "memory");
    asm volatile("dsb sy\n\tmsr tpidrro_el0, %0\n\tmsr daif, %1"
                 :
                 : "r"(mark & ~weft::isr_mark), "r"(state & weft::interrupt_masks)
                 : "memory");
    weft::preempt();
    asm volatile("msr daif, %1\n\tmsr tpidrro_el0, %0" : : "r"(mark), "r"(masks) : "memory");
    if (at_el1) {
        asm volatile("msr elr_el1, %0\n\tmsr spsr_el1, %1" : : "r"(address), "r"(state) : "memory");
    } else {
        asm volatile("msr elr_el2, %0\n\tmsr spsr_el2, %1" : : "r"(address), "r"(state) : "memory");
    }
}
#endif

// An image without PSCI that has not this function brings its cores up itself.
extern "C" [[gnu::weak]] int32_t weft_image_power_on(uint32_t) { return weft_power_refused; }

void weft_port_secondary(uint32_t core) {
    using weft::Port;
    if (core >= Port::max_cores || core != Port::core_id()) {
        Port::panic("weft: TPIDRRO_EL0 is not the core's number", core, nullptr);
    }
    weft::Mailbox& mailbox = weft::mailboxes[core];
#if WEFT_POWER_OFF
    mailbox.arrives();
    weft::generic::wait_in_pen<Port>(mailbox, weft::switch_off);
#else
    mailbox.ours.store(1, weft::relaxed);  // before the first take(); relaxed: see Mailbox::ours
    weft::generic::wait_in_pen<Port>(mailbox, weft::wait_for_entry);
#endif
}
