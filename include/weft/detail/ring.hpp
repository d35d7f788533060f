// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Ring, the bounded queue of one worker: the owner pushes and pops, thieves take half.
//
//            head_ (thieves and owner, by compare-exchange)      tail_ (owner only)
//              |                                                   |
//      ... [ h ][ h+1 ] ............................... [ t-1 ]  [ t ] ...     slot of index i: slots_[i & mask_]
//
// Indices are free-running 32-bit numbers, compared by difference: a slot index is never reused within 2^32 pushes, so
// a stale claim cannot succeed (unlike the 16-bit halves of tokio#5041). 0 <= t - h <= capacity at every moment.
//
// After the bounded run queue of the Go scheduler as described in "Resource efficient Thread Pools with Zig", section
// "Going Lock-Free: Bounded", with that text's errors mended (docs/DESIGN.md, "What the sources get wrong").
#pragma once

#include <weft/task.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

class Ring {
public:
    using Slot = Published<Task*>;

    // `slots`: `capacity` words (a power of two, at least 2) that live as long as the ring.
    constexpr Ring(Slot* slots, uint32_t capacity)
        : head_(WEFT_INDEX_START), tail_(WEFT_INDEX_START), slots_(slots), mask_(capacity - 1) {}

    uint32_t capacity() const { return mask_ + 1; }

    // Owner. False: full, nothing changed.
    bool push(Task* task) {
        const uint32_t tail = tail_.own();
        if (free_slots(tail) == 0) return false;
        slot(tail).store(task, relaxed);  // relaxed: published by the tail
        tail_.store(tail + 1, release);   // [R1] slot and task before the tail
        return true;
    }

    // Owner. Free slots right now; thieves can only add to them.
    uint32_t free_slots() const { return free_slots(tail_.own()); }

    // Owner: fills free slots without publishing them; publish() makes the first `count` of them visible at once.
    void place(uint32_t index, Task* task) { slot(tail_.own() + index).store(task, relaxed); }  // relaxed: see publish
    void publish(uint32_t count) {
        if (count != 0) tail_.store(tail_.own() + count, release);  // [R1] slots and tasks before the tail
    }

    // Owner. The oldest task, or nullptr.
    Task* pop();

    // Owner, when full: takes the older half out, linked in order. Returns how many (0: a thief came first, so there
    // is room now).
    uint32_t take_half(Task*& first, Task*& last);

    // Thief (the owner of `own`): claims the older half, rounded up, as far as `own` has room. The oldest is returned
    // to run at once, the others are published in `own`. nullptr: empty, or another core was faster.
    // `taken`: how many in all; unchanged if none.
    Task* steal_into(Ring& own, uint32_t& taken);

    // Any core: a look without a claim, for the last look before parking. May say "yes" to a ring just emptied.
    // relaxed: whoever must not miss a task has a fence [I1] before this, as has the core that pushed it.
    bool looks_nonempty() const { return tail_.load(relaxed) != head_.load(relaxed); }

private:
    Slot& slot(uint32_t index) { return slots_[index & mask_]; }
    uint32_t free_slots(uint32_t tail) const {
        return capacity() - (tail - head_.load(acquire));  // [R2] the thieves have read the slots that we reuse
    }

    Atomic<uint32_t> head_;
    alignas(Port::cache_line) Published<uint32_t> tail_;  // away from what thieves write
    Slot* const slots_;
    const uint32_t mask_;
};

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
