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

#if WEFT_QUIESCE
namespace {

WEFT_RAM_CODE void stand_in_pen(Mailbox& mailbox) { mailbox.stand(); }

}  // namespace

// All harts but the first come to their pen by themselves.
uint32_t Port::pen_turn(uint32_t core) {
    return core == 0 || core >= max_cores || core >= weft_image_cores ? 1 : mailboxes[core].pen_turn();
}
#endif

#if WEFT_RISCV_PREEMPTS
namespace {

void (*volatile preempt)();  // the same in all calls

// Volatile: interrupts of its own core change it. `wanted` alone is written by other cores.
struct alignas(Port::cache_line) Bell {
    volatile uint32_t wanted;  // the handler of interrupt() is to run here
    volatile uint32_t event;   // MSIP has been taken since the last park()
    volatile uint32_t active;  // that handler runs here
};

Bell bells[Port::max_cores];

}  // namespace

// The interrupt takes MSIP back and leaves an event in its place. With mstatus.MIE off it stays pending: the
// next WFI returns at once. An event that comes between WFI and the store of 0 is consumed: its handler's FENCE
// has this core's loads after it see what the unparker stored.
void Port::park() {
    Bell& bell = bells[core_id()];
    const uintptr_t masked = riscv::mask_interrupts();
    if (bell.event == 0) asm volatile("wfi" : : : "memory");
    riscv::restore_interrupts(masked);
    bell.event = 0;
    asm volatile("fence w, r" : : : "memory");
}

// What was stored before is visible before `wanted`, and that before MSIP (unpark() has the fence).
void Port::interrupt(uint32_t core, void (*handler)()) {
    preempt = handler;
    asm volatile("fence rw, w" : : : "memory");
    bells[core].wanted = 1;
    unpark(core);
    // On this core it has come when the device has answered, if nothing masks it.
    if (core == core_id()) {
        asm volatile("fence o, i" : : : "memory");
        riscv::read32(riscv::msip(core));
    }
}

// `wanted` is cleared before the handler looks for tasks, and looked at again with interrupts off when it is done: a
// request that comes meanwhile is served here, by the outer of two nested interrupts.
void riscv::software_interrupt() {
    const uint32_t core = Port::core_id();
    Bell& bell = bells[core];
    write32(msip(core), msip_clear(core));
    asm volatile("fence o, rw" : : : "memory");
    bell.event = 1;
    if (bell.active != 0) return;
    uintptr_t mepc;
    uintptr_t mstatus;
    uintptr_t mark;
    asm volatile("csrr %0, mepc\n\tcsrr %1, mstatus\n\tcsrr %2, mscratch"
                 : "=&r"(mepc), "=&r"(mstatus), "=&r"(mark)
                 :
                 : "memory");
    bell.active = 1;
    while (bell.wanted != 0) {
        bell.wanted = 0;
        asm volatile("fence w, r" : : : "memory");  // a request that this 0 wipes out: its task is seen
        asm volatile("csrw mscratch, zero\n\tcsrs mstatus, %0" : : "rK"(mstatus_mie) : "memory");
        preempt();
        mask_interrupts();
    }
    bell.active = 0;
    drop_reservation();  // a task may have left one
    asm volatile("csrw mscratch, %2\n\tcsrw mepc, %0\n\tcsrw mstatus, %1"
                 :
                 : "r"(mepc), "r"(mstatus), "r"(mark)
                 : "memory");
}
#endif

}  // namespace weft

#if WEFT_RISCV_PREEMPTS
void weft_port_software_interrupt() { weft::riscv::software_interrupt(); }
#endif

void weft_port_secondary(uint32_t core) {
    using weft::Port;
    if (core >= Port::max_cores) Port::panic("weft: WEFT_MAX_CORES is too small", core, nullptr);
#if WEFT_QUIESCE
    weft::generic::wait_in_pen<Port>(weft::mailboxes[core], weft::stand_in_pen);
#else
    weft::generic::wait_in_pen<Port>(weft::mailboxes[core]);
#endif
}
