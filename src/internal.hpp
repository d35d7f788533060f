// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: what the sources of the scheduler share, and its fast paths.
#pragma once

#include <weft/detail/source.hpp>
#include <weft/scheduler.hpp>
#include <weft/stack.hpp>

#include "traced.hpp"

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

// The counter's own core, task context.
inline void count(Published<uint32_t>& counter, uint32_t by) {
    counter.store(counter.own() + by, relaxed);  // relaxed: statistics, see Scheduler::stats()
}

// The worker has taken a task to run next, from elsewhere than its ring.
inline void comes_from(Worker& worker, Origin origin) {
#if WEFT_METRICS
    worker.origin.set(origin);
#else
    static_cast<void>(worker);
    static_cast<void>(origin);
#endif
}

// Where the task comes from that the worker is about to run, or to hand back.
inline Origin taken_from(Worker& worker) {
#if WEFT_METRICS
    const Origin origin = worker.origin.get();
    worker.origin.set(Origin::ring);
    return origin;
#else
    static_cast<void>(worker);
    return Origin::ring;
#endif
}

// `by` tasks, from there, were executed.
inline void count_from(Counters& counters, Origin origin, uint32_t by) {
#if WEFT_METRICS
    count(counters.*word_of(origin), by);
#else
    static_cast<void>(counters);
    static_cast<void>(origin);
    static_cast<void>(by);
#endif
}

#if WEFT_WATCH
// Of the calling core; nullptr for a core that the port does not know.
inline Heart* own_heart() {
    const uint32_t core = Port::core_id();
    if (core >= Port::max_cores) return nullptr;
    return &Hearts::at[Preemption::runs_here() ? Hearts::levels - 1 : 0][core];
}
#endif

// While it lives, the calling core runs this task; or that child of a fork, by the same function from now on.
class Beating {
public:
#if WEFT_WATCH
    Beating(const void* object, uintptr_t function) : heart_(own_heart()) {
        if (heart_ != nullptr) former_ = heart_->begins(reinterpret_cast<uintptr_t>(object), function);
    }
    ~Beating() {
        if (heart_ != nullptr) heart_->goes_back_to(former_);
    }
    Beating(const Beating&) = delete;
    Beating& operator=(const Beating&) = delete;

private:
    Heart* const heart_;
    Heart::Former former_{};
#else
    Beating(const void*, uintptr_t) {}
#endif
};

// Runs a task that no queue holds any more. From the first instruction of the run function on, the task may be gone or
// queued again: it is not touched afterwards. (A part of who calls it: a function of its own would jump to the task's
// in its end, and gdb would not see who runs it.) `by`: the worker, as in WEFT_TRACE_BY.
[[gnu::always_inline]] inline void execute(Task* task, [[maybe_unused]] const Worker* by) {
    const Task::Run run = TaskAccess::run(*task);
    WEFT_TRACE_BY(by, begin, reinterpret_cast<uintptr_t>(run), detail::trace_tag(task));
    link(task).unclaim();
    {
        [[maybe_unused]] const Beating beating(task, reinterpret_cast<uintptr_t>(run));
        run(*task);
    }
    WEFT_TRACE_BY(by, end, reinterpret_cast<uintptr_t>(run), detail::trace_tag(task));
}

#if WEFT_FORK_DEPTH == 0
inline bool settle(Task*) { return false; }
#else
// For a task that is left over: true if it is nobody's to get back. It was call()'s, whose caller runs it itself now;
// or a stolen child, which has been run.
bool settle(Task* task);
#endif

// power.cpp. Without forks no core knows that it is one.
[[gnu::cold]] uint32_t enters_for_a_while(Worker& worker);

}  // namespace detail

// preempt.cpp: a level that preempts; what runs on top of a core's task or sleep.
struct Scheduler::OnTop {
#if WEFT_PREEMPTION
    static bool preempts(detail::Level level) { return level.number() == most_urgent; }
    static void interrupted();
#endif
#if WEFT_PREEMPTION && WEFT_QUIESCE
    static void interrupt_for_quiescing(Scheduler& pool);
    // While it lives the calling core stands for no pool on top of its task. After it, it does.
    class GoesOn {
    public:
        GoesOn();
        ~GoesOn();
        GoesOn(const GoesOn&) = delete;
        GoesOn& operator=(const GoesOn&) = delete;

