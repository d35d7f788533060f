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
    [[gnu::always_inline]] bool push(Task* task) {
        const uint32_t tail = tail_.own();
        const uint32_t mask = mask_;
        // [R2] the thieves have read the slot that we reuse
        if (tail - head_.load(acquire) > mask) return false;
        slots_[tail & mask].store(task, relaxed);  // relaxed: published by the tail
        tail_.store(tail + 1, release);            // [R1] slot and task before the tail
        return true;
    }

    // Owner. Free slots right now; thieves can only add to them.
    uint32_t free_slots() const { return free_slots(tail_.own()); }

    // Owner: fills free slots without publishing them; publish() makes the first `count` of them visible at once.
    // relaxed: publish() orders it. [R1] slots and tasks before the tail.
    void place(uint32_t index, Task* task) { slot(tail_.own() + index).store(task, relaxed); }
    void publish(uint32_t count) { tail_.store(tail_.own() + count, release); }  // [R1]

    // Owner. The oldest task, or nullptr.
    Task* pop();

    // Owner, when full: takes the older half out, linked in order. Returns how many (0: a thief came first, so there
    // is room now).
    [[gnu::always_inline]] uint32_t take_half(Task*& first, Task*& last);

    // Thief (the owner of `own`): claims the older half, rounded up, as far as `own` has room. The oldest is returned
    // to run at once, the others are published in `own`. nullptr: empty, or another core was faster.
    // `taken`: how many in all; unchanged if none.
    [[gnu::always_inline]] Task* steal_into(Ring& own, uint32_t& taken);

    // Any core: a look without a claim, for the last look before parking. May say "yes" to a ring just emptied.
    // relaxed: whoever must not miss a task has a fence [I1] before this, as has the core that pushed it.
    bool looks_nonempty() const { return tail_.load(relaxed) != head_.load(relaxed); }

private:
    Slot& slot(uint32_t index) { return slots_[index & mask_]; }
    uint32_t free_slots(uint32_t tail) const {
        // [R2] the thieves have read the slots that we reuse
        return capacity() - (tail - head_.load(acquire));
    }

    Atomic<uint32_t> head_;
    alignas(Port::cache_line) Published<uint32_t> tail_;  // away from what thieves write
    Slot* const slots_;
    const uint32_t mask_;
};

inline Task* Ring::pop() {
    const uint32_t tail = tail_.own();
    uint32_t head = head_.load(relaxed);  // relaxed: a guess; the exchange below decides
    while (head != tail) {  // ends: an exchange fails only because a thief took some, or (rarely) by itself
        Task* const task = slot(head).own();
        // relaxed: the owner wrote the slot itself and is the only one to write it again. The exchange continues the
        // release sequences of the thieves' claims, so [R2] still reaches free_slots().
        if (head_.compare_exchange(head, head + 1, relaxed, relaxed)) return task;
    }
    return nullptr;
}

inline uint32_t Ring::take_half(Task*& first, Task*& last) {
    const uint32_t half = capacity() / 2;
    const uint32_t tail = tail_.own();
    uint32_t head = head_.load(relaxed);  // relaxed: a guess; the exchange below decides
    do {
        if (tail - head < capacity()) return 0;
        // relaxed: the owner wrote these slots and only it will write them again (compare pop()).
    } while (!head_.compare_exchange(head, head + half, relaxed, relaxed));
    Task* task = slot(head).own();
    first = task;
    for (const uint32_t end = head + half; ++head != end;) {
        Task* const next = slot(head).own();
        link(task).set_next(next);
        task = next;
    }
    last = task;
    return half;
}

inline Task* Ring::steal_into(Ring& own, uint32_t& taken) {
    const uint32_t room = own.free_slots() + 1;  // one is run at once; free_slots: our slots may be reused
    for (;;) {
        // ends: another round only after another core claimed tasks, or (rarely) a weak exchange failed
        uint32_t head = head_.load(relaxed);        // relaxed: a stale head is caught by the exchange
        const uint32_t tail = tail_.load(acquire);  // [R1] the slots and tasks below the tail
        const uint32_t count = tail - head;
        // Empty; or the two loads do not belong together, as another core was faster and took what this one saw.
        if (count - 1 >= capacity()) return nullptr;
        uint32_t take = count - count / 2;
        if (take > room) take = room;
        // relaxed: the slots were published by the tail we acquired, and what we read is kept only if the
        // exchange succeeds
        Task* const oldest = slot(head).load(relaxed);
        for (uint32_t i = 1; i != take; ++i) {
            own.place(i - 1, slot(head + i).load(relaxed));  // relaxed: likewise
        }
        // [R2] Claims head..head+take. Release: our slot loads stay above it, so the owner cannot reuse the slots early
        //      (pairs free_slots). Failure: the copies are garbage and stay unpublished; look again. relaxed on
        //      failure: nothing is used.
        if (head_.compare_exchange(head, head + take, release, relaxed)) {
            taken = take;
            own.publish(take - 1);
            return oldest;
        }
    }
}

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
