// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: TaskStack, an unbounded intrusive stack: any core (and any ISR) pushes, one consumer at a time takes. The
// consumer side is a try-lock, so a stalled consumer blocks nobody. It serves as each worker's overflow and pinned
// queue and as the pool's injector.
//
// word_ (one pointer-sized word; a Task is aligned to two words, so the low bits are free):
//
//     bits n..3  top        the task pushed last, linked to earlier ones
//     bit  2     closed     every push is refused, for ever
//     bit  1     consuming  a core holds the consumer side: only it may touch cache_, take the top, or unlock
//     bit  0     cached     cache_ holds tasks taken earlier (means nothing while consuming)
//
//      0 --push--> top --try_lock--> consuming|cached [top taken as list] --unlock--> cached  (list left in cache_)
//                   |                      ^    |  next(): top taken again       or   0       (list used up)
//                   +--push (keeps bits)   +----+--push (keeps bits)
//
// After zap's run queue as described in "Resource efficient Thread Pools with Zig", section "Going Lock-Free:
// Unbounded", with that text's errors mended (docs/DESIGN.md).
#pragma once

#include <weft/batch.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

class TaskStack {
public:
    constexpr TaskStack() = default;

    // Any core, any context, lock-free. Pushes the chain first..last (last's link is overwritten).
    // False: closed; the chain is as it was.
    bool push(Task* first, Task* last);

    // Takes the consumer side; `list` is for next() and unlock(). False: held by another core, empty, or closed.
    bool try_lock(Task*& list);
    // Consumer: the next task, or nullptr when there is none left.
    Task* next(Task*& list);
    // Consumer: gives the consumer side back. True: tasks remain (left over, or pushed meanwhile). The caller must let
    // the idle cores know of them: a last look that found the stack held did not count them.
    bool unlock(Task* list);

    // Any core: a look without a claim, for the last look before parking. Held counts as empty: the holder looks again
    // or notifies after its unlock. relaxed: a fence [I1] stands before this, and another after each push and unlock.
    bool looks_nonempty() const {
        return loose(word_.load(relaxed));
    }

    // Any core: refuses pushes from now on. What was pushed before can still be taken.
    void close() { word_.fetch_or(closed, relaxed); }  // relaxed: decided by the order of changes to the word itself

private:
    static constexpr uintptr_t cached = 1;
    static constexpr uintptr_t consuming = 2;
    static constexpr uintptr_t closed = 4;
    static constexpr uintptr_t tags = cached | consuming | closed;
    static_assert(alignof(Task) > tags, "weft: the low bits of a task's address carry the tags");

    static Task* top(uintptr_t word) { return reinterpret_cast<Task*>(word & ~tags); }
    // Tasks are there and nobody holds the consumer side.
    static bool loose(uintptr_t word) { return (word & ~closed) != 0 && (word & consuming) == 0; }

    Atomic<uintptr_t> word_{};
    Plain<Task*> cache_{};
};

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