    private:
        const uint32_t core_;
        const bool before_;
    };
#else
    struct GoesOn {
        GoesOn() {}
    };
#endif
#if WEFT_PREEMPTION
    [[gnu::noinline]] static Status preempt(Scheduler& pool, Chances chances);
    static bool interrupt_one(Scheduler& pool);
    static void serve_all(Scheduler& pool, Worker& worker, bool on_top);
    [[gnu::noinline]] static bool run_on_top(Scheduler& pool, Worker& worker, bool on_top);
    [[gnu::noinline]] static bool end_on_top(Scheduler& pool, Worker& worker, detail::ForkDeque* deque);
    static void serve_if_any(Scheduler& pool, Worker& worker);
    [[gnu::always_inline]] static Task* take(Scheduler& pool, bool& more);
    [[gnu::always_inline]] static void enter_top(Worker& worker, uint32_t core);
    [[gnu::always_inline]] static void leave_top(Worker& worker, uint32_t core);
    [[gnu::cold]] static void can_be_interrupted(Scheduler& pool, Worker& worker);
    [[gnu::cold]] static void cannot_be_interrupted(Scheduler& pool, Worker& worker);
#else
    static constexpr bool preempts(detail::Level) { return false; }
    static Status preempt(Scheduler&, Chances) { return Status::ok; }
    static void serve_if_any(Scheduler&, Worker&) {}
    static void can_be_interrupted(Scheduler&, Worker&) {}
    static void cannot_be_interrupted(Scheduler&, Worker&) {}
#endif
    // Not where a core may be started, or wait: in a handler, as far as the port can tell; on top of a task; or in a
    // function beside a core's sleep.
    static bool is_no_task_context() {
        return (WEFT_CHECKS && Port::in_isr()) || detail::Preemption::runs_here() || calls_here();
    }
};

// The worker that the calling core is at this moment, or nullptr for a foreign core (or a core before run()).
inline Scheduler::Worker* Scheduler::active_worker() {
    const uint32_t core = Port::core_id();
    if (core >= cores_) return nullptr;
    Worker& worker = workers_[core];
    const bool active = WEFT_REST || WEFT_PREEMPTION || WEFT_SLEEP_HOOKS
                            ? worker.active.get() == Worker::in_loop
                            : worker.active.get() != 0;
    return active ? &worker : nullptr;
}

// An array of pools that GCC 11 or 12 has left all zero, see WEFT_CONSTINIT. Unchecked builds: its stacks are closed.
inline void Scheduler::check_constructed() const {
#if WEFT_CHECKS
    if (cores_ != 0) return;
    Port::panic("weft: this pool was never constructed; an array of pools needs its {}", Port::core_id(),
                nullptr);
#endif
}

inline void detail::Source::check_constructed() const { pool_->check_constructed(); }

// Everything that can refuse a task; on ok the task is claimed. Writes nothing otherwise.
inline Status Scheduler::let_in(Task& task) {
    check_constructed();
    const Status status = detail::check(task);
    if (status != Status::ok) return status;
    // A submit that comes after the shutdown in program order or by an edge sees it; one that races is decided
    // by the injector's `open` mark, or ends in the ring of a worker that has not left.
    if (idle_.look().is_closing()) return Status::closed;
    return detail::link(&task).claim() ? Status::ok : Status::already_queued;
}

// A batch, whose level is set: everything that can refuse it, then its way in.
inline Status Scheduler::let_in(Batch& batch, Chances chances) {
    if (WEFT_CHECKS && may_retry(chances) && Port::in_isr()) return Status::wrong_context;
    check_constructed();
    if (!batch.level_.is_known()) return Status::out_of_range;
    if (batch.empty()) return Status::ok;
    if (idle_.look().is_closing()) return Status::closed;  // as for a task
    return hand_in(batch, chances);
}

// A task for a list beside the injector: blocking and mandatory ones. ok: it is queued, and the caller tells of it.
// `chances`: in a task of the pool those of one, afterwards.
inline Status Scheduler::push_apart(detail::TaskStack& list, Task& task, Chances& chances) {
    if (WEFT_CHECKS && may_retry(chances) && Port::in_isr()) return Status::wrong_context;
    const Status status = let_in(task);
    if (status != Status::ok) return status;
    WEFT_TRACE_EITHER(chances == Chances::from_isr, inject_from_isr, inject, detail::function_of(task),
                      detail::trace_tag(&task));
    Worker* const worker = may_retry(chances) ? active_worker() : nullptr;
    if (!list.push(&task, &task)) {
        detail::link(&task).unclaim();
        return Status::closed;
    }
    if (worker != nullptr) {
        detail::count(worker->counters.submitted, 1);
        chances = Chances::from_task;
    }
    return Status::ok;
}

