// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: how idle cores sleep and are woken. docs/DESIGN.md, chapter 6, leads up to this step by step.
//
//   a worker:    searching --rest(): bit set--> [I1] fence, last look --nothing--> parked --bit cleared by wake()--+
//                    ^                               | work seen                                                   |
//                    +---- takes its bit back -------+                      waking <-------------------------------+
//   a submitter: publish the task --> [I1] fence --> look at the idle word --> wake() one core, unless one is waking
//
// No wake-up is lost, for any number of cores. The steps (the submitter: any core, any interrupt handler):
//
//     s1  make the task visible in some queue          p1  set own parked bit, give up the waking role
//     s2  fence [I1]                                   p2  fence [I1]
//     s3  load the idle word                           p3  look at every queue
//     s4  choose a parked core, unless one is          p4  nothing found: while own bit is set: park()
//         waking, or the pool is closing
//
// Claim 1: if p3 misses the task, s3 sees the bit, or a later state of the word.
//   1. Sequentially consistent fences have one total order.
//   2. If p2 came after s2, p3 would read the task, or something newer. So p2 came first.
//   3. Then s3 reads the value of p1, or something newer.
//   This is store buffering: it needs the fence on BOTH sides.
// Claim 2: if s3 sees the bit and no waking core, a core is woken.
//   1. The step of s4 succeeds: that core is unparked. Its event sticks, so it need not sleep yet.
//   2. Or the word has changed: then it is looked at again.
// Claim 3: if s3 sees `waking`, the task is looked after. In the order of changes of the word, the holder W gives the
// role up later than s3. It does so in one of two ways:
//   a. W parks: p1 gives the role up, p2 and p3 follow. s3 read a state before p1. So by claim 1, with W as the parker,
//      W finds the task.
//   b. W has found a task, or ends a wait (pass_on()). leaves_something() clears `waking`, then fence [I1], then W
//      looks at every queue. As in (a) it sees the task, and notifies.
//   In (b) one fence serves this look and the notify. A core that parked while the role was held is seen: its bit is in
//   the word that the clearing step read, or in a later one. That step may find no core parked and nothing to start.
//   Then the look is left out: a core that parks later finds the task itself.
// Claim 4: nothing is stranded in a stack whose consumer side is held. A last look does not count such a stack.
//   1. Its holder took at least one task from it, and unlocks it.
//   2. If tasks are left there, or were pushed meanwhile (`more`), the holder notifies. So it does for those that it
//      moved into its ring. Otherwise nothing is left.
//   3. The unlock comes before the fence of that notify: claims 1 to 3 hold with the unlock as s1. So some core sees
//      what is left in its last look, or is woken and searches.
// Claim 4b: a core that sees a task by a look can take it by a search. Else it would go round for ever, often with the
// waking role, which swallows the notifies of others.
//   1. search_victims() looks where work_visible() looks: at every other core's offer, overflow and ring, whether that
//      core is parked or not. The overflow of a parked core need not be empty: a thief that held it left the rest.
//   2. If a search fails although something is visible, another core took it, or holds the stack: then claim 4 holds.
// Claim 5: a start under way swallows nothing: it suppresses further starts only. A notify that found no core parked
// leaves its task
//   a. to a core that parks later (claim 1); or
//   b. to the core on its way: it takes the waking role, and claim 3 follows; or
//   c. if that one never comes, to the next submit after the deadline.
//   Some core looks at the deadline: start() sets can_start after the power state. A core that clears the bit looks at
//   the power states after that. A start that it misses sets the bit after it.
//   Nor does the cleared bit swallow anything while a core is off. Who clears it tries all that are off after that. A
//   core that is given up later has been claimed then. Who gives it up begins another start, and the core that comes by
//   that sets the bit before it searches: DESIGN 7.3.
// Claim 25: a submit from outside that sees can_retry has the cores tried that were refused, if its tasks need them.
//   1. It sets can_start before it looks whether its tasks are looked after. Whoever notifies may start a core then.
//   2. If that look meets `waking`, can_start is in the word when the holder of the role gives that up; or a core has
//      cleared it, and tries all that are off after that. By claims 3 and 4 somebody notifies of what is left: the
//      holder, or who holds the queue.
//   3. If not, the submit itself chooses a core, which takes the role, or tries those that are off.
//
// A chosen core changes nothing in the word: it holds the role. It may come before its task is visible, and park again.
// Then p3 finds the task: p1 comes after the step that chose it, and acquires. No time-out covers for any of this.
#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

namespace detail {

uint32_t change(Atomic<uint32_t>& word, uint32_t clear, uint32_t set) {
    uint32_t seen = word.load(relaxed);  // relaxed: a guess; the exchange decides
    // [D1] with `closing` comes all that was submitted before the shutdown. The other bits carry no data: what stands
    // after them is ordered by the fences (edge I1) and by unpark(). [A1] but for the first deadline, for who takes
    // the watch. [T1] of a power state, for reach(): that the pool is closing. [J1] of the roster, for end_join():
    // what the workers did, for a second join(). relaxed on failure: only compared again.
    while (!word.compare_exchange(seen, (seen & ~clear) | set, acq_rel, relaxed)) {
    }  // ends: a failed exchange means that another core changed the word, or (rarely) nothing
    return seen;
}

}  // namespace detail

// Starts that failed get a chance.
void Scheduler::retry_starts() {
    if (idle_.look().may_retry()) idle_.allow_start();  // a hint
}

// Chooses one parked core, makes it the waking one and wakes it; if none is parked, starts one. Always ok.
Status Scheduler::wake(Chances chances) {
    if (may_retry(chances)) {
        retry_starts();  // claim 25
        // A core that submits from outside runs code of its own: to start it would be refused. (One that works for
        // another pool can be started when that has ended.)
        Worker* const self = detail::Preemption::runs_here() ? nullptr : this_worker();
        if (self != nullptr && !detail::ForkDeque::works_for_a_pool()) {
            move(*self, detail::Power::off, detail::Power::elsewhere);
        }
    }
    if (detail::Preemption::runs_here()) chances = Chances::from_isr;  // it may interrupt a start
    for (;;) {                               // ends: each round acts, or another core changed the word
        const IdleBits seen = idle_.look();  // a guess; the step decides
        if (!worth_waking(seen, chances)) break;
        if (seen.parked() == 0) {
            start_one();
            break;
        }
        const uint32_t chosen = seen.parked() & (0 - seen.parked());  // the lowest
        if (idle_.choose(seen, chosen)) {
            WEFT_TRACE_EVENT(wake, 0, seen.lowest_parked());
            Port::unpark(seen.lowest_parked());  // carries what was stored before
            break;
        }
    }
    return Status::ok;
}

// A searching worker has found a task: before it runs it, it sees to it that the rest is not left lying.
void Scheduler::announce(Worker& worker) {
    if (leaves_something(worker)) static_cast<void>(wake(Chances::from_task));
}

// Parks the worker until it is chosen, or there is something for it. False: the pool is closing, and nothing is left.
bool Scheduler::rest(Worker& worker) {
#if WEFT_BLOCKING
    will_take(worker);
    const bool more = rest_until(worker, [&] { return ends_sleep(*this, worker) || may_begin(); });
    will_not_take(worker);
    after_sleep(worker);
    return more || lingers(*this);
#else
    const bool more = rest_until(worker, [&] { return ends_sleep(*this, worker); });
    after_sleep(worker);
    return more;
#endif
}

}  // namespace WEFT_ABI
}  // namespace weft
