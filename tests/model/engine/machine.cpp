// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Machine, how one execution runs: fibers, points, interrupts, the end. The calls of the port are in
// machine_calls.cpp.
#include "machine.hpp"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace.hpp"

namespace weft {
namespace model {

Machine machine;
bool running = false;

const char* name_of(Failure failure) {
    switch (failure) {
        case Failure::none: return "none";
        case Failure::check: return "check failed";
        case Failure::panic: return "panic";
        case Failure::race: return "data race";
        case Failure::lifetime: return "lifetime";
        case Failure::two_writers: return "two writers";
        case Failure::lost_wake: return "lost wake-up or deadlock";
        case Failure::livelock: return "livelock";
        case Failure::crash: return "crash";
        case Failure::misuse: return "misuse of the port";
        case Failure::model_limit: return "limit of the model";
        case Failure::not_found: return "not found";
    }
    return "?";
}

void fail(Failure failure, const char* format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    machine.fail(failure, text);
}

void Machine::begin_exploration(const Config& config) {
    config_ = config;
    explorer.begin(config);
    sharing.begin_exploration();
    memory.begin_exploration();
    releases_ = 0;
    releases_before_ = 0;
    snapshots_.clear();
}

// ---- One execution

Machine::Ending Machine::execute(Callable judge) {
    count_ = program.cores();
    failure_ = Failure::none;
    message_.clear();
    releases_before_ += releases_;
    releases_ = 0;
    snapshots_.clear();
    undo.clear();
    for (const StaticPart& part : static_parts) {
        if (part.begin != nullptr) memset(part.begin, 0, part.size);
    }
    explorer.begin_execution();
    const bool saves = Fiber::can_be_copied && config_.snapshots != 0 && explorer.searches();
    explorer.snapshot_at(saves ? config_.snapshots : Explorer::never);
    explorer.take_snapshot = [] {
        machine.to_be_saved_ = true;
        Fiber::change(machine.cores_[machine.self_].fiber, machine.main_);
    };
    if (states != nullptr) states->begin_execution();
    trail.reset(count_);
    memory.reset(count_);
    plain.reset();
    reset_cores();
    // What an execution has left in which cores were started and stayed.
    for (unsigned id = 0; config_.pens && id != count_; ++id) hook::set_outside(id, false);
    booting_ = 0;
    if (!seek_boot_core()) fail(Failure::misuse, "no core runs from the beginning");
    self_ = booting_;
    idle_rounds_ = 0;
    clock_ = config_.clock_start;
    elapsed_ = 0;
    failed_starts_ = 0;
    starts_ = 0;
    stores_ = 0;
    stores_when_idle_ = 0;
    rounds_to_alarm_ = 0;
    only_certain_ = false;
    return run(judge);
}

// From where the machine is to the end, and the final check.
Machine::Ending Machine::run(Callable judge) {
    judge_ = judge;
    judge_fiber_.prepare(run_fiber);
    if (_setjmp(after_crash_) != 0) ending_ = Ending::failed;  // crash() has come back here
    if (failure_ == Failure::none) {
        executing_ = true;
        running = true;
        for (;;) {  // ends: with the execution
            Fiber::change(main_, cores_[self_].fiber);
            if (!to_be_saved_) break;
            to_be_saved_ = false;
            save();
        }
    }
    running = false;
    if (ending_ == Ending::complete) {
        self_ = 0;
        judging_ = true;
        Fiber::change(main_, judge_fiber_);
        judging_ = false;
    }
    executing_ = false;
    self_ = 0;  // outside of the cores' bodies everything is core 0's
    return ending_;
}

void Machine::reset_cores() {
    has_interrupts_ = config_.preemptions_allowed;
    has_late_cores_ = false;
    for (unsigned id = 0; id != count_; ++id) {
        Core& core = cores_[id];
        const Program::CorePlan& plan = program.plan(id);
        core.fiber.prepare(run_fiber);
        core.state = plan.boots ? State::ready : State::off;
        core.started = plan.boots;
        core.event = false;
        core.in_interrupt = false;
        core.holds_interrupts = false;
        core.on_top = false;
        core.pending = nullptr;
        core.free_switch = false;
        core.changed = false;
        core.fresh = false;
        core.silent = false;
        core.interrupt = no_handler;
        core.mail = false;
        core.busy = false;
        core.alarm = false;
        core.alarm_at = 0;
        core.starts = 0;
        core.relaxes = 0;
        core.awake_at = 0;
        core.entries = core.first_park = 0;
        core.watches = WatchSet{};
        has_late_cores_ = has_late_cores_ || !plan.boots;
        has_interrupts_ = has_interrupts_ || plan.interrupt_count != 0;
    }
}

void Machine::run_fiber() {
    if (machine.judging_) machine.run_judge();
    machine.run_core();
}

void Machine::run_judge() {
    judge_();
    end_execution(Ending::complete);
}

// A core's whole life.
void Machine::run_core() {
    if (program.plan(self_).boots) {
        program.plan(self_).body();
        last_interrupts();
        if (program.plan(self_).outcome_count == 0) {
            cores_[self_].state = State::finished;
            begin_step();
            pass_on(true);  // does not return
        }
        wait_in_pen();
    }
    for (;;) {  // ends: the execution does
        take_entry();
        last_interrupts();
        wait_in_pen();
    }
}

// Between entries, and after the program of a core that boots: until one was posted, if not before.
void Machine::wait_in_pen() {
    Core& me = cores_[self_];
    me.state = me.mail ? State::arriving : State::off;
    begin_step();
    arrive(mailbox(self_));
    pass_on(true);
}

void Machine::end_execution(Ending ending) {
    ending_ = ending;
    Fiber& fiber = judging_ ? judge_fiber_ : cores_[self_].fiber;
    Fiber::change(fiber, main_);
    abort();  // nobody comes back here
}

void Machine::fail(Failure failure, const std::string& message) {
    if (!executing_) {
        fprintf(stderr, "model: outside of an execution: %s: %s\n", name_of(failure), message.c_str());
        exit(2);
    }
    failure_ = failure;
    message_ = message;
    end_execution(Ending::failed);
}

void Machine::crash(int signal, const void* address) {
    const bool overflow = cores_[self_].fiber.guards(address) || judge_fiber_.guards(address);
    char text[160];
    snprintf(text, sizeof text, "core %u: %s at address %p%s", self_, strsignal(signal), address,
             overflow ? ": its stack has overflowed" : "");
    failure_ = Failure::crash;
    message_ = text;
    judging_ = false;
    longjmp(after_crash_, 1);
}

// ---- Points

void Machine::begin_step() {
    explorer.begin_step();
    if (explorer.step() > config_.steps) {
        fail(Failure::livelock,
             "more than " + std::to_string(config_.steps) + " operations in one execution");
    }
}

void Machine::arrive(Operation operation) {
    if (explorer.reduces()) trail.arrive(self_, operation);
}

// The running core is about to do `operation`. Another core may go first, and an interrupt may come.
void Machine::point(Operation operation) {
    Core& me = cores_[self_];
    for (;;) {  // ends: interrupts are bounded
        begin_step();
        arrive(operation);
        pass_on(me.free_switch);
        if (me.interrupt == no_handler) return;
        run_interrupt();
    }
}

// Lets the core that is chosen go on; returns when it is this one's turn. At first every boot core runs up to its first
// operation: what comes before that is nobody else's business. Or up to where it waits, see Program::core_at_rest().
void Machine::pass_on(bool free) {
    cores_[self_].free_switch = false;
    if (booting_ == count_) {
        reschedule(self_, free);
        return;
    }
    if (settling() && can_go(cores_[self_])) return;
    ++booting_;
    if (seek_boot_core()) {
        resume(booting_);
    } else {
        reschedule(0, true);
    }
}

// Moves booting_ on to the next core that boots. The others wait for an entry.
bool Machine::seek_boot_core() {
    for (; booting_ != count_; ++booting_) {
        if (program.plan(booting_).boots) {
            explorer.be_quiet(settling());
            return true;
        }
        if (explorer.reduces()) trail.arrive(booting_, mailbox(booting_));
    }
    explorer.be_quiet(false);
    return false;
}

// The running core stands at a point, is blocked, or has finished: chooses who goes on, which may be itself.
void Machine::reschedule(unsigned current, bool free) {
    if (explorer.asleep() != 0 && !can_go(cores_[self_])) {
        if (cores_[self_].state == State::waiting) {
            trail.block_on_words();
        } else {
            trail.block(self_);
        }
    }
    CoreSet ready = able();
    only_certain_ = false;
    CoreSet enabled = static_cast<CoreSet>(ready | interruptible_cores(false));
    if (ready == 0) {
        enabled = when_nobody_can_go();
        ready = able();
    }
    const CoreSet eager = interruptible_cores(false);
    const int next = explorer.pick(current, ready, enabled, free, eager);
    if (next == Explorer::nobody) end_execution(Ending::duplicate);
    const unsigned core = static_cast<unsigned>(next);
    cores_[core].interrupt =
        static_cast<int8_t>(choose_handler(core, (ready & bit(core)) == 0, only_certain_));
    if (cores_[core].interrupt == no_handler && explorer.reduces()) trail.execute(core);
    resume(core);
}

void Machine::resume(unsigned core) {
    if (core == self_) return;
    const unsigned before = self_;
    self_ = core;
    Fiber::change(cores_[before].fiber, cores_[core].fiber);
}

bool Machine::can_go(const Core& core) const {
    switch (core.state) {
        case State::ready: return true;
        case State::arriving: return !core.silent;
        case State::waiting: return core.changed;
        case State::parked: return core.event;
        case State::off:
        case State::finished: break;
    }
    return false;
}

CoreSet Machine::able() const {
    CoreSet set = 0;
    for (unsigned id = 0; id != count_; ++id) {
        if (can_go(cores_[id])) set = static_cast<CoreSet>(set | bit(id));
    }
    return set;
}

// Nobody can go on by itself. Returns who does nevertheless; ends the execution if nobody does.
CoreSet Machine::when_nobody_can_go() {
    const CoreSet certain = interruptible_cores(true);
    if (certain != 0) {
        only_certain_ = true;
        return certain;
    }
    if (stores_ != stores_when_idle_) idle_rounds_ = 0;
    stores_when_idle_ = stores_;
    // A call of relax() is over before the next alarm. Who goes on calling it may wait for just that.
    uint32_t wait = 0;
    if (next_alarm(wait)) {
        const bool first = idle_rounds_ < idle_rounds_to_alarm && rounds_to_alarm_ < most_rounds_to_alarm;
        if (first && end_relaxes()) {
            ++idle_rounds_;
            ++rounds_to_alarm_;
        } else {
            rounds_to_alarm_ = 0;
            pass_time(wait);
        }
        return able();
    }
    if (idle_rounds_++ != most_idle_rounds && end_relaxes()) {
        ++releases_;
        pass_time(config_.ticks_per_jump);
        return able();
    }
    bool at_rest = true;
    for (unsigned id = 0; id != count_; ++id) {
        const State state = cores_[id].state;
        const bool parked = state == State::parked && config_.parked_at_end;
        at_rest = at_rest &&
                  (parked || state == State::finished || state == State::off || state == State::arriving);
    }
    if (!at_rest) report_stuck();
    const CoreSet possible = interruptible_cores(false);
    if (possible == 0 || explorer.choose(Choice::interrupt, 2) == 0) end_execution(Ending::complete);
    return possible;
}

// relax() does not last for ever. False: nobody is in it.
bool Machine::end_relaxes() {
    bool any = false;
    for (unsigned id = 0; id != count_; ++id) {
        if (cores_[id].state != State::waiting) continue;
        cores_[id].changed = true;
        any = true;
    }
    return any;
}

void Machine::report_stuck() {
    std::string who;
    for (unsigned id = 0; id != count_; ++id) {
        const State state = cores_[id].state;
        if (state == State::parked) who += ", core " + std::to_string(id) + " is parked";
        if (state == State::waiting) who += ", core " + std::to_string(id) + " spins";
    }
    fail(Failure::lost_wake, "nobody can go on" + who);
}

// ---- Interrupts

bool Machine::interruptible(unsigned id) const {
    const Core& core = cores_[id];
    if ((core.in_interrupt && !program.plan(id).nests) || core.holds_interrupts || booting_ != count_)
        return false;
    return core.state == State::ready || core.state == State::waiting || core.state == State::parked;
}

CoreSet Machine::interruptible_cores(bool only_certain) const {
    CoreSet set = 0;
    if (!has_interrupts_) return set;
    for (unsigned id = 0; id != count_; ++id) {
        const Program::CorePlan& plan = program.plan(id);
        if (is_pending(id)) set = static_cast<CoreSet>(set | bit(id));
        if (plan.interrupt_count == 0 || !interruptible(id)) continue;
        for (unsigned i = 0; i != plan.interrupt_count; ++i) {
            const Program::Interrupt& interrupt = plan.interrupts[i];
            if (interrupt.left == 0 || (only_certain && interrupt.occurs != Occurs::must)) continue;
            set = static_cast<CoreSet>(set | bit(id));
        }
    }
    return set;
}

// Which handler runs before the core goes on; `certain`: it can go on only because of an interrupt.
int Machine::choose_handler(unsigned id, bool certain, bool only_certain) {
    const Program::CorePlan& plan = program.plan(id);
    if (!has_interrupts_ || !interruptible(id)) return no_handler;
    int handlers[Program::most_interrupts + 1];
    unsigned count = 0;
    if (is_pending(id)) handlers[count++] = pending_handler;
    for (unsigned i = 0; i != plan.interrupt_count; ++i) {
        const Program::Interrupt& interrupt = plan.interrupts[i];
        if (interrupt.left == 0 || (only_certain && interrupt.occurs != Occurs::must)) continue;
        handlers[count++] = static_cast<int>(i);
    }
    if (count == 0) return no_handler;
    if (certain) return handlers[explorer.choose(Choice::interrupt, count)];
    const unsigned chosen = explorer.choose(Choice::interrupt, count + 1);
    return chosen == 0 ? no_handler : handlers[chosen - 1];
}

// The core's program has ended. An interrupt may come now; those that must come do.
void Machine::last_interrupts() {
    if (!has_interrupts_) return;
    if (program.plan(self_).interrupt_count == 0 && cores_[self_].pending == nullptr) return;
    point(Operation{});
    if (is_pending(self_)) {
        cores_[self_].interrupt = pending_handler;
        run_interrupt();
    }
    Program::CorePlan& plan = program.plan(self_);
    for (unsigned i = 0; i != plan.interrupt_count; ++i) {
        while (plan.interrupts[i].occurs == Occurs::must && plan.interrupts[i].left != 0) {
            cores_[self_].interrupt = static_cast<int8_t>(i);
            run_interrupt();
        }
    }
}

void Machine::run_interrupt() {
    Core& me = cores_[self_];
    const int which = me.interrupt;
    me.interrupt = no_handler;
    const bool nested = me.in_interrupt;
    const bool before = me.on_top;
    me.in_interrupt = true;
    me.on_top = which == pending_handler;
    me.state = State::ready;
    if (trace.on()) trace.note(self_, "takes an interrupt");
    if (me.on_top) {
        void (*const handler)() = me.pending;
        me.pending = nullptr;
        handler();
    } else {
        Program::Interrupt& interrupt = program.plan(self_).interrupts[which];
        --interrupt.left;
        interrupt.handler();
    }
    if (trace.on()) trace.note(self_, "returns from the interrupt");
    me.in_interrupt = nested;
    me.on_top = before;
}

// Port::interrupt() has made one pending, and it may come now. It waits for other handlers.
bool Machine::is_pending(unsigned id) const {
    return cores_[id].pending != nullptr && !cores_[id].in_interrupt && interruptible(id);
}

}  // namespace model
}  // namespace weft