// May the calling core become a worker of this pool? ok: it is counted in.
inline Status Scheduler::check_in() {
    check_constructed();
    Worker* const worker = this_worker();
    if (worker == nullptr) return Status::unknown_core;
    if (OnTop::is_no_task_context() || is_at_work(worker) || is_owner()) return Status::wrong_context;
    return roster_.count_in() ? Status::ok : Status::closed;
}

#if WEFT_URGENCY_LEVELS > 1
inline void Scheduler::close_urgent() {
    for (detail::TaskStack& stack : urgent_) stack.close();
}
inline bool Scheduler::is_urgent(const detail::TaskStack& stack) const {
    return &stack >= urgent_ && &stack <= urgent_ + (most_urgent - 1);
}
#endif

// One step of a core's power state. False: it was in another state.
inline bool Scheduler::move(Worker& worker, detail::Power from, detail::Power to) {
    return detail::step(worker.power, detail::word(from), detail::word(to));
}

// Another core, off as it seems: is it here nevertheless, or can it be started? A load may show what is long past; a
// change of the state, by nothing, is made to the newest one.
inline bool Scheduler::reach(Worker& worker) {
    bool tried = false;
    for (;;) {  // ends: a claim is held for a few steps, which wait for nobody; and one try
        const uint32_t now = detail::change(worker.power, 0, 0);
        if (is_here(now)) return true;
        if (now == detail::word(detail::Power::claimed) || detail::is_leaving(now)) {
            Port::relax();  // who holds it is about to know whether the core comes, or goes
            continue;
        }
        // If another core was faster, and its start was withdrawn since then, change() shows why: the pool may be
        // closing.
        if (tried || now == detail::word(detail::Power::absent)) return false;
        if (start(worker.core, static_cast<detail::Power>(now))) return true;
        tried = true;
    }
}

inline void Scheduler::must_tell(Worker& worker) {
#if WEFT_CORE_SETS || WEFT_BLOCKING
    worker.tells.set(1);
#else
    static_cast<void>(worker);
#endif
}

inline void Scheduler::tell_before_a_task(Worker& worker) {
#if WEFT_CORE_SETS || WEFT_BLOCKING
    if (worker.tells.get() == 0) return;
    worker.tells.set(0);
    // Refused cores are tried again: by claim 18, 5.
    static_cast<void>(tell_of_sets(Chances::from_outside));
    tell_of_blocking(*this, Chances::from_outside);
#else
    static_cast<void>(worker);
#endif
}

// A worker comes, or comes back from its sleep, and has not taken anything yet.
inline void Scheduler::wakes_up(Worker& worker) {
    must_tell(worker);
#if WEFT_REST
    // relaxed: who reads it takes nothing else from that; what was done before it came goes_off() has released
    worker.turns.store(worker.turns.own() + 1, relaxed);
    Port::fence();  // [L4] that it is awake, before what it takes is gone; pairs with is_at_rest()
#else
    static_cast<void>(worker);
#endif
}

// A worker goes, or is about to park, and has run all that it had.
inline void Scheduler::goes_off(Worker& worker) {
#if WEFT_REST
    worker.turns.store(worker.turns.own() + 1, release);  // [L3] what it did
#else
    static_cast<void>(worker);
#endif
}

// The calling core is a worker from now on: until the pool ends (`stays`), or for a while (`on`).
inline Scheduler::Worker& Scheduler::become_worker(detail::Power how) {
    Worker& worker = *this_worker();
    comes(worker);
    // From now on nobody starts this core. A start may be under way while it comes here by itself, by run() or poll():
    // then it is withdrawn, here or by start(), whoever comes later.
#if WEFT_FORK_DEPTH
    const uint32_t from = how == detail::Power::on ? detail::enters_for_a_while(worker)
                                                   : enters_from(worker, detail::word(how));
#else
    const uint32_t from = enters_from(worker, detail::word(how));
#endif
    if (from == detail::word(detail::Power::starting) && Port::cancel_start(worker.core, this)) {
        note_own_coming(worker);
        roster_.count_out();
        // The start was for tasks, and this core may have come for something else. Nobody was parked when it began, and
        // who has parked since then has seen them in its last look: so another core is started, if there is one.
        start_one();
        static_cast<void>(tell_of_sets(Chances::from_task));
    }
    detail::tells_as(worker);
    worker.active.set(Worker::in_loop);
    WEFT_TRACE_EVENT(enter, reinterpret_cast<uintptr_t>(this), detail::word(how));
    wakes_up(worker);
    OnTop::can_be_interrupted(*this, worker);
    arrives(worker);
    return worker;
}

