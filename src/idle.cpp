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

namespace {

// The lowest bit that is set. (A count-trailing-zeros builtin is a library call on some targets.)
uint32_t lowest(uint32_t word) {
    uint32_t bit = 0;
    for (; (word & 1) == 0; word >>= 1) ++bit;
    return bit;
}

}  // namespace

namespace detail {

uint32_t change(Atomic<uint32_t>& word, uint32_t clear, uint32_t set) {
    uint32_t seen = word.load(relaxed);  // relaxed: a guess; the exchange decides
    // [D1] with `closing` comes all that was submitted before the shutdown. The other bits carry no data: what stands
    // behind them is ordered by the fences (edge I1) and by unpark(). relaxed on failure: only compared again.
    while (!word.compare_exchange(seen, (seen & ~clear) | set, acq_rel, relaxed)) {
    }  // ends: a failed exchange means that another core changed the word, or (rarely) nothing
    return seen;
}

bool step(Atomic<uint32_t>& word, uint32_t from, uint32_t to) {
    uint32_t seen = from;
    // [T1] started_at goes with the power state `starting`; nothing else is read because of such a step. relaxed on
    // failure: nothing is done then.
    while (!word.compare_exchange(seen, to, acq_rel, relaxed)) {
        // ends: weak, fails by itself only now and then
        if (seen != from) return false;
    }
    return true;
}

}  // namespace detail

// Chooses one parked core, makes it the waking one and wakes it; if none is parked, starts one. Always ok.
Status Scheduler::wake(Chances chances) {
    // A core that submits from outside runs code of its own: to start it would be refused.
    Worker* const self = may_retry(chances) ? this_worker() : nullptr;
    if (self != nullptr) move(*self, detail::Power::off, detail::Power::elsewhere);
    for (;;) {                               // ends: each round acts, or another core changed the word
        const IdleBits seen = idle_.look();  // a guess; the step decides
        if (!worth_waking(seen, chances)) break;
        if (seen.parked() == 0) {
            if (withdraw_overdue_starts() != Starts::under_way) start_one();
            break;
        }
        const uint32_t chosen = seen.parked() & (0 - seen.parked());  // the lowest
        if (idle_.choose(seen, chosen)) {
            Port::unpark(lowest(chosen >> IdleBits::first_core));  // carries what was stored before
            break;
        }
    }
    return Status::ok;
}

// A searching worker has found a task: before it runs it, it sees to it that the rest is not left lying.
void Scheduler::announce(Worker& worker) {
    const bool more = worker.more.get() != 0;
    worker.more.set(false);
    if (worker.role.get() != 0) {
        worker.role.set(0);
        // No core to wake: one that parks later takes a last look.
        if (!worth_a_look(idle_.give_up_waking())) return;
        // [I1] the role is given up before this look: who saw it and left has published before.
        Port::fence();
        if (!work_visible()) return;
    } else {
        if (!more && !worker.ring.looks_nonempty()) return;
        // [I1] the tasks that this core made visible come before the look at the idle word in wake(), as in notify().
        Port::fence();
    }
    static_cast<void>(wake(Chances::from_task));
}

// Parks the worker until it is chosen, or there is something for it. True: the pool is closing.
bool Scheduler::rest(Worker& worker) {
    const uint32_t core = worker.core;
    IdleBits seen = idle_.announce_parked(core, worker.role.get());
    // [I1] the bit (and the role given up) before the last look; pairs with notify(), submit_on()
    Port::fence();
    ask_all();
    if (!work_visible()) {
        bool slept = false;
        while (seen.may_sleep(core) && !worker.pinned.looks_nonempty()) {
            // ends: wake() clears the bit, shutdown() sets closing, submit_on() fills pinned; each unparks this core
            if (slept) count(worker.counters.spurious_wakes, 1);
            Port::park();
            slept = true;
            seen = idle_.look();  // no data; what matters is claimed below
        }
        if (slept) count(worker.counters.wakes, 1);
    }
    // Chosen by wake(), which left the waking role to this core: no change is needed. Otherwise back to work by itself,
    // with the role if it is free. [D1] the change, if the pool is closing
    if (seen.is_parked(core) || seen.is_closing()) seen = idle_.take_back(core);
    worker.role.set(seen.is_parked(core) ? seen.free_role() : static_cast<uint16_t>(IdleBits::waking));
    return seen.is_closing();
}

}  // namespace WEFT_ABI
}  // namespace weft
