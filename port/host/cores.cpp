// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the host port: threads that play cores, and the faults that tests inject.
#include <pthread.h>
#include <stdio.h>

#include <weft/port.hpp>

#include "generic/mailbox.hpp"
#include "internal.hpp"
#include "weft_host_faults.hpp"

namespace weft {
namespace host {
namespace {

struct alignas(line) Mailbox : generic::Mailbox<Port> {
    bool take(Entry& entry, void*& arg);  // unless a fault keeps the core from arriving

    // The thread exists. Written by the one who has the mailbox (post to revoke, or post to done): the edges
    // of the mailbox [M1] [M2] hand it on.
    bool on = false;
};
Mailbox mailboxes[cores];
uint32_t core_of(const Mailbox& mailbox) { return static_cast<uint32_t>(&mailbox - mailboxes); }

// ---- Faults. One lock for all: it is taken when a core is started and when it looks into its mailbox.

struct CoreFaults {
    uint32_t refusals = 0;
    uint32_t delay_ms = 0;
    uint32_t due = 0;  // the moment before which the core does not arrive, while `late`
    bool late = false;
    bool hidden = false;
    bool held = false;
};
CoreFaults faults[cores];
pthread_mutex_t faults_mutex = PTHREAD_MUTEX_INITIALIZER;

Word spurious_every;     // 0: off
Word everyone_is_woken;  // 0: off
// Never delayed (tests/delays): the delays themselves read the clock.
generic::BuiltinWords::Atomic<uint32_t> clock_is_set;  // 0: off
generic::BuiltinWords::Atomic<uint32_t> clock_tick;

class FaultsLock {
public:
#if defined(WEFT_HOST_REPLAY)
    FaultsLock() { lock_in_turn(faults_mutex); }
#else
    FaultsLock() { pthread_mutex_lock(&faults_mutex); }
#endif
    ~FaultsLock() { pthread_mutex_unlock(&faults_mutex); }
    FaultsLock(const FaultsLock&) = delete;
    FaultsLock& operator=(const FaultsLock&) = delete;
};

// Puts the entry into the mailbox, unless a fault says what start_core() answers instead.
Port::Start post(uint32_t core, void (*entry)(void*), void* arg) {
    FaultsLock lock;
    CoreFaults& fault = faults[core];
    if (fault.hidden) return Port::Start::absent;
    if (fault.refusals != 0) {
        --fault.refusals;
        return Port::Start::refused;
    }
    if (!mailboxes[core].post(entry, arg)) return Port::Start::refused;
    fault.late = fault.delay_ms != 0;
    fault.due = Port::now() + fault.delay_ms * Port::ticks_per_ms();
    return Port::Start::started;
}

uint32_t ms_until_due(CoreFaults& fault) {
    if (!fault.late) return 0;
    const int32_t ticks = static_cast<int32_t>(fault.due - Port::now());
    if (ticks > 0) return static_cast<uint32_t>(ticks) / Port::ticks_per_ms() + 1;
    fault.late = false;
    return 0;
}

// The lock makes hold_starts() and delay_starts() exact: they hold for every entry that is posted after them.
bool Mailbox::take(Entry& entry, void*& arg) {
    CoreFaults& fault = faults[core_of(*this)];
    for (;;) {
        uint32_t ms = 0;
        {
            FaultsLock lock;
            if (fault.held) return false;
            ms = ms_until_due(fault);
            if (ms == 0) return generic::Mailbox<Port>::take(entry, arg);
        }
        sleep_ms(ms);
    }
}

// ---- The thread of a core.

void* be_a_core(void* of) {
    Mailbox& mailbox = *static_cast<Mailbox*>(of);
    this_core = core_of(mailbox);
    thread_of_core(this_core);
    generic::wait_in_pen<Port>(mailbox);
    return nullptr;  // never
}

bool create_thread(Mailbox& mailbox) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    const bool created = pthread_create(&thread, &attributes, be_a_core, &mailbox) == 0;
    pthread_attr_destroy(&attributes);
    if (created) {
        char name[16];  // for debuggers and profilers; the kernel takes 15 characters
        snprintf(name, sizeof name, "weft core %u", core_of(mailbox));
        pthread_setname_np(thread, name);
    }
    return created;
}

}  // namespace

// ---- What port.cpp asks.

bool returns_early() {
    static thread_local uint32_t sleeps = 0;
    const uint32_t every = spurious_every.load(Order::relaxed);  // relaxed: a switch
    if (every == 0) return false;
    if (++sleeps % every != 0) return false;
    if (every == 1) yield();  // in a storm nobody sleeps: the one who is waited for may need this processor
    return true;
}

bool wakes_everyone() { return everyone_is_woken.load(Order::relaxed) != 0; }  // relaxed: a switch

// ---- What tests ask.

void refuse_starts(uint32_t core, uint32_t times) {
    FaultsLock lock;
    faults[core].refusals = times;
}

void hide_core(uint32_t core) {
    FaultsLock lock;
    faults[core].hidden = true;
}

void hold_starts(uint32_t core) {
    FaultsLock lock;
    faults[core].held = true;
}

void release_starts(uint32_t core) {
    {
        FaultsLock lock;
        faults[core].held = false;
    }
    Port::unpark(core);
}

void delay_starts(uint32_t core, uint32_t ms) {
    FaultsLock lock;
    faults[core].delay_ms = ms;
}

// relaxed (both): switches; they protect nothing.
void spurious_parks(uint32_t every) { spurious_every.store(every, Order::relaxed); }

// relaxed: as above.
void wake_everyone(bool on) { everyone_is_woken.store(on ? 1 : 0, Order::relaxed); }

void set_clock(uint32_t tick) {
    // relaxed (both): a switch, and what a clock shows; a test sets it where nobody else reads it
    clock_tick.store(tick, Order::relaxed);
    clock_is_set.store(1, Order::relaxed);
}

bool clock_stands(uint32_t& tick) {
    // relaxed (both): as above
    if (clock_is_set.load(Order::relaxed) == 0) return false;
    tick = clock_tick.load(Order::relaxed);
    return true;
}

void clear_faults() {
    spurious_parks(0);
    wake_everyone(false);
    clock_is_set.store(0, Order::relaxed);  // relaxed: a switch
    for (uint32_t core = 0; core < cores; ++core) {
        {
            FaultsLock lock;
            faults[core] = CoreFaults{};
        }
        Port::unpark(core);
    }
}

}  // namespace host

Port::Start Port::start_core(uint32_t core, void (*entry)(void*), void* arg) {
    if (core >= max_cores) return Start::absent;
    if (core == 0) return Start::refused;  // main() runs there
    const Start posted = host::post(core, entry, arg);
    if (posted != Start::started) return posted;
    host::Mailbox& mailbox = host::mailboxes[core];
    if (mailbox.on) {
        unpark(core);
        return Start::started;
    }
    mailbox.on = true;
    if (host::create_thread(mailbox)) return Start::started;
    mailbox.on = false;
    mailbox.revoke(arg);  // succeeds: there is no thread that could have taken it
    return Start::refused;
}

bool Port::cancel_start(uint32_t core, void* arg) {
    return core < max_cores && host::mailboxes[core].revoke(arg);
}

void Port::vacate() { host::mailboxes[core_id()].done(); }

#if WEFT_QUIESCE
uint32_t Port::pen_turn(uint32_t core) { return core < max_cores ? host::mailboxes[core].turn() : 1; }
#endif

}  // namespace weft