// The claim of a start that goes on ends. True: the core comes, or has checked in by the entry. False: it has come by a
// run(), poll() or call of its own meanwhile. Who finds a claim when it comes leaves the start to who has claimed it
// (become_worker()). So it is withdrawn here: the core may go again. Another one is to be started instead.
inline bool Scheduler::keeps_coming(Worker& worker) {
    using detail::Power;
    const bool comes =
        move(worker, Power::claimed, Power::starting) || !Port::cancel_start(worker.core, this);
    if (!comes) note_own_coming(worker), roster_.count_out();
    // From now on somebody looks at its deadline: who has met the claim has taken the mark away, and does not.
    idle_.allow_start();
    return comes;
}

// Asks for forked children, to be offered when their owners fork again.
inline void Scheduler::ask_all() {
#if WEFT_FORK_DEPTH
    for (uint32_t core = 0; core != cores_; ++core) forks_[core].ask();
#endif
}

#if WEFT_FORK_DEPTH
// How many cores would take what is on offer: those that have nothing to do, awake or asleep, are off, or on their way;
// or any, as long as some may be off. (Who tries to start them has taken that mark away meanwhile.)
inline uint32_t Scheduler::idle_cores() const {
    // A hint; or after the caller's fence.
    if (idle_.look().may_start()) return cores_ - 1;
    uint32_t count = 0;
    for (uint32_t core = 0; core != cores_; ++core) {
        // [T1] that a core has come says that it is idle, at first
        const bool comes = detail::may_come(workers_[core].power.load(acquire));
        if (comes || forks_[core].is_idle() != 0) ++count;
    }
    return count;
}
#endif

// Wakes every core whose bit is set (as in the idle word).
inline void Scheduler::unpark_each(uint32_t cores) {
    cores >>= IdleBits::first_core;
    for (uint32_t core = 0; cores != 0; ++core, cores >>= 1) {
        if ((cores & 1) != 0) {
            WEFT_TRACE_EVENT(wake, 0, core);
            Port::unpark(core);
        }
    }
}

// After tasks were made visible in any queue, by the core that did it.
// Always ok: the last step of a submit.
inline Status Scheduler::notify(Chances chances) {
    Port::fence();  // [I1] the tasks before the look at the idle word; pairs with rest()
    return worth_telling(idle_.look(), chances) ? wake(chances) : Status::ok;
}

// A worker gives the waking role up, if it holds it, and has something to do, or leaves. True: somebody is to be told
// of what is left lying, as by a task.
inline bool Scheduler::leaves_something(Worker& worker) {
    const bool more = worker.more.get() != 0;
    worker.more.set(false);
    if (worker.role.get() != 0) {
        worker.role.set(0);
        const IdleBits seen = idle_.give_up_waking();
        // No core to wake: one that parks later takes a last look.
        if (!has_chance(seen, Chances::from_task)) return false;
        // [I1] the role is given up before this look: who saw it and left has published before.
        Port::fence();
        return work_visible() || wants_a_watcher(seen);
    }
    if (!more && !worker.ring.looks_nonempty()) return false;
    // [I1] the tasks that this core made visible come before the look at the idle word in wake(), as in notify().
    Port::fence();
    return true;
}

#if !WEFT_SLEEP_HOOKS
inline void Sleeping::sleep(const detail::Worker&) { Port::park(); }
#endif

