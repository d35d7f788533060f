// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: how a pool ends. shutdown() closes the door; each worker leaves when it finds nothing more; the last one to
// leave wakes the joiner, who seals the pool, takes what is left over and may then destroy everything.
#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

namespace detail {

inline Roster::Joining Roster::begin_join() {
    for (;;) {  // ends: each round that does not, another core changed the word
        // relaxed: a guess; the step decides, and what an earlier join saw comes with end_join().
        const uint32_t seen = word_.load(relaxed);
        if ((seen & joiner_mask) != 0) return Joining::by_another_core;
        if ((seen & sealed) != 0) return Joining::joined_before;
        if (step(word_, seen, seen | (Port::core_id() + 1) << joiner_shift)) return Joining::begun;
    }
}

}  // namespace detail

void Scheduler::shutdown(Shutdown mode) {
    check_constructed();
    // The joiner waits for whoever is counted in, so the pool stays until the last step here. Not counted: it is
    // sealed, and this is a further call, which touches the pool in one step only.
    const bool counted = roster_.count_in();
    // Releases [D1] what was submitted before, for the workers' last search.
    WEFT_TRACE_EVENT(shutdown, reinterpret_cast<uintptr_t>(this), mode == Shutdown::abandon);
    const IdleBits before = idle_.close(mode == Shutdown::abandon);
    unpark_each(before.word());
    if (counted) roster_.count_out_and_wake();
}

Status Scheduler::wait_for_the_end(Batch& left_over) {
    check_constructed();
    Worker* const self = this_worker();
    if (OnTop::is_no_task_context() || is_at_work(self) || is_owner()) return Status::wrong_context;
    switch (roster_.begin_join()) {
        case detail::Roster::Joining::by_another_core: return Status::wrong_context;
        case detail::Roster::Joining::joined_before: return Status::ok;
        case detail::Roster::Joining::begun: break;
    }
    bool some_come;
    while (!seal_and_look(some_come)) {
        // ends: shutdown(), start() and the last count_out() see the id and unpark this core; a core that does not come
        // is given up at its deadline
        if (some_come) {
            Port::relax();
        } else {
            Port::park();
        }
    }

    // Nobody but this core is left. Submits from outside are refused by the stacks themselves from here on.
    injector_.close();
    close_mandatory();
    close_urgent();
    close_sets(self, left_over);
    const Worker* const end = workers_ + cores_;
    for (Worker* worker = workers_; worker != end; ++worker) {
        worker->pinned.close();
        if (worker == self) continue;
        while (Task* const task = refill(*worker, worker->pinned)) left_over.append(task);
    }
    WEFT_TRACE_EVENT(joined, reinterpret_cast<uintptr_t>(this), 0);
    // In the name of any core will do, nobody else uses it any more.
    Worker& worker = self != nullptr ? *self : *workers_;
    detail::tells_as(worker);
    comes(worker);
    arrives(worker);
    hand_over(worker.overflow);
    finish(worker, left_over);
    leaves(worker);
    return Status::ok;
}

// The joiner: true when the pool is closing and nobody works for it any more. From the first look after the shutdown
// on, nobody can enter. `some_come`: a core is on its way; with drain it gets the time it was promised, as there may be
// a task that only this core can run.
bool Scheduler::seal_and_look(bool& some_come) {
    Port::fence();  // [J3] the joiner's id before the look for starts under way
    // What was submitted before the shutdown and no worker took is found by close(), a change of each stack.
    some_come = false;
    if (!idle_.look().is_closing()) return false;
    roster_.seal();
    some_come = (withdraw_overdue_starts() & starts) != 0;
    return roster_.is_empty();
}

}  // namespace WEFT_ABI
}  // namespace weft
