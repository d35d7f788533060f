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

#include <weft/detail/depth.hpp>
#include <weft/detail/newest.hpp>
#include <weft/task.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

class Ring : public OwnDepth, public Newest {
public:
    using Slot = Published<Task*>;

    // `slots`: `capacity` words (a power of two, at least 2) that live as long as the ring.
    constexpr Ring(Slot* slots, uint32_t capacity)
        : head_(WEFT_INDEX_START), mask_(capacity - 1), tail_(WEFT_INDEX_START), slots_(slots) {}

    uint32_t capacity() const { return mask_ + 1; }

    // Owner. False: full, nothing changed.
    [[gnu::always_inline]] bool push(Task* task) {
        const uint32_t tail = tail_.own();
        const uint32_t mask = mask_;
        // [R2] the thieves have read the slot that we reuse
        if (tail - head_.load(acquire) > mask) return false;
        slots_[tail & mask].store(task, relaxed);  // relaxed: published by the tail
        tail_.store(tail + 1, release);            // [R1] slot and task before the tail
        note_growth();
        return true;
    }

#if WEFT_NEWEST_FIRST
    // Owner. To the place of the newest task; what stood there before goes to the ring, or nullptr.
    [[gnu::always_inline]] Task* put(Task* task) {
        Task* const older = Newest::put(task);
        note_growth();
        return older;
    }
#endif

    // Owner: moves tasks from the front of a list to the ring, as far as there is room. Returns the rest of the list;
    // and adds to `moved` how many these are.
    [[gnu::always_inline]] Task* fill(Task* list, uint32_t& moved);

    // Owner. The oldest task, or nullptr. (With WEFT_NEWEST_FIRST the newest one, some times in a row.)
    Task* pop();

    // Thief, the owner of `into`, which is empty and has the same capacity: claims the older half, rounded up. The
    // oldest is returned to run at once, the others are published in `into`. nullptr: empty, or another was faster.
    // `patient`: a single task is claimed only if the owner has not taken it during WEFT_STEAL_PATIENCE times relax().
    // (A bool, or what is asked for one only then.)
    template <class Patient>
    [[gnu::always_inline]] Task* steal_into(Ring& into, Patient patient);

    // Thief, whatever it has itself: claims the oldest task. nullptr: empty, or another core was faster.
    Task* steal_oldest();

    // Any core: a look without a claim, for the last look before parking. May say "yes" to a ring just emptied.
    // relaxed: whoever must not miss a task has a fence [I1] before this, as has the core that pushed it.
    bool looks_nonempty() const { return tail_.load(relaxed) != head_.load(relaxed) || is_there(); }

#if WEFT_METRICS
    // Any core: how many tasks, 0 to the capacity; exact while nobody works on the ring (METRICS 1.2).
    uint32_t depth() const {
        const uint32_t head = head_.load(relaxed);          // relaxed (both): no data
        const uint32_t depth = tail_.load(relaxed) - head;  // the later load: seldom too few
        return (depth <= mask_ + 1 ? depth : depth >> 31 != 0 ? 0 : mask_ + 1) + (is_there() ? 1 : 0);
    }
#endif

private:
    // Owner.
    [[gnu::always_inline]] void note_growth() {
#if WEFT_METRICS
        // relaxed: what it has seen last, or newer
        reaches(tail_.own() - head_.load(relaxed) + (is_there() ? 1 : 0));
#endif
    }
    Slot& slot(uint32_t index) { return slots_[index & mask_]; }

    Atomic<uint32_t> head_;
    const uint32_t mask_;
    alignas(Port::cache_line) Published<uint32_t> tail_;  // away from what thieves write
    Slot* const slots_;
};

inline Task* Ring::fill(Task* list, uint32_t& moved) {
    uint32_t tail = tail_.own();
    moved -= tail;
    const uint32_t end =
        head_.load(acquire) + capacity();  // [R2] the thieves have read the slots that we reuse
    for (; list != nullptr && tail != end; ++tail) {
        slot(tail).store(list, relaxed);  // relaxed: published by the tail
        list = link(list).next();
    }
    moved += tail;
    tail_.store(tail, release);  // [R1] slots and tasks before the tail
    note_growth();
    return list;
}

inline Task* Ring::pop() {
    if (Task* const task = take_in_row()) return task;
    for (;;) {  // ends: an exchange fails only because a thief took some, or (rarely) by itself
        uint32_t head = head_.load(relaxed);  // relaxed: a guess; the exchange below decides
        if (head == tail_.own()) return take();
        Task* const task = slot(head).own();
        // relaxed: the owner wrote the slot itself and is the only one to write it again. The exchange continues the
        // release sequences of the thieves' claims, so [R2] still reaches the owner.
        if (head_.compare_exchange(head, head + 1, relaxed, relaxed)) {
            if (task == nullptr) WEFT_NEVER();  // so the caller need not ask whether there is one
            return task;
        }
    }
}

template <class Patient>
inline Task* Ring::steal_into(Ring& into, Patient patient) {
    const uint32_t mask = mask_;
    // Where the others go. Empty: the head is also the tail. [R2] the thieves have read the slots that we reuse
    uint32_t to = into.head_.load(acquire);
    const uint32_t head = head_.load(relaxed);          // relaxed: a stale head is caught by the exchange
    const uint32_t count = tail_.load(acquire) - head;  // [R1] the slots and tasks below the tail
    // Empty; or the two loads do not belong together, as another core was faster and took what this one saw.
#if WEFT_NEWEST_FIRST
    if (count - 1 > mask) return steal(patient);
#else
    if (count - 1 > mask) return nullptr;
#endif
    if (count == 1 && patient) leave_to_the_owner();
    const uint32_t end = head + (count + 1) / 2;
    uint32_t from = head;
    // relaxed (all three): the slots were published by the tail we acquired, and what we read is kept only if the
    // exchange succeeds
    Task* const oldest = slots_[from & mask].load(relaxed);
    while (++from != end) into.slots_[to++ & mask].store(slots_[from & mask].load(relaxed), relaxed);
    uint32_t seen = head;
    // [R2] Claims head..end. Release: our slot loads stay above it, so the owner cannot reuse the slots early
    //      (pairs push, fill, steal_into). Failure: the copies are garbage and stay unpublished.
    //      relaxed on failure: nothing is used.
    while (!head_.compare_exchange(seen, end, release, relaxed)) {
        if (seen != head) return nullptr;  // ends: weak, fails by itself only now and then
    }
    into.tail_.store(to, release);  // [R1] slots and tasks before the tail
    into.note_growth();
    if (oldest == nullptr) WEFT_NEVER();  // as in pop()
    return oldest;
}

inline Task* Ring::steal_oldest() {
    uint32_t head = head_.load(relaxed);                // relaxed: as in steal_into()
    const uint32_t count = tail_.load(acquire) - head;  // [R1] the slot and the task below the tail
    if (count - 1 > mask_) return take();
    Task* const oldest = slot(head).load(relaxed);  // relaxed: kept only if the exchange succeeds
    // [R2] our slot load stays above it, so the owner cannot reuse the slot early. relaxed on failure: nothing is used
    return head_.compare_exchange(head, head + 1, release, relaxed) ? oldest : nullptr;
}

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