// Parks the worker until it is chosen, there is something for it, or what it waits for has come: who brings that
// unparks this core. False: the pool is closing, and nothing is to be seen but what others run. (p1 to p4 of the proof
// in idle.cpp.)
template <class Condition>
inline bool Scheduler::rest_until(Worker& worker, Condition has_come) {
    give_up_search(worker);
    // Nobody sleeps any more, nor tells others. What is held counts: in a few steps its holder will share it. Acquires:
    // who returns from run() has all that was written before the shutdown, also for tools that know no fences.
    if (idle_.look_for_the_end()) {
        ask_all();
        // [D1] what was submitted before the shutdown, for this look: a queue that another core has emptied since then
        // looks so, and after the next fence that core's ring has what it took.
        Port::fence();
        bool some = tasks_visible(0);
#if WEFT_PREEMPTION
        some = some && !is_abandoned();  // then nobody takes what is of the level that preempts
#endif
        // Else the rounds of the search do so.
        if (some && (WEFT_SEARCH_ROUNDS == 0 || WEFT_REST)) Port::relax();
        Port::fence();  // [D1] what was submitted before the shutdown, and what was held: for the last search
        return some;
    }
    const uint32_t core = worker.core;
    // Here: no access of its own may come between the last look and park().
    WEFT_TRACE_BY(&worker, park, 0, 0);
    goes_off(worker);
    IdleBits seen = idle_.announce_parked(core, worker.role.get());
    // [I1] the bit (and the role given up) before the last look; pairs with notify(), submit_on()
    Port::fence();
    ask_all();
    if (leaves_the_look(worker) || !work_visible()) {
        bool slept = false;
        while (!has_come() && seen.may_sleep(core) && !has_own_work(worker) && keep_watch(core, seen)) {
            // ends: wake() clears the bit, shutdown() sets closing, submit_on() fills pinned or a set's queue; each
            // unparks this core. Or a timer is due, and this core watches.
            if (!stands_if_asked(worker) && !see_to_rest(worker)) {
                if (slept) detail::count(worker.counters.spurious_wakes, 1);
                sleep(worker);
                slept = true;
            }
            seen = idle_.look();  // no data; what matters is claimed below
        }
        if (slept) detail::count(worker.counters.wakes, 1);
    }
    // Chosen by wake(), which left the waking role to this core: no change is needed. Otherwise back to work by itself,
    // with the role if it is free. [D1] the change, if the pool is closing
    if (seen.is_parked(core)) seen = idle_.take_back(core);
    WEFT_TRACE_BY(&worker, unpark, 0, 0);
    wakes_up(worker);
    leave_watch(core, seen);
    worker.role.set(seen.is_parked(core) ? seen.free_role() : static_cast<uint16_t>(IdleBits::waking));
    return true;
}

// What become_worker() has begun ends, before the core is counted out. `before`: the deque that it had entered from.
inline void Scheduler::stop_working(Worker& worker, detail::ForkDeque* before) {
    detail::ForkDeque::leave(before);
    OnTop::cannot_be_interrupted(*this, worker);
    worker.active.set(0);
    WEFT_TRACE_EVENT(leave, reinterpret_cast<uintptr_t>(this), 0);
    goes_off(worker);
    leaves(worker);
}

// Calls the function with the calling core as a worker of this pool. Not ok: it may not become one.
template <class Function>
inline Status Scheduler::visit(Function function) {
    const Status status = check_in();
    if (status != Status::ok) return status;
    Worker& worker = become_worker(detail::Power::on);
    detail::ForkDeque* const before = forks_[worker.core].enter(*this);
    if (idle_.look().may_retry()) {  // a hint. As with a submit from outside
        retry_starts();
        forks_[worker.core].ask();
    }
    function(worker);
    stop_working(worker, before);
#if WEFT_FORK_DEPTH
    if (detail::ForkDeque::works_for_a_pool()) ends_as_guest(worker);
#endif
    roster_.count_out();
    return Status::ok;
}

// Waits on a core that is not in its loop: as a worker for the while; or from afar, as a foreign core, which cannot
// work here. Where a core joins already, no other one can.
template <class AsWorker, class FromAfar>
inline Status Scheduler::wait_outside(AsWorker as_worker, FromAfar from_afar) {
    Status answer = Status::ok;
    const Status status = visit([&](Worker& worker) { answer = as_worker(worker); });
    if (status == Status::ok) return answer;
    if (status != Status::unknown_core && (status != Status::closed || WEFT_FORK_DEPTH == 0)) return status;
    // As with call(): who works for another pool must not wait, for the core may be waited for there. (Without forks
    // no core knows that it does. So a foreign core is believed, and who comes too late is not.)
    const bool may = !OnTop::is_no_task_context() && !is_owner() && !detail::ForkDeque::works_for_a_pool();
    return may ? from_afar() : status == Status::closed ? status : Status::wrong_context;
}

}  // namespace WEFT_ABI
}  // namespace weft
