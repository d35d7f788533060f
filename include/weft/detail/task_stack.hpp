// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: TaskStack, an unbounded intrusive stack: any core (and any ISR) pushes, one consumer at a time takes. The
// consumer side is a try-lock, so a stalled consumer blocks nobody. It serves as each worker's overflow and pinned
// queue and as the pool's injector.
//
// word_ (one pointer-sized word; a Task is aligned to two words, so the low bits are free):
//
//     bits n..3  top        the task pushed last, linked to earlier ones
//     bit  2     cached     cache_ holds tasks taken earlier (means nothing while consuming)
//     bit  1     consuming  a core holds the consumer side: only it may touch cache_, take the top, or unlock
//     bit  0     open       pushes are taken; once it is gone they are refused, for ever (and so they are by a stack
//                           that was never constructed: its word is 0)
//
//      0 --push--> top --try_lock--> consuming|cached [top taken as list] --unlock--> cached  (list left in cache_)
//                   |                      ^    |                                or   0       (list used up)
//                   +--push (keeps bits)   +----+--push (keeps bits)             and what was pushed meanwhile
//
// After zap's run queue as described in "Resource efficient Thread Pools with Zig", section "Going Lock-Free:
// Unbounded", with that text's errors mended (docs/DESIGN.md).
#pragma once

#include <weft/batch.hpp>
#include <weft/detail/depth.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

class TaskStack : public Depth {
public:
    constexpr TaskStack() = default;

    // Any core, any context, lock-free. Pushes the chain first..last, of `count` tasks (last's link is overwritten).
    // False: closed; the chain is as it was.
#if WEFT_METRICS
    WEFT_SHARED
#else
    [[gnu::always_inline]]  // nothing but link_in()
#endif
    bool push(Task* first, Task* last, [[maybe_unused]] uint32_t tasks = 1) {
#if WEFT_METRICS
        adds(tasks);
        const bool accepted = link_in(first, last);
        if (!accepted) subtracts(tasks);
        return accepted;
#else
        return link_in(first, last);
#endif
    }

    // Takes the consumer side. nullptr: held by another core, or empty. Otherwise a list of tasks for the caller: what
    // an earlier consumer left, or else all that was pushed. What is pushed from now on is for the next consumer.
    [[gnu::always_inline]] Task* try_lock();
    // Consumer: takes the first task out of its list, which is not empty.
    [[gnu::always_inline]] static Task* next(Task*& list) {
        Task* const task = list;
        list = link(task).next();
        return task;
    }
    // Consumer: gives the consumer side back, and the rest of its list, of which it took `taken` tasks. True: tasks
    // remain (left over, or pushed meanwhile). The caller must let the idle cores know of them: a last look that found
    // the stack held did not count them.
    [[gnu::always_inline]] bool unlock(Task* list, uint32_t taken = 1);

    // Any core: a look without a claim, for the last look before parking. Held counts as empty: the holder looks again
    // or notifies after its unlock. (In a pool that is closing nobody does: there, `uncounted` is 0.)
    [[gnu::always_inline]] bool looks_nonempty(uintptr_t uncounted = consuming) const {
        // relaxed: a fence [I1] stands before this, and another after each push and unlock
        const uintptr_t word = word_.load(relaxed);
        return word > open && (word & uncounted) == 0;
    }

    // Any core: a look at some at once; a stack that is held counts, too.
    template <class... Stacks>
    [[gnu::always_inline]] static bool any_used(const Stacks&... stacks) {
        return (stacks.word_.load(relaxed) | ...) > open;  // relaxed (all): a hint
    }

    // Any core: refuses pushes from now on. What was pushed before can still be taken.
    // relaxed: decided by the order of changes to the word.
    WEFT_SHARED void close() { word_.fetch_and(~open, relaxed); }

    static constexpr uintptr_t consuming = 2;

private:
    static constexpr uintptr_t open = 1;
    static constexpr uintptr_t cached = 4;
    static constexpr uintptr_t tags = cached | consuming | open;
    static_assert(alignof(Task) > tags, "weft: the low bits of a task's address carry the tags");

    bool link_in(Task* first, Task* last);

    static Task* top(uintptr_t word) { return reinterpret_cast<Task*>(word & ~tags); }
    // Tasks are there and nobody holds the consumer side.
    [[gnu::always_inline]] static bool loose(uintptr_t word) {
        return word > open && (word & consuming) == 0;
    }

    Atomic<uintptr_t> word_{open};
    Plain<Task*> cache_{};
};

WEFT_SHARED inline bool TaskStack::link_in(Task* first, Task* last) {
    uintptr_t seen = word_.load(relaxed);  // relaxed: a guess; the exchange below decides
    do {
        if ((seen & open) == 0) break;
        link(last).set_next(top(seen));
        // [S1] tasks and links before the top. relaxed on failure: only compared again.
    } while (
        !word_.compare_exchange(seen, reinterpret_cast<uintptr_t>(first) | (seen & tags), release, relaxed));
    return (seen & open) != 0;
}

inline Task* TaskStack::try_lock() {
    uintptr_t seen = word_.load(relaxed);  // relaxed: a guess; the exchange below decides
    uintptr_t held = 0;
    do {
        if (!loose(seen)) return nullptr;
        // A filled cache is used up first; otherwise the pushed tasks are taken, all at once.
        held = (seen & cached) != 0 ? seen | consuming : (seen & open) | consuming | cached;
        // [S1] what was pushed; [S2] cache_ as the last consumer left it. relaxed on failure: only compared again.
    } while (!word_.compare_exchange(seen, held, acquire, relaxed));
    return (seen & cached) != 0 ? cache_.get() : top(seen);
}

inline bool TaskStack::unlock(Task* list, [[maybe_unused]] uint32_t taken) {
#if WEFT_METRICS
    subtracts(taken);
#endif
    cache_.set(list);
    const uintptr_t cleared = list != nullptr ? consuming : consuming | cached;
    // [S2] cache_ (and its links) for the next consumer
    return word_.fetch_sub(cleared, release) - cleared > open;
}

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
