// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: waiting for a task. A worker that waits goes on working: it is in its loop once more, on top of the task that
// waits, until it is told (detail/round.hpp). Any other core of the pool becomes a worker for the while; for a foreign
// core a worker waits, see call().
#include <weft/work.hpp>

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::Round;
using detail::Waiter;

Status Waitable::wait() {
    if (WEFT_CHECKS && Port::in_isr()) return Status::wrong_context;
    return is_done() ? Status::ok : pool_->await(*this);
}

Status Scheduler::await(Waitable& awaited) {
    if (Worker* const worker = active_worker()) return attend(*worker, awaited);
    Status answer = Status::core_unavailable;
    const Status status = visit([&](Worker& worker) { answer = attend(worker, awaited); });
    if (status == Status::ok) return answer;
#if WEFT_FORK_DEPTH
    if (status == Status::unknown_core) {
        // As in call(): a task of another pool must not wait.
        if (detail::ForkDeque::current() != nullptr) return Status::wrong_context;
        call([&] {
            if (Worker* const worker = active_worker()) answer = attend(*worker, awaited);
        });
        return answer == Status::core_unavailable && idle_.look().is_closing() ? Status::closed : answer;
    }
#endif
    return status;
}

// Nothing that is queued will run in this pool as long as the caller waits: it is abandoned, or it is closing and the
// others have left.
bool Scheduler::is_stuck() const {
    return is_abandoned() || (idle_.look().is_closing() && roster_.live() == 1);
}

Status Scheduler::attend(Worker& worker, Waitable& awaited) {
    detail::ForkDeque& forks = forks_[worker.core];
    // What it runs meanwhile needs a deque without open frames: they would wait below it.
    if (forks.is_in_use()) return Status::wrong_context;
    Round& round = awaited.round_;
    Waiter waiter(worker.core);
    switch (round.await(waiter)) {
        case Round::Waiting::over: return Status::ok;
        case Round::Waiting::by_another: return Status::wrong_context;
        case Round::Waiting::begun: break;
    }
    Status status = Status::ok;
    bool stuck = false;
    uint32_t rounds = WEFT_SEARCH_ROUNDS;
    while (!waiter.is_told()) {  // ends: the round does, or the pool; rest_until() ends by its own promise
        if (run_tasks(worker, 1, nullptr) != 0) {
            stuck = false;
            rounds = WEFT_SEARCH_ROUNDS;
            continue;
        }
        // Twice, with a search in between.
        if (stuck && round.withdraw(waiter)) {
            status = Status::closed;
            break;
        }
        stuck = is_stuck();
        forks.set_idle(true);
        if (rounds-- != 0) {
            Port::relax();
        } else {
            if (rest_until(worker, [&waiter] { return waiter.is_told(); })) Port::relax();
            rounds = WEFT_SEARCH_ROUNDS;
        }
        forks.set_idle(false);
    }
    if (worker.role.get() != 0) announce(worker);  // it was chosen, and goes back to its task instead
    return status;
}

}  // namespace WEFT_ABI
}  // namespace weft
