// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: cores as a resource: started when first needed, and a start may fail in every way (see Power in worker.hpp).
#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::Claim;
using detail::Power;
using detail::word;

namespace detail {

bool Roster::count_in() {
    uint32_t seen = word_.load(relaxed);  // relaxed (both): it protects no data on the way in
    do {
        if ((seen & sealed) != 0) return false;
        // [K4] what it takes, after the looks of who has not seen it yet
    } while (!word_.compare_exchange(seen, seen + 1, acquire, relaxed));
    return true;
}

// Nothing of the pool is touched after the step: whom to tell comes from the word itself.
void Roster::count_out() {
    const uint32_t all = cores();
    // [J1] all this core did for the pool, before join() returns
    const uint32_t before = word_.fetch_sub(1, release);
    if ((before & live_mask) == 1) unpark_joiner(before);
    unpark_observers(before, all);
}

void Roster::count_out_and_wake() {
    unpark_joiner(word_.fetch_sub(1, release));  // [J1] that the pool is closing
}

void Roster::unpark_joiner(uint32_t roster) {
    const uint32_t joiner = roster >> joiner_shift;
    if (joiner == 0) return;
    WEFT_TRACE_EVENT(wake, 0, joiner - 1);
    Port::unpark(joiner - 1);
}

}  // namespace detail

namespace {

// How long a core that was started may take to check in, in ticks of Port::now(); at most half a turn of the clock.
uint32_t start_deadline() {
    constexpr uint32_t most = 1u << 31;
    const uint32_t per_ms = Port::ticks_per_ms();
    return per_ms > most / WEFT_START_DEADLINE_MS ? most : per_ms * WEFT_START_DEADLINE_MS;
}

}  // namespace

// The entry of a core that start() started and counted in. It can be started again before the joiner hears of its
// leaving: the next pool finds it.
void Scheduler::core_entry(void* scheduler) {
    Scheduler& pool = *static_cast<Scheduler*>(scheduler);
#if WEFT_ELASTIC
    Worker& worker = pool.workers_[Port::core_id()];
    worker.by_itself.set(0);
#endif
    pool.work(until_closed);
    WEFT_TRACE_EVENT(off, reinterpret_cast<uintptr_t>(&pool), 0);
    Port::vacate();
#if WEFT_ELASTIC
    static_cast<void>(steps_out(worker, Power::off, true));
    lets_rest(pool);
#endif
    pool.roster_.count_out();
}

// Tries every core that is off, once, until one is on its way. If there is none, and nobody is here who stays: every
// core that ran other code when it was seen last; it may have come to where it can be started since then.
void Scheduler::start_one() {
    Found seen;
    for (bool tried = false;;
         tried = true) {  // ends: a start that is withdrawn here has begun before, by another core
        seen = withdraw_overdue_starts();
        // If this look itself withdraws one that is overdue, nobody else comes for what the caller has to be done.
        if ((seen & withdrawn) == 0) {
            // It was the mark of a start that is under way: somebody must look at its deadline.
            if ((seen & coming) != 0) return static_cast<void>(idle_.allow_start());
            if (tried) break;
        }
        // Before each core is tried. So this core tries what was off before it took the mark away; and the mark of who
        // has come since then stays.
        if (!has_just_left(*this)) idle_.forbid_start();
        if (start_any(Power::off)) return;
    }
    Found left = 0;
    if (detail::ForkDeque::works_for_a_pool()) {
        // The caller itself, in a task of another pool.
        const Worker* const self = this_worker();
        // relaxed: its own, or of who tries it just now
        if (self != nullptr && detail::may_come(self->power.load(relaxed))) left = ~0u;
    }
    // Who is here for a poll or a call may go, and leave what it was not told of.
    if ((seen & residents) == 0) {
        if (start_any(Power::elsewhere)) return;
        left |= elsewhere;  // the caller itself may be one of them
    }
    // The next submit from outside tries again: nothing else will.
    if ((seen & left) != 0) idle_.allow_retry();
}

#if WEFT_FORK_DEPTH
// The core comes for a poll, a call or a wait. Not beside a claim of it: when a task of another pool has visited, the
// core is off again, and may be claimed anew, while who holds the older claim has yet to say what became of it. Returns
// the state before.
uint32_t detail::enters_for_a_while(Worker& worker) {
    for (;;) {                                             // ends: a claim does, after a few steps
        const uint32_t from = worker.power.load(relaxed);  // relaxed: the step decides
        const bool waits = from == detail::word(detail::Power::claimed) || detail::is_leaving(from);
        if (!waits && detail::step(worker.power, from, detail::word(detail::Power::on))) return from;
        Port::relax();
    }
}

// The visit is over, and the core goes on with its task of the other pool. When that pool has ended it can be started:
// until then a start is refused. After the state: who has found a visitor has taken the mark away.
void Scheduler::ends_as_guest(Worker& worker) {
    // Ends: who admits it, or takes its follower, is done after a few steps.
    while (!move(worker, Power::on, Power::off)) {
        if (!WEFT_ELASTIC || newest(worker) != word(Power::on)) break;
    }
    idle_.allow_retry();
}
#endif

