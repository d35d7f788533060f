// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: how a pool ends. shutdown() closes the door; each worker leaves when it finds nothing more; the last one to
// leave wakes the joiner, who seals the pool, takes what is left over and may then destroy everything.
#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

void Scheduler::shutdown(Shutdown mode) {
    const uint32_t how = mode == Shutdown::abandon ? closing | abandoning : closing;
    const uint32_t before = idle_.fetch_or(how, release);  // [Z1] what was submitted before, for the workers' last search
    Port::fence();                                         // [J2] closing before the look for a joiner; pairs with all_left()
    for (uint32_t core = 0; core != cores_; ++core) {
        if ((before & bit(core)) != 0) Port::unpark(core);
    }
    const uint32_t joiner = (roster_.load(relaxed) & joiner_mask) >> joiner_shift;  // relaxed: ordered by the fence
    if (joiner != 0) Port::unpark(joiner - 1);
}

Status Scheduler::join(Batch* abandoned) {
    if ((WEFT_CHECKS && Port::in_isr()) || current() != nullptr) return Status::wrong_context;
    uint32_t seen = roster_.load(relaxed);  // relaxed: a guess; the exchange decides
    do {
        if ((seen & joiner_mask) != 0) return Status::wrong_context;
        if ((seen & sealed) != 0) return Status::ok;
        // relaxed: ordered by the fence in all_left().
    } while (!roster_.compare_exchange(seen, seen | (Port::core_id() + 1) << joiner_shift, relaxed, relaxed));
    while (!all_left()) Port::park();  // ends: shutdown() and the last leave() see the joiner's id and unpark it

    // Nobody but this core is left, and submits from outside are refused by the stacks themselves from here on.
    const uint32_t self = Port::core_id();
    Worker& worker = workers_[self < cores_ ? self : 0];
    Batch unwanted;
    Batch& left_over = abandoned != nullptr ? *abandoned : unwanted;
    uint32_t taken = 0;
    injector_.close();
    for (uint32_t core = 0; core != cores_; ++core) {
        detail::TaskStack& pinned = workers_[core].pinned;
        pinned.close();
        if (core == self) continue;
        while (Task* const task = refill(workers_[core], pinned, taken)) left_over.append(task, task, 1);
    }
    while (Task* const task = next(worker, false)) {
        if (this->abandoned()) {
            left_over.append(task, task, 1);
        } else {  // what may run here runs now
            detail::count(worker.counters.executed, 1);
            detail::execute(task);
        }
    }
    const Status status = unwanted.empty() ? Status::ok : Status::abandoned;
    while (WEFT_CHECKS && unwanted.pop() != nullptr) {
    }
    roster_.fetch_and(~joiner_mask, relaxed);  // relaxed: nobody is left to order it for
    return status;
}

// The joiner: true when the pool is closing and nobody works for it any more. From the first look after the shutdown
// on, nobody can enter.
bool Scheduler::all_left() {
    Port::fence();  // [J2] the joiner's id before the look for the shutdown
    // [Z1] tasks that were submitted before the shutdown and that no worker took.
    if ((idle_.load(acquire) & closing) == 0) return false;
    roster_.fetch_or(sealed, relaxed);  // relaxed: decided by the order of changes to the word
    Port::fence();                      // [J3] the shutdown before the look for starts under way; pairs with start()
    start_under_way(0);
    return (roster_.load(acquire) & live_mask) == 0;  // [J1] all that every worker did
}

}  // namespace WEFT_ABI
}  // namespace weft
