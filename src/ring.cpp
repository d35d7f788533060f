// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Ring, the thief's part.
#include <weft/detail/ring.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

Task* Ring::steal_into(Ring& own) {
    const uint32_t mask = mask_;
    // Empty: the head is also the tail. The oldest task goes to the slot before it, to be taken from there when the
    // claim has succeeded; nobody else wants that slot any more.
    const uint32_t begin = own.head_.load(acquire) - 1;  // [R2] the thieves have read the slots that we reuse
    for (;;) {
        // ends: another round only after another core claimed tasks, or (rarely) a weak exchange failed
        uint32_t head = head_.load(relaxed);                // relaxed: a stale head is caught by the exchange
        const uint32_t count = tail_.load(acquire) - head;  // [R1] the slots and tasks below the tail
        // Empty; or the two loads do not belong together, as another core was faster and took what this one saw.
        if (count - 1 > mask) return nullptr;
        const uint32_t take = count - count / 2;
        uint32_t i = take;
        do {
            --i;
            // relaxed: the slots were published by the tail we acquired, and what we read is kept only if the
            // exchange succeeds
            own.slots_[(begin + i) & mask].store(slots_[(head + i) & mask].load(relaxed), relaxed);
        } while (i != 0);
        // [R2] Claims head..head+take. Release: our slot loads stay above it, so the owner cannot reuse the slots early
        //      (pairs push, fill, steal_into). Failure: the copies are garbage and stay unpublished; look again.
        //      relaxed on failure: nothing is used.
        if (head_.compare_exchange(head, head + take, release, relaxed)) {
            own.tail_.store(begin + take, release);  // [R1] slots and tasks before the tail
            return own.slots_[begin & mask].own();
        }
    }
}

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
