// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Machine, the calls of the port and what an access to a word means for the cores that wait.
#include "machine.hpp"
#include "trace.hpp"

namespace weft {
namespace model {

// ---- Words

void Machine::access(Location& location, Access access) {
    const unsigned party = self_ + (in_interrupt() ? max_cores : 0);
    const bool is_private = sharing.is_private(location.sharers, party);
    if (is_private &&
        booting_ == count_) {  // a core's first operation is always a point: replays count on it
        begin_step();
        return;
    }
    point(Operation{access, location.index});
}

void Machine::watch(unsigned word) {
    WatchSet& watches = cores_[self_].watches;
    watches.words[watches.round][word / 64] |= uint64_t{1} << (word % 64);
    cores_[self_].fresh = false;
}

bool Machine::must_advance(unsigned word) {
    const Core& me = cores_[self_];
    if (!me.fresh) return false;
    const uint64_t mask = uint64_t{1} << (word % 64);
    for (const auto& words : me.watches.words) {
        if ((words[word / 64] & mask) != 0) return true;
    }
    return false;
}

void Machine::stored(unsigned word) {
    if (memory.value_changed(word)) ++stores_;
    if (states != nullptr) states->add(memory.change_of(word));
    const uint64_t mask = uint64_t{1} << (word % 64);
    for (unsigned id = 0; id != count_; ++id) {
        Core& core = cores_[id];
        if (core.state != State::waiting || id == self_) continue;
        for (const auto& words : core.watches.words) {
            if ((words[word / 64] & mask) != 0 && !memory.up_to_date(id, word)) core.changed = true;
        }
    }
}

void Machine::fence() {
    point(Operation{Access::write, place_fence});
    memory.fence(self_);
}

// ---- Spinning

// A core that spins waits until something it has read in the last rounds has changed. It may also go on before that,
// a bounded number of times, so that a loop that gives up after some rounds does so at every moment.
void Machine::relax() {
    Core& me = cores_[self_];
    ++me.relaxes;
    begin_step();
    bool watching = false;
    for (unsigned round = 0; round != WatchSet::rounds; ++round) watching = watching || me.watches.any(round);
    if (watching && explorer.choose(Choice::spin_return, 2) == 0) {
        me.changed = !all_words_current(me);
        if (!me.changed) {
            me.state = State::waiting;
            arrive(Operation{});
            pass_on(true);
            if (me.interrupt != no_handler) run_interrupt();
            me.state = State::ready;
        }
        me.fresh = true;
    }
    me.free_switch = true;
    next_round();
}

bool Machine::all_words_current(const Core& core) const {
    for (const auto& words : core.watches.words) {
        for (unsigned part = 0; part != WatchSet::parts; ++part) {
            for (uint64_t rest = words[part]; rest != 0; rest &= rest - 1) {
                const unsigned word = 64 * part + static_cast<unsigned>(__builtin_ctzll(rest));
                if (!memory.up_to_date(self_, word)) return false;
            }
        }
    }
    return true;
}

void Machine::next_round() {
    WatchSet& watches = cores_[self_].watches;
    if (!watches.any(watches.round)) return;
    watches.round = (watches.round + 1) % WatchSet::rounds;
    for (uint64_t& part : watches.words[watches.round]) part = 0;
}

// ---- Parking

bool Machine::park(bool with_barrier) {
    Core& me = cores_[self_];
    if (me.in_interrupt) model::fail(Failure::misuse, "core %u parks in an interrupt handler", self_);
    begin_step();
    if (me.first_park == 0) me.first_park = explorer.step();
    me.watches = WatchSet{};
    if (explorer.choose(Choice::spurious_park, 2) != 0) return comes_back(false);
    for (;;) {  // ends: with the event, or when an interrupt makes it return
        me.state = State::parked;
        arrive(mailbox(self_));
        pass_on(me.free_switch);
        if (me.interrupt == no_handler) break;
        run_interrupt();
        begin_step();
        if (explorer.choose(Choice::park_stays, 2) != 0) return comes_back(false);
    }
    me.state = State::ready;
    me.event = false;
    memory.take_event(self_, with_barrier);
    return comes_back(true);
}

bool Machine::comes_back(bool by_event) {
    if (cores_[self_].busy) cores_[self_].awake_at = explorer.step();
    return by_event;
}

void Machine::unpark(unsigned target, bool with_barrier) {
    const bool everybody = config_.wake == Wake::event;
    // The barrier concerns whoever starts later, see Memory::barrier().
    const unsigned place = everybody || has_late_cores_ ? place_all_cores : place_core + target;
    if (target < count_ || everybody) point(Operation{Access::read, static_cast<uint8_t>(place)});
    if (with_barrier) memory.barrier(self_);
    for (unsigned id = 0; id != count_; ++id) {
        if (!cores_[id].started || (!everybody && id != target)) continue;
        cores_[id].event = true;
        memory.send_event(self_, id, with_barrier);
    }
    ++stores_;
}

// It carries no view: who is interrupted looks by its own edges. A core that is off, or whose program has ended, has
// nothing to interrupt.
void Machine::interrupt(unsigned target, void (*handler)()) {
    if (!config_.preemptions_allowed)
        model::fail(Failure::misuse, "core %u calls interrupt(): Scenario::interrupts()", self_);
    point(mailbox(target));
    if (target < count_) cores_[target].pending = handler;
}

bool Machine::hold_interrupts(bool held) {
    const bool before = cores_[self_].holds_interrupts;
    cores_[self_].holds_interrupts = held;
    return before;
}

// ---- Starting cores

StartAnswer Machine::start_core(unsigned target, void (*entry)(void*), void* arg) {
    const StartAnswer answer = post_entry(target, entry, arg);
    ++(answer == StartAnswer::started ? starts_ : failed_starts_);
    return answer;
}

StartAnswer Machine::post_entry(unsigned target, void (*entry)(void*), void* arg) {
    if (in_interrupt())
        model::fail(Failure::misuse, "core %u calls start_core in an interrupt handler", self_);
    if (target >= count_) return StartAnswer::absent;
    point(Operation{Access::write, static_cast<uint8_t>(place_core + target)});
    Core& core = cores_[target];
    const Program::CorePlan& plan = program.plan(target);
    if (plan.outcome_count == 0) return plan.boots ? StartAnswer::refused : StartAnswer::absent;
    if (core.mail || core.busy || (target == self_ && !core.in_entry)) return StartAnswer::refused;
    const unsigned turn = core.starts < plan.outcome_count ? core.starts : plan.outcome_count - 1u;
    ++core.starts;
    const Arrival outcome = plan.outcomes[turn];
    if (outcome == Arrival::absent) return StartAnswer::absent;
    if (outcome == Arrival::refused) return StartAnswer::refused;
    core.mail = true;
    if (core.state == State::off) core.state = State::arriving;  // or later, when it comes to its pen
    core.silent = outcome == Arrival::never;
    core.entry = entry;
    core.arg = arg;
    memory.send_start(self_, target);
    return StartAnswer::started;
}

uint32_t Machine::mailbox_turn(unsigned target) {
    if (target >= count_) return 1;
    point(Operation{Access::read, static_cast<uint8_t>(place_core + target)});
    const Core& core = cores_[target];
    if (core.mail || core.busy) return 0;
    memory.see_vacancy(self_, target);
    return core.starts << 1 | 1;
}

bool Machine::cancel_start(unsigned target, const void* arg) {
    if (in_interrupt())
        model::fail(Failure::misuse, "core %u calls cancel_start in an interrupt handler", self_);
    if (target >= count_) return false;
    point(Operation{Access::write, static_cast<uint8_t>(place_core + target)});
    Core& core = cores_[target];
    if (!core.mail || (arg != nullptr && arg != core.arg)) return false;
    core.mail = false;
    if (core.state == State::arriving) core.state = State::off;
    return true;
}

// The core itself: it is on now, takes what was posted and runs it. It does not know its event register's value; what
// is sent from now on arrives.
void Machine::take_entry() {
    Core& me = cores_[self_];
    me.mail = false;
    me.busy = true;
    me.in_entry = true;
    me.awake_at = explorer.step();
    ++me.entries;
    me.state = State::ready;
    memory.take_start(self_, !me.started);
    me.started = true;
    if (trace.on()) trace.note(self_, "is on and calls its entry");
    if (config_.pens) hook::set_outside(self_, true);
    me.entry(me.arg);
    vacate();
    me.in_entry = false;
    if (config_.pens) hook::set_outside(self_, false);
}

void Machine::vacate() {
    if (!cores_[self_].busy) return;
    point(mailbox(self_));
    cores_[self_].busy = false;
    if (config_.pens) memory.send_vacancy(self_);
}

// ---- Time

uint32_t Machine::now() {
    point(clock_access(config_.ticks_per_call != 0 || config_.time_jumps != 0));
    if (explorer.choose(Choice::time_jump, 2) != 0) pass_time(config_.ticks_per_jump);
    pass_time(config_.ticks_per_call);
    return clock_;
}

void Machine::advance_clock(uint32_t ticks) {
    point(clock_access(true));
    pass_time(ticks);
}

// Where cores have alarms, time that passes may set the event of each.
Operation Machine::clock_access(bool moves) const {
    const unsigned place = config_.alarms ? place_all_cores : place_clock;
    return Operation{moves ? Access::write : Access::read, static_cast<uint8_t>(place)};
}

void Machine::pass_time(uint32_t ticks) {
    clock_ += ticks;
    elapsed_ += ticks;
    for (unsigned id = 0; id != count_; ++id) {
        Core& core = cores_[id];
        if (!core.alarm || static_cast<int32_t>(clock_ - core.alarm_at) < 0) continue;
        core.alarm = false;
        core.event = true;
    }
}

void Machine::set_alarm(uint32_t tick) {
    if (!config_.alarms) model::fail(Failure::misuse, "core %u sets an alarm: Scenario::alarms()", self_);
    point(clock_access(true));
    cores_[self_].alarm = true;
    cores_[self_].alarm_at = tick;
    pass_time(0);
}

void Machine::clear_alarm() {
    point(clock_access(true));
    cores_[self_].alarm = false;
}

// How long it is until the first alarm of a core that sleeps. False: there is none.
bool Machine::next_alarm(uint32_t& wait) const {
    bool any = false;
    for (unsigned id = 0; id != count_; ++id) {
        const Core& core = cores_[id];
        if (!core.alarm || core.state != State::parked) continue;
        const uint32_t its = core.alarm_at - clock_;
        if (!any || its < wait) wait = its;
        any = true;
    }
    return any;
}

}  // namespace model
}  // namespace weft
