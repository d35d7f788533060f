// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: how idle cores sleep and are woken. docs/DESIGN.md ("Sleeping without losing a wake") has the proof sketch.
//
//   a worker:    searching --rest(): bit set--> [I1] fence, last look --nothing--> parked --bit cleared by wake()--+
//                    ^                               | work seen                                                   |
//                    +---- takes its bit back -------+                      waking <-------------------------------+
//   a submitter: publish the task --> [I1] fence --> look at the idle word --> wake() one core, unless one is waking
//
// The two fences make it impossible that the submitter misses the bit AND the worker misses the task. A submitter that
// sees `waking` leaves: the waking core has yet to give the role up, and looks at all queues after that.
#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::count;

// One atomic step of the idle word: clears, then sets. Returns the word before.
uint32_t Scheduler::change(uint32_t clear, uint32_t set) {
    uint32_t seen = idle_.load(relaxed);  // relaxed: a guess; the exchange decides
    // [Z1] with `closing` comes all that was submitted before the shutdown. The other bits carry no data: what stands
    // behind them is ordered by the fences [I1] and by unpark(). relaxed on failure: only compared again.
    while (!idle_.compare_exchange(seen, (seen & ~clear) | set, acquire, relaxed)) {
    }  // ends: a failed exchange means that another core changed the word, or (rarely) nothing
    return seen;
}

// After tasks were made visible in any queue, by the core that did it. `chances`: from_isr, from_task or from_outside.
void Scheduler::notify(uint32_t chances) {
    Port::fence();                              // [I1] the tasks before the look at the idle word; pairs with rest()
    const uint32_t seen = idle_.load(relaxed);  // relaxed: ordered by the fence
    if ((seen & chances) != 0 && (seen & (waking | closing)) == 0) wake(chances);
}

// Chooses one parked core, makes it the waking one and wakes it; if none is parked, starts one.
void Scheduler::wake(uint32_t chances) {
    for (;;) {  // ends: each round acts, or another core changed the word
        uint32_t seen = idle_.load(relaxed);  // relaxed: a guess; the exchanges decide
        if ((seen & chances) == 0 || (seen & (waking | closing)) != 0) return;
        if ((seen & parked_cores) != 0) {
            const uint32_t core = lowest(seen & parked_cores);
            // relaxed: the exchange decides who wakes whom; unpark() carries what was stored before.
            if (!idle_.compare_exchange(seen, (seen & ~bit(core)) | waking, relaxed, relaxed)) continue;
            Port::unpark(core);
            return;
        }
        if ((seen & starting) != 0) {
            if (start_under_way(WEFT_START_DEADLINE_MS * Port::ticks_per_ms())) return;
            change(starting, can_start);
        } else if (idle_.compare_exchange(seen, (seen & ~(can_start | can_retry)) | starting, relaxed, relaxed)) {
            start_one();  // relaxed above: a throttle for starts, it carries no data
            return;
        }
    }
}

// A searching worker has found a task: before it runs it, it sees to it that the rest is not left lying.
void Scheduler::announce(Worker& worker) {
    bool more = worker.more.get();
    worker.more.set(false);
    if (worker.waking.get() != 0) {
        worker.waking.set(false);
        if ((change(waking, 0) & from_task) == 0) return;  // nobody to wake; who parks later takes a last look
        Port::fence();  // [I1] the role is given up before this look: who saw it and left has published before
        more = more || work_visible();
    }
    if (more) notify(from_task);
}

// Parks the worker until it is chosen, or there is something for it. False: the pool is closing.
bool Scheduler::rest(Worker& worker) {
    const uint32_t self = bit(worker.core);
    uint32_t seen = change(worker.waking.get() != 0 ? waking : 0, self) | self;
    Port::fence();  // [I1] the bit (and the role given up) before the last look; pairs with notify(), submit_on()
    if (!work_visible()) {
        const uint32_t parks = worker.counters.parks.own();
        while ((seen & (self | closing)) == self && !worker.pinned.looks_nonempty()) {
            // ends: wake() clears the bit, shutdown() sets closing, submit_on() fills pinned; each unparks this core
            Port::park();
            count(worker.counters.parks, 1);
            seen = idle_.load(relaxed);  // relaxed: no data; claimed below
        }
        if (worker.counters.parks.own() != parks) count(worker.counters.wakes, 1);
    }
    // Back to work: chosen by wake(), which left the waking role to this core; or by itself, with the role if it is free.
    seen = change(self, waking);
    worker.waking.set((seen & self) == 0 || (seen & waking) == 0);
    return (seen & closing) == 0;
}

// The lowest core of a set that is not empty. (A count-trailing-zeros builtin is a library call on some targets.)
uint32_t Scheduler::lowest(uint32_t set) {
    uint32_t core = 0;
    while ((set & bit(core)) == 0) ++core;
    return core;
}

}  // namespace WEFT_ABI
}  // namespace weft
