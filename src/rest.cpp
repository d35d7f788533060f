// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: a pool at rest. All its cores sleep and nothing is queued: who waits for that, and how it is found out.
//
// It cannot be read from one word. The idle word says who has parked, the roster says of how many; the tasks are in
// queues. So a core looks at all of it between two looks at the words (is_at_rest()):
//
//     r1  how often each core has come, the sum    [L3]
//     r2  the roster: how many are here; the idle word: they are parked, and none is chosen    [J1] [L3]
//     r3  fence [L4]; every queue: nothing; fence [L4]
//     r4  both words again, and then the sum: as before
//
// Claim 8: if so, nothing was queued at r4 but what was submitted from outside behind r1, and no task ran.
//   1. Between r2 and r4 no core has taken a task. One that comes, or comes back, changes a word, then counts it
//      (count_coming()), and has a fence [L4] before it takes anything. Had it taken what r3 missed, its change would
//      be seen in r4 by these fences. If it was parked again or gone by then, that is a step of the same words, behind
//      its count: the sum differs. If the sum of r1 has the count already, r2 sees the change [L3], so the sleep that
//      r2 saw was the one behind it.
//   2. So what r3 saw empty stayed so, but for submits from outside.
// Claim 9: when a pool comes to rest, somebody finds it out.
//   1. Each core that parks looks, behind its last look (see_to_rest()). Let K be the last one that parks or leaves. If
//      it parks, all steps of others are before its own: it finds what it looks for.
//   2. If K leaves (a poll, a call, a start that came to nothing), its step of the roster shows it the observers. It
//      unparks all cores, and each observer looks anew. An observer that came behind that step sees it in r2.
//   3. An observer does not sleep beside a start that may come to nothing: it looks at the deadlines before each park,
//      as the joiner does, and start() unparks the observers, too [J3].
//   4. For the image's function no leaver is told: it is awake. A start that comes to nothing leaves nobody awake: who
//      began it wakes a core, which comes to sleep again (start_has_ended()).
#include <weft/config.hpp>

#if WEFT_REST

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

void detail::Roster::unpark_all(uint32_t cores) {
    for (uint32_t core = 0; core != cores; ++core) Port::unpark(core);
}

Status Scheduler::on_all_asleep(void (*function)(void*), void* argument) {
    check_constructed();
    if (roster_.live() != 0) return Status::wrong_context;
    rest_.set_function(function, argument);
    return Status::ok;
}

Status Scheduler::wait_idle() {
    check_constructed();
    if (WEFT_CHECKS && Port::in_isr()) return Status::wrong_context;
    Status answer = Status::ok;
    const Status status = visit([&](Worker& worker) { answer = await_rest(worker); });
    if (status == Status::ok) return answer;
    return status == Status::unknown_core ? await_rest_from_afar() : status;
}

// r1, or r4.
uint32_t Scheduler::count_comings() const {
    uint32_t sum = 0;
    const Worker* const end = workers_ + cores_;
    for (const Worker* worker = workers_; worker != end; ++worker)
        sum += worker->comings.load(acquire);  // [L3]
    return sum;
}

// Claim 8.
bool Scheduler::is_at_rest(Rested& rested) const {
    uint32_t comings = count_comings();
    for (;;) {  // ends: each further round, another core has come and gone
        const uint32_t live = roster_.live_at_rest();
        if (!idle_.look_at_rest().rests(live)) return false;
        Port::fence();  // [L4]
        if (work_visible()) return false;
        rested.waits = 0;
        const Worker* const end = workers_ + cores_;
        for (const Worker* worker = workers_; worker != end; ++worker) {
            if (worker->pinned.looks_nonempty()) return false;
            rested.waits |= worker->waits.load(relaxed);  // relaxed: [L3], the core has parked since then
        }
        Port::fence();  // [L4] who has taken something came before
        rested.idle = idle_.look_at_rest();
        if (!rested.idle.rests(live) || roster_.live_at_rest() != live) return false;
        const uint32_t before = comings;
        comings = count_comings();
        if (comings == before) return true;
    }
}

// If somebody waits for rest, and the pool is at rest, tells them all.
// `own_bit`: of the caller, who need not be told.
bool Scheduler::serve_rest(uint32_t own_bit) {
    uint32_t last;
    Rested rested;
    if (!rest_.is_wanted(last) || !is_at_rest(rested) || rested.waits != 0) return false;
    rest_.serve(last);
    unpark_each((rest_.sleepers() << IdleBits::first_core) & ~own_bit);
    return true;
}

// A core that is about to sleep, behind its last look. True: something was to be done, and it must look again.
bool Scheduler::see_to_rest(Worker& worker) {
    if (serve_rest(IdleBits::bit(worker.core))) return true;
    if (!rest_.has_function()) return false;
    Rested rested;
    do {
        if (!is_at_rest(rested) || rested.idle.is_at_rest()) return false;
    } while (!idle_.begin_call(rested.idle));  // ends: if not, the word has changed
    worker.active.set(Worker::in_function);
    rest_.call_function();
    worker.active.set(1);
    idle_.end_call();  // who has parked meanwhile has left the next call to this core: it looks again
    return true;
}

// A start has come to nothing, or its core came by itself. Those that sleep have counted it.
void Scheduler::start_has_ended() {
    if (!rest_.has_function()) return;
    Port::fence();  // [L5] the roster's count before the look at the idle word; pairs with rest_until()
    if (worth_waking(idle_.look(), Chances::from_isr)) static_cast<void>(wake(Chances::from_isr));
}

// A core of the pool, as a worker.
Status Scheduler::await_rest(Worker& worker) {
    detail::ForkDeque& forks = forks_[worker.core];
    rest_.add(worker.core);
    roster_.add_observer();
    const uint32_t ticket = rest_.draw();
    bool closing = false;
    while (!closing && !rest_.is_served(ticket)) {  // ends: claim 9; or the pool is closing
        if (run_tasks(worker, 1, nullptr) != 0) continue;
        forks.set_idle(true);
        bool starts = false;
        // A core on its way, and nobody else may look at its deadline. [J3] start() tells who has looked before.
        closing = rest_until(worker, [&] {
            starts = withdraw_overdue_starts() != no_starts;
            return starts || rest_.is_served(ticket);
        });
        if (starts) Port::relax();
        forks.set_idle(false);
    }
    roster_.remove_observer();
    rest_.remove(worker.core);
    if (worker.role.get() != 0) announce(worker);  // it was chosen, and leaves instead
    return rest_.is_served(ticket) ? Status::ok : Status::closed;
}

// A foreign core, as in attend_from_afar().
Status Scheduler::await_rest_from_afar() {
    if (detail::ForkDeque::current() != nullptr) return Status::wrong_context;
    const uint32_t ticket = rest_.draw();
    while (!rest_.is_served(ticket)) {  // ends: with the rest, or the pool
        if (idle_.look().is_closing()) return Status::closed;
        if (serve_rest(0)) continue;
        static_cast<void>(withdraw_overdue_starts());
        Port::relax();
    }
    return Status::ok;
}

}  // namespace WEFT_ABI
}  // namespace weft

#endif  // WEFT_REST
