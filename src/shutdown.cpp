// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: how a pool ends. shutdown() closes the door; each worker leaves when it finds nothing more; the last one to
// leave wakes the joiner, who seals the pool, takes what is left over and may then destroy everything.
#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

void Scheduler::shutdown(Shutdown mode) {
    check_constructed();
    // Releases [D1] what was submitted before, for the workers' last search.
    const uint32_t before = change(idle_, 0, mode == Shutdown::abandon ? closing | abandoning : closing);
    Port::fence();  // [J2] closing before the look for a joiner; pairs with all_left()
    unpark_each(before);
    wake_joiner(roster_.load(relaxed));  // relaxed: ordered by the fence
}

Status Scheduler::join(Batch& left_over) {
    check_constructed();
    if ((WEFT_CHECKS && Port::in_isr()) || is_at_work(own())) return Status::wrong_context;
    for (;;) {  // ends: each round that does not, another core changed the word
        const uint32_t seen =
            roster_.load(acquire);  // [J1] what an earlier join saw; else a guess, the step decides
        if ((seen & joiner_mask) != 0) return Status::wrong_context;
        if ((seen & sealed) != 0) return Status::ok;
        if (step(roster_, seen, seen | (Port::core_id() + 1) << joiner_shift)) break;
    }
    bool coming = false;
    while (!all_left(coming)) {
        // ends: shutdown(), start() and the last leave() see the id and unpark this core; a core that does not come
        // is given up at its deadline
        if (coming) {
            Port::relax();
        } else {
            Port::park();
        }
    }

    // Nobody but this core is left. Submits from outside are refused by the stacks themselves from here on.
    injector_.close();
    Worker* const self = own();
    const Worker* const end = workers_ + cores_;
    for (Worker* worker = workers_; worker != end; ++worker) {
        worker->pinned.close();
        if (worker == self) continue;
        while (Task* const task = refill(*worker, worker->pinned)) left_over.append(task);
    }
    // drain: what may run here runs now; abandon, possibly since a moment ago: it is collected. In the name of any core
    // will do, nobody else uses it any more.
    serve(self != nullptr ? *self : *workers_, 0, &left_over);
    change(roster_, joiner_mask, 0);
    return Status::ok;
}

// The joiner: true when the pool is closing and nobody works for it any more. From the first look after the shutdown
// on, nobody can enter. `coming`: a core is on its way; with drain it gets the time it was promised, as there may be
// a task that only this core can run.
bool Scheduler::all_left(bool& coming) {
    Port::fence();  // [J2] [J3] the joiner's id before the looks for the shutdown and for starts under way
    // relaxed: what was submitted before the shutdown and no worker took is found by close(), a change of each stack.
    if ((idle_.load(relaxed) & closing) == 0) return false;
    change(roster_, 0, sealed);
    coming = start_under_way();
    return (roster_.load(acquire) & live_mask) == 0;  // [J1] all that every worker did
}

}  // namespace WEFT_ABI
}  // namespace weft
