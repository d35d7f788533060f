// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Ring, the parts off the fast path (see include/weft/detail/ring.hpp).
#include <weft/detail/ring.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

uint32_t Ring::take_half(Task*& first, Task*& last) {
    const uint32_t tail = tail_.own();
    uint32_t head = head_.load(relaxed);  // relaxed: a guess; the exchange below decides
    const uint32_t half = capacity() / 2;
    do {
        if (tail - head < capacity()) return 0;
        // relaxed: the owner wrote these slots and only it will write them again (compare pop()).
    } while (!head_.compare_exchange(head, head + half, relaxed, relaxed));
    first = slot(head).own();
    last = first;
    for (uint32_t i = 1; i != half; ++i) {
        Task* const task = slot(head + i).own();
        link(last).set_next(task);
        last = task;
    }
    return half;
}

Task* Ring::steal_into(Ring& own, uint32_t& moved) {
    moved = 0;
    const uint32_t room = own.free_slots() + 1;  // one is run at once; [R2] in free_slots: our slots may be reused
    for (;;) {  // ends: another round only after another core claimed tasks, or (rarely) a weak exchange failed
        uint32_t head = head_.load(relaxed);         // relaxed: a stale head is caught by the exchange
        const uint32_t tail = tail_.load(acquire);   // [R1] the slots and tasks below the tail
        const uint32_t count = tail - head;
        if (count == 0) return nullptr;
        if (count > capacity()) {  // the two loads do not belong together: head moved on between them
            Port::relax();
            continue;
        }
        uint32_t take = count - count / 2;
        if (take > room) take = room;
        Task* const oldest = slot(head).load(relaxed);  // relaxed: the slots were published by the tail we acquired,
        for (uint32_t i = 1; i != take; ++i) {          // and what we read is kept only if the exchange succeeds
            own.place(i - 1, slot(head + i).load(relaxed));
        }
        // [R2] Claims head..head+take. Release: our slot loads stay above it, so the owner cannot reuse the slots early
        //      (pairs free_slots). Failure: the copies are garbage and stay unpublished; look again. relaxed on
        //      failure: nothing is used.
        if (head_.compare_exchange(head, head + take, release, relaxed)) {
            moved = take - 1;
            own.publish(moved);
            return oldest;
        }
    }
}

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
