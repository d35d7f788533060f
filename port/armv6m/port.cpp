// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, ARMv6-M port: changes of shared words, starting cores, and parking.
#include <weft/port.hpp>

#include "generic/switched_cores.hpp"

namespace weft {
namespace {

generic::SwitchedCores<Port> cores;

// Words of several types are changed as these 32 bits.
using Cell [[gnu::may_alias]] = volatile uint32_t;

// Interrupts off first, then the lock: a handler never finds the lock in the hands of its own core. First DMB: the
// word is read after the lock was taken, and the caller's earlier accesses are observed before the change (release).
// Second DMB: the change is observed before the lock is free, and before the caller's later accesses (acquire).
class WordLock {
public:
    [[gnu::always_inline]] WordLock() {
        asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask_)::"memory");
        weft_image_lock_words();
        asm volatile("dmb" ::: "memory");
    }
    [[gnu::always_inline]] ~WordLock() {
        asm volatile("dmb" ::: "memory");
        weft_image_unlock_words();
        asm volatile("msr primask, %0" ::"r"(primask_) : "memory");
    }
    WordLock(const WordLock&) = delete;
    WordLock& operator=(const WordLock&) = delete;

private:
    uint32_t primask_;
};

template <class Change>
[[gnu::always_inline]] inline uint32_t change(void* word, Change changed) {
    Cell& cell = *static_cast<Cell*>(word);
    const WordLock lock;
    const uint32_t seen = cell;
    cell = changed(seen);
    return seen;
}

}  // namespace

uint32_t LockedAccess::exchange(void* word, uint32_t value) {
    return change(word, [value](uint32_t) { return value; });
}

uint32_t LockedAccess::fetch_add(void* word, uint32_t value) {
    return change(word, [value](uint32_t seen) { return seen + value; });
}

uint32_t LockedAccess::fetch_or(void* word, uint32_t value) {
    return change(word, [value](uint32_t seen) { return seen | value; });
}

uint32_t LockedAccess::fetch_and(void* word, uint32_t value) {
    return change(word, [value](uint32_t seen) { return seen & value; });
}

// Where the word is another, writing back what is there changes nothing, under the lock.
uint32_t LockedAccess::compare_exchange(void* word, uint32_t expected, uint32_t value) {
    return change(word, [expected, value](uint32_t seen) { return seen == expected ? value : seen; });
}

Port::Start Port::start_core(uint32_t core, void (*entry)(void*), void* arg) {
    return cores.start(core, entry, arg);
}

bool Port::cancel_start(uint32_t core, void* arg) { return cores.cancel(core, arg); }

void Port::vacate() { cores.vacate(); }

#if WEFT_QUIESCE
uint32_t Port::pen_turn(uint32_t core) { return cores.pen_turn(core); }
#endif

// The sticky event is the core's Event Register: an SEV before the WFE makes the WFE return at once. It is also set by
// each exception return on this core, so an interrupt that came before the WFE is never slept over, and it has any
// value out of reset: early returns.
// First DSB: this core's stores are complete before its clock may stop. Second DSB: it orders the loads that follow.
// WFE is no memory access, so a DMB would not tie them to it, but no instruction after a DSB executes before the DSB is
// complete. A later load is thus later than the SEV, and that than the waker's stores (its DSB).
void Port::park() { asm volatile("dsb\n\twfe\n\tdsb" ::: "memory"); }

}  // namespace weft

extern "C" [[noreturn]] void weft_port_secondary(uint32_t core) {
    using weft::Port;
#if WEFT_CHECKS
    if (core >= Port::max_cores || core != Port::core_id()) {
        Port::panic("weft: not the calling core", core, nullptr);
    }
#endif
    weft::cores.wait(core);
}
