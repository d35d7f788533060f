// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: fork-join from outside of the pool's tasks. The calling core becomes a worker for a while; or, if it is none of
// the pool's cores, a worker does its errand, and it sleeps until then.
#include "internal.hpp"

#if WEFT_FORK_DEPTH

namespace weft {
inline namespace WEFT_ABI {

using detail::ForkDeque;

namespace detail {

// For a core that may not become a worker: the pool runs the function, and the core sleeps. The core counts itself in
// the roster before; whoever takes the errand out of a queue counts it out.
class Errand : public Task {
public:
    Errand(Scheduler& pool, void (*function)(void*), void* argument)
        : Task(&Errand::run),
          pool_(&pool),
          function_(function),
          argument_(argument),
          sender_(Port::core_id()) {}

    // True: it has been done. False: the pool was abandoned, nobody will do it.
    bool wait() {
        const TracedWait told(*this);
        uint32_t end = open;
        while ((end = end_.load(acquire)) == open) Port::park();  // [F2] all that the errand did
        return end == done;
    }

    // For a task that is left over. False: it is somebody else's, not an errand.
    static bool refused(Task* task) {
        if (TaskAccess::run(*task) != &Errand::run) return false;
        Errand& errand = static_cast<Errand&>(*task);
        errand.pool_.get()->roster_.remove_caller();
        errand.finish(refusal);
        return true;
    }

private:
    enum : uint32_t { open, done, refusal };

    static void run(Task& self) {
        Errand& errand = static_cast<Errand&>(self);
        errand.pool_.get()->roster_.remove_caller();
        errand.function_.get()(errand.argument_.get());
        errand.finish(done);
    }
    // From the store on, the errand is gone.
    void finish(uint32_t end) {
        const uint32_t sender = sender_.get();
        WEFT_TRACE_EVENT(wait_done, 0, sender);
        end_.store(end, release);  // [F2]
        Port::unpark(sender);
    }

    const Plain<Scheduler*> pool_;
    const Plain<void (*)(void*)> function_;
    const Plain<void*> argument_;
    const Plain<uint32_t> sender_;
    Atomic<uint32_t> end_{};
};

bool settle(Task* task) {
    if (!ForkDeque::is_stolen_child(task)) return Errand::refused(task);
    execute(task, nullptr);
    return true;
}

}  // namespace detail

// A core that is about to sleep until a worker has done something: is there one? Starts cores, until one has come. (Who
// is here for a call of its own or for a poll may be gone before it looks again. Who stays leaves only when the pool
// ends, and then nothing is left behind.)
bool Scheduler::ensure_resident() {
    Found seen = withdraw_overdue_starts();
    for (uint32_t tries = 0; tries != cores_ && (seen & residents) == 0; ++tries) {
        start_one();
        do {  // ends: with a core that stays, at the deadline, or the pool does
            Port::relax();
            seen = withdraw_overdue_starts();
        } while ((seen & residents) == 0 && (seen & starts) != 0 && !idle_.look().is_closing());
    }
    return (seen & residents) != 0;
}

// By a worker that stays, before it leaves: runs the errands that cores sleep for, or refuses them if the pool is
// abandoned. What it finds with them then is left to the joiner.
void Scheduler::answer_calls(Worker& worker) {
    Batch left_over;
    // Ends: each caller has an errand on its way, or sees that the pool is closing.
    while (roster_.has_callers()) {
        finish(worker, left_over);
        Port::relax();
    }
    if (left_over.empty()) return;
    // Abandoned, so nobody runs them, and the joiner finds them here. Not closed: it waits for this worker.
    worker.pinned.push(left_over.first_, left_over.last_, left_over.length());
    left_over.forget();
}

void Scheduler::call(void (*function)(void*), void* argument) {
    ForkDeque::check_context();
    const bool may_wait =
        !detail::Preemption::runs_here() && !is_owner() && !ForkDeque::runs_beside_a_sleep();
    if (!may_wait) return function(argument);
    if (Worker* const worker = active_worker()) {
        // In a task of this pool. In between there may be one of another pool.
        ForkDeque* const before = forks_[worker->core].enter_again();
        function(argument);
        return ForkDeque::leave(before);
    }
    const Status status = visit([&](Worker&) {
        WEFT_TRACE_EVENT(call, reinterpret_cast<uintptr_t>(this), 0);
        function(argument);
        WEFT_TRACE_EVENT(call_end, reinterpret_cast<uintptr_t>(this), 0);
    });
    if (status == Status::ok) return;
    // A task of another pool must not wait: for it may wait the very core that would have to do the errand.
    if (status == Status::unknown_core && ForkDeque::current() == nullptr && ensure_resident()) {
        // From here on no worker that stays leaves; or the last one has left, and submit() sees that the pool closes.
        roster_.add_caller();  // [C1]
        detail::Errand errand(*this, function, argument);
        if (submit(errand) != Status::ok) {
            roster_.remove_caller();  // the pool has been closed since then
        } else if (errand.wait()) {
            return;
        }
    }
    function(argument);  // the pool is closed or no core comes, or this is no place to wait: serially, then
}

}  // namespace WEFT_ABI
}  // namespace weft

#endif  // WEFT_FORK_DEPTH