// The first core in this state that can be started. The next call goes on after it, so a core that never comes does
// not keep the others from being started.
bool Scheduler::start_any(Power from) {
    uint32_t core = start_cursor_.load(relaxed);  // relaxed (both): a hint
    uint32_t left = cores_;
    do {
        if (++core >= cores_) core = 0;
        if ((!WEFT_ELASTIC || core != Port::core_id()) && start(core, from)) {
            start_cursor_.store(core, relaxed);
            return true;
        }
    } while (--left != 0);
    return false;
}

// Starts a core that is in this state (off or elsewhere), and not the calling one, unless that has vacated. True: it is
// on its way.
bool Scheduler::start(uint32_t core, Power from) {
    Worker& worker = workers_[core];
    const OnTop::GoesOn goes_on;  // the owner of a request waits for a claim to end
    if (!WEFT_ELASTIC && core == Port::core_id()) return false;
    const Claim claim(worker);
    while (!move(worker, from, Power::claimed)) {  // ends: each round but one, the core has left
        if (!WEFT_ELASTIC || newest(worker) != word(from)) return false;
    }
    while (forbids_starts()) {  // ends: each round, another request has ended and begun
        move(worker, Power::claimed, from);
        if (forbids_starts() || !move(worker, from, Power::claimed)) return false;
    }
    while (!hires(core)) {  // ends: each round, another core has asked for something else
        // Who allows more meanwhile meets the claim, and starts nobody. [T1] it has stepped on the power state.
        move(worker, Power::claimed, from);
        if (!may_hire(*this, core) || !move(worker, from, Power::claimed)) return false;
    }
    if (!roster_.count_in()) {
        lays_off();
        move(worker, Power::claimed, from);  // joined: no start, and no reason for the joiner to stay awake
        return false;
    }
    const Port::Start answer = Port::start_core(core, &Scheduler::core_entry, this);
    if (answer != Port::Start::started) {
        give_up(worker, answer == Port::Start::absent ? Power::absent : from);
        roster_.count_out();
        return false;
    }
    WEFT_TRACE_EVENT(start, reinterpret_cast<uintptr_t>(this), core);
    worker.started_at.store(Port::now(), relaxed);  // relaxed: published by [T1] in move()
    const bool comes = keeps_coming(worker);
    // [J3] the state before the look for a joiner; pairs with seal_and_look(), which looks at the deadlines, too
    Port::fence();
    roster_.wake_joiner();
    return comes;
}

// A claimed core that will not come. The caller counts it out.
void Scheduler::give_up(Worker& worker, Power to) {
    // relaxed (both): statistics; who holds the claim is the only writer, and the claims are ordered by [T1].
    worker.start_failures.store(worker.start_failures.load(relaxed) + 1, relaxed);
    move(worker, Power::claimed, to);
    WEFT_TRACE_EVENT(start_failed, reinterpret_cast<uintptr_t>(this), worker.core);
    lays_off();
    idle_.allow_retry();
}

// Withdraws starts whose core has not come within the deadline; at once, if the pool is abandoned.
Scheduler::Found Scheduler::withdraw_overdue_starts() {
    const uint32_t deadline = is_abandoned() ? 0 : start_deadline();
    // This core's clock may be a little behind that of the one that began the start. All else that looks like less
    // than nothing is very late: nobody has looked for more than half a turn of the clock.
    const uint32_t behind = deadline / 64;
    const auto is_late = [=](const Worker& worker) {
        // relaxed: see [T1]
        return Port::now() - worker.started_at.load(relaxed) + behind >= deadline + behind;
    };
    const OnTop::GoesOn goes_on;
    Found seen = 0;
    const Worker* const end = workers_ + cores_;
    for (Worker* each = workers_; each != end; ++each) {
        Worker& worker = *each;
        const uint32_t power = worker.power.load(acquire);  // [T1] started_at
        const bool overdue = power == word(Power::starting) && is_late(worker);
        const Claim claim(worker, overdue);
        if (!overdue || !move(worker, Power::starting, Power::claimed)) {
            seen |= 1u << power;
        } else if ((!WEFT_ELASTIC || is_late(worker)) && Port::cancel_start(worker.core, this)) {
            Waitable* const follower = take_follower_of_who_is_out(worker, true);
            give_up(worker, Power::off);
            after_leaving(worker, follower);
            roster_.count_out();  // after that: who counts who is still here finds what it has submitted
            seen |= withdrawn;
        } else if (!WEFT_ELASTIC) {
            // The core was faster: it checks in or has done so.
            move(worker, Power::claimed, Power::starting);
        } else if (keeps_coming(worker)) {
            // The same; or it has come, gone, and been started again; or the clock has gone round since the first look.
            // So it is on its way, and somebody is to look again.
            seen |= 1u << word(Power::starting);
        } else {
            seen |= withdrawn;
        }
    }
    // It may have been for a task that only some cores may run. A core that comes for such a task takes others, too.
    if ((seen & withdrawn) != 0 && tell_of_sets(Chances::from_outside)) seen = (seen & ~withdrawn) | coming;
    return seen;
}

}  // namespace WEFT_ABI
}  // namespace weft
