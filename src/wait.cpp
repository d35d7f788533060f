// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: waiting for a task. A worker that waits goes on working: it is in its loop once more, on top of the task that
// waits, until it is told (detail/round.hpp). Any other core of the pool becomes a worker for the while; a foreign
// core looks again and again.
#include <weft/work.hpp>

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::Round;
using detail::TracedWait;
using detail::Waiter;

Status Waitable::wait() {
    if (Scheduler::OnTop::is_no_task_context()) return Status::wrong_context;
    return is_done() ? Status::ok : pool_->await(*this);
}

// A task on this core's stack begins to wait (1), or has ended it (-1): the pool is not at rest meanwhile, though all
// its cores may sleep.
inline void Scheduler::count_waits(Worker& worker, int by) {
#if WEFT_REST
    detail::count(worker.waits, static_cast<uint32_t>(by));
#else
    static_cast<void>(worker);
    static_cast<void>(by);
#endif
}

Status Scheduler::await(Waitable& awaited) {
    if (is_owner()) return Status::wrong_context;
    Worker* const worker = active_worker();
    if (worker == nullptr) {
        return wait_outside([&](Worker& visitor) { return attend(visitor, awaited); },
                            [&] { return attend_from_afar(awaited); });
    }
    count_waits(*worker, 1);
    // In a task of this pool. In between there may be one of another pool.
    detail::ForkDeque* const before = forks_[worker->core].enter_again();
    const Status status = attend(*worker, awaited);
    detail::ForkDeque::leave(before);
    count_waits(*worker, -1);
    return status;
}

// Will nothing that is queued run in this pool any more (but for mandatory tasks)? It is abandoned. Or it is closing,
// and there was a moment when all who are still here waited, and nobody had anything to do. Each may take from the
// shared queues, and what only it may take is its own: so both are looked at, and nobody went on meanwhile.
bool Scheduler::is_stuck() {
    const IdleBits seen = idle_.look();  // neither mark is taken away
    if (seen.is_abandoned()) return true;
    if (!seen.is_closing()) return false;
    const uint32_t went_on = in_vain_.went_on.load(acquire);  // [K4] their bits are gone
    const uint32_t waiting = in_vain_.stuck.load(acquire);    // [K3] what they have submitted, and taken
    if ((waiting & in_vain_.told.load(acquire)) != 0) return false;  // [K5] its bit is old: it goes on
    uint32_t count = 0;
    for (uint32_t core = 0; core != cores_; ++core) {
        if ((waiting >> core & 1u) == 0) continue;
        if (has_own_work(workers_[core])) return false;
        ++count;
    }
    // If nobody is here, nobody takes what is queued.
    if (count != 0 && tasks_visible()) return false;
    // [K4] who goes on or comes after these steps takes what it takes after the looks
    return count == roster_.count_live() && in_vain_.went_on.fetch_add(0, release) == went_on;
}

// A foreign core: it cannot work for the pool, and a worker that waited in its place would wait on top of a task of its
// own, perhaps of the very one. So it looks again and again.
Status Scheduler::attend_from_afar(Waitable& awaited) {
    const TracedWait told(awaited);
    Waiter waiter(Port::core_id(), nullptr);
    if (!awaited.round_.await(waiter)) return Status::wrong_context;
    bool stuck = false;
    while (!waiter.is_told()) {    // ends: as in attend()
        const bool again = stuck;  // as in attend(): twice
        stuck = is_stuck();
        if (again && stuck && awaited.round_.withdraw(waiter)) return Status::closed;
        // As in attend(): who is on the way and does not come is given up.
        if (idle_.look().is_closing()) static_cast<void>(withdraw_overdue_starts());
        Port::relax();
    }
    return Status::ok;
}

// A core that was chosen has ended its wait, and leaves or goes back to its task.
void Scheduler::pass_on(Worker& worker) {
    tell_before_a_task(worker);
    if (worker.role.get() != 0) announce(worker);
}

// A worker that waits, has found nothing in its search, and has said so: do all who are still here? It stays for
// `window` calls of relax(): each is in its search now and then. Searches of two that are in step never meet if nobody
// stays; a window longer than all their searches together is met by all.
bool Scheduler::wait_for_the_stuck(const Worker& worker, const Waiter& waiter, uint32_t window) {
    do {
        Port::relax();
        if (waiter.is_told()) return false;
        // Who is on the way and does not come is given up. In each round, as a deadline can be seen for half a turn of
        // the clock.
        static_cast<void>(withdraw_overdue_starts());
        if (!is_abandoned() && (has_own_work(worker) || tasks_visible())) return false;
        if (is_stuck()) return true;
    } while (window-- != 0);
    return false;
}

Status Scheduler::attend(Worker& worker, Waitable& awaited) {
    detail::ForkDeque& forks = forks_[worker.core];
    // What it runs meanwhile needs a deque without open frames: they would wait below it.
    if (forks.is_in_use()) return Status::wrong_context;
    const TracedWait told(awaited);
    Round& round = awaited.round_;
    Waiter waiter(worker.core, &in_vain_.told);
    if (!round.await(waiter)) return Status::wrong_context;
    Status status = Status::ok;
    bool stuck = false;
    constexpr uint32_t longest_window = 1u << 16;
    uint32_t window = WEFT_STEAL_PATIENCE + 1;
    uint32_t rounds = WEFT_SEARCH_ROUNDS;
    // Ends: the round does, or the pool; rest_until() ends by its own promise.
    while (status == Status::ok && !waiter.is_told()) {
        if (run_tasks(worker, 1, nullptr) != 0) {
            stuck = false;
            rounds = WEFT_SEARCH_ROUNDS;
            continue;
        }
        forks.set_idle(true);
        if (rounds != 0) {
            --rounds;
            Port::relax();
        } else if (!rest_until(worker, [&waiter] { return waiter.is_told(); }) || is_abandoned()) {
            // Closing. It is stuck until its next search.
            // [K5] that its bit was taken away before; and who has marked it has told it
            in_vain_.told.fetch_and(~(1u << worker.core), acq_rel);
            if (waiter.is_told()) {
                forks.set_idle(false);
                break;
            }
            in_vain_.stuck.fetch_or(1u << worker.core, release);  // [K3] all that it has submitted, and taken
            // A core that leaves has no bit, and may have pinned something here after the looks: so twice.
            const bool again = stuck;
            stuck = wait_for_the_stuck(worker, waiter, window);
            if (again && stuck && round.withdraw(waiter)) status = Status::closed;
            in_vain_.stuck.fetch_and(~(1u << worker.core), relaxed);  // relaxed: the next step releases
            // [K4] its bit is gone, and what others have looked at it takes later
            in_vain_.went_on.fetch_add(1, acq_rel);
            if (window < longest_window) window *= 2;
        } else {
            rounds = WEFT_SEARCH_ROUNDS;
        }
        forks.set_idle(false);
    }
    pass_on(worker);
    return status;
}

}  // namespace WEFT_ABI
}  // namespace weft
