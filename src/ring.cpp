// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Ring (see include/weft/detail/ring.hpp).
#include <weft/detail/ring.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

Task* Ring::pop() {
    const uint32_t tail = tail_.own();
    uint32_t head = head_.load(relaxed);  // relaxed: a guess; the exchange below decides
    while (head != tail) {                // ends: an exchange fails only because a thief took some, or (rarely) by itself
        Task* const task = slot(head).own();
        // relaxed: the owner wrote the slot itself and is the only one to write it again. The exchange continues the
        // release sequences of the thieves' claims, so [R2] still reaches free_slots().
        if (head_.compare_exchange(head, head + 1, relaxed, relaxed)) return task;
    }
    return nullptr;
}

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

Task* Ring::steal_into(Ring& own, uint32_t& taken) {
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
            taken = take;
            own.publish(take - 1);
            return oldest;
        }
    }
}

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
