// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Source, what strands, gates, events and timers share: they hold tasks back, and hand them to the pool in the
// end. To the pool each is one submit of a chain of tasks; no part of the worker's loop knows of them, but of timers.
#pragma once

#include <weft/scheduler.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

enum class From : bool { task, isr };

// Does a call start no core? From a handler, and on the level that preempts.
inline bool starts_none(From from) { return from == From::isr || Preemption::runs_here(); }

// A list of tasks turned round: from the newest first to the oldest first.
Task* in_order(Task* newest);
// Marks beside the task in a word.
constexpr uintptr_t marks = 3;
// Puts a claimed task in front of the list in a word. The marks stay; a word that was 0 gets these. Returns the word as
// it was.
uintptr_t push(Atomic<uintptr_t>& word, Task& task, uintptr_t first_marks);

class Source {
public:
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

protected:
    constexpr explicit Source(Scheduler& pool) : pool_(&pool) {}

    // src/under_way.hpp: counts a call that starts no core while it lives, in a word of a strand or event. Others wait
    // for its end, or for what it holds, so the core does not stand still meanwhile: that alone is GoesOn.
    class UnderWay;
    class GoesOn;

    // As Scheduler's submits: claims the task, or says why not.
    Status let_in(Task& task, From from) const;
    // May the caller be here? ok or wrong_context (checked builds).
    static Status check(From from) {
        return WEFT_CHECKS && from == From::task && Port::in_isr() ? Status::wrong_context : Status::ok;
    }
    // Panics in checked builds, as Scheduler's.
    inline void check_constructed() const;
    // And is the task that follows one? Else also misaligned_task, null_run (checked builds).
    static Status check(From from, const Task& follower) {
        const Status status = check(from);
        return status == Status::ok ? detail::check(follower) : status;
    }
    // As Scheduler's submit of a batch, but a shutdown does not refuse it, only the end: false, and the link of its
    // last task is lost.
    bool hand_in(Batch& tasks, From from) const;
    // The same for a strand or gate, which is free. It counts as this many tasks submitted.
    bool hand_in(Task& self, uint32_t tasks, From from) const;
    // A call leaves what it brings to another one. That may start no core: so this one does, as a submit would. And it
    // waits for calls of that kind that are under way: before they have handed in there is nothing to be seen.
    void bring_a_core(const Atomic<uint32_t>& calls) const {
        const bool meets_handlers = calls.load(acquire) != 0;  // [Q3] what they have handed in
        const IdleBits seen = pool_->idle_.look();             // a hint
        // A core that is parked hears of the task from who hands it in.
        const bool none = seen.parked() == 0 && worth_telling(seen, Chances::from_outside);
        if (meets_handlers || none || seen.may_retry()) wake_or_start(calls);
    }
    // Hints: something is queued that all share; or a core was refused, which another call could not try again.
    bool may_need_a_core() const {
        return pool_->injector_.looks_nonempty() || pool_->idle_.look().may_retry();
    }
    bool urgent_waits() const { return pool_->has_urgent(); }  // a hint
#if WEFT_TIMERS
    Scheduler& its_pool() const { return *pool_; }
    static TimerQueue& timers(Scheduler& pool) { return pool.timers_; }
    // For who has listed the timer. Then it may end, so its pool was read before. True: this call was the one to tell
    // the sleepers, and has.
    static bool see_to(Scheduler& pool, Timer& timer, From from);
    // For a start that has found its timer listed, or is not the one to tell. Another call tells the sleepers; but it
    // may be yet to do so, and be one that starts no core.
    static void tell_if_none_watches(Scheduler& pool, From from);
#endif
    bool is_closing() const { return pool_->idle_.look().is_closing(); }
    bool is_abandoned() const { return pool_->is_abandoned(); }
    bool is_owner() const { return pool_->is_owner(); }  // of a request to stand still
    // Statistics of the calling worker, if it is one.
    void count(Published<uint32_t> Counters::*counter, uint32_t by) const;
    // A list of claimed tasks goes to the batch.
    static void give_back(Batch& batch, Task* list);

private:
    static inline Chances chances(Scheduler& pool, From from);
    [[gnu::cold]] void wake_or_start(const Atomic<uint32_t>& calls) const;

    Scheduler* const pool_;
};

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
