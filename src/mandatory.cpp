// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: tasks that run whatever becomes of their pool. docs/MANDATORY.md leads up to this. They have one queue:
//
//     submit_mandatory(task) --push--> mandatory_ --try_lock, one task, unlock--> runs on that core
//
// It is looked at where the injector is: in the search, and in the last look before a sleep. So claims 1 to 5 in
// idle.cpp are about it, too. A task is taken alone and run at once: it is never in a ring, from which a pool that is
// abandoned hands it back.
//
// Claim 19: what was accepted runs, once, before join() returns.
//   1. Who takes one runs it next, with `must_run` set until then. So whoever hands back what is left of a pool that is
//      abandoned runs it: the joiner, and a worker that answers calls before it leaves (answer_calls()).
//   2. What nobody has taken when the last worker has left is the joiner's: it closes the queue, and takes from it
//      after that. A push that is earlier than the close is seen, as both are steps of one word. A later one is
//      refused.
// Claim 20: if a worker is here at the shutdown, what was submitted before it runs also if nobody joins. Who finds the
// pool abandoned looks here after [D1]. It takes one, or sees none, or another core holds the queue: that one runs
// what it took, and looks again. (A core that polls looks again at its next poll.)
#include <weft/config.hpp>

#if WEFT_MANDATORY

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::Chances;
using detail::Worker;

Status Mandatory::take_in(Task& task, Chances chances) {
    Scheduler& pool = static_cast<Scheduler&>(*this);
    const Status status = pool.push_apart(mandatory_, task, chances);
    return status == Status::ok ? pool.notify(chances) : status;
}

bool Mandatory::takes_mandatory(Worker& worker, const detail::TaskStack& stack) const {
    if (&stack != &mandatory_) return false;
    worker.must_run.set(1);
    return true;
}

bool Mandatory::is_mandatory(Worker& worker) {
    const bool must = worker.must_run.get() != 0;
    worker.must_run.set(0);
    return must;
}

// In a pool that is abandoned: the next one, or nullptr.
Task* Mandatory::take_mandatory(Scheduler& pool, Worker& worker) {
    static_cast<void>(pool.idle_.look_for_the_end());  // [D1] what was submitted before the shutdown
    Task* const task = pool.refill(worker, mandatory_);
    if (task != nullptr) detail::comes_from(worker, detail::Origin::mandatory);
#if WEFT_FORK_DEPTH
    if (task != nullptr) pool.forks_[worker.core].set_idle(false);  // as in next_shared()
#endif
    return task;
}

}  // namespace WEFT_ABI
}  // namespace weft

#endif  // WEFT_MANDATORY
