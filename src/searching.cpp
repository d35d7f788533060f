// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: at most half of a pool's cores look at others' queues at once. docs/SEARCHERS.md leads up to this.
//
//     who searches, S                                who may not, C
//     n1  count + 1, if there is room                n1  no room: what is its own, and shared, it has looked at
//     n2  looks at the others                        p1  its parked bit; the waking role is given up
//     n3  count - 1                                  p2  fence [I1]
//     n4  with a task, and the count is 0:           n5  the count: 0? then its last look, p3
//         fence [I1], a look at every queue,             not 0: it leaves that look to S
//         and wake(); without one: p1, p2, p3        p4  sleeps
//
// Claim 22: what C does not look at is looked after.
//   1. Let a task be visible (s1) by a submit that leaves it to C: it sees the word as it was before C's p1, with no
//      core parked or with C's waking role (claims 1 and 3 in idle.cpp). So s2 comes before p2 in the order of fences.
//   2. C has read a count that is not 0. In the order of its changes a later step makes it 0: let S be who does that,
//      and f its fence after it, in n4 or p2. If f came before p2, C would have read the 0, or something newer. So p2
//      comes before f; and so does s2.
//   3. So the look of S after f sees the task, or that it was taken, or that its queue is held (claim 4).
//   4. If S has found a task, it wakes a core: C's bit is in the word that it sees. If `waking` is set there, claim 3
//      holds for the look of S, as for one of a submit. If S has none, it takes its bit back and searches.
//   5. Then it may find no room: others have come in after its step. It is as C is now, and they are S.
// Claim 23: nobody goes round for ever.
//   1. Who may not search looks at what is its own, and at what is shared, first. So it takes what would end its sleep
//      at once: what is pinned, a set's, urgent, a blocking task.
//   2. What else its last look may see it sees when nobody searches. If it finds no room then, others have come in.
#include <weft/config.hpp>

#if WEFT_FEW_SEARCHERS

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

using detail::Worker;

// n1. A core in its own loop; false: others search.
bool Searching::begin_search(const Scheduler& pool, Worker& worker) {
    if (worker.search.get() == Worker::searches) return true;
    const uint32_t most = pool.cores_ / 2 > 1 ? pool.cores_ / 2 : 1;
    uint32_t seen = searchers_.load(relaxed);  // relaxed (all): ordered by the fences; no data
    do {
        if (seen >= most) {
            worker.search.set(Worker::may_not_search);
            return false;
        }
    } while (!searchers_.compare_exchange(seen, seen + 1, relaxed, relaxed));  // ends: others come and go
    worker.search.set(Worker::searches);
    return true;
}

// n3 and n4, with a task that is to run next.
void Searching::end_search(Scheduler& pool, Worker& worker) {
    const bool counted = worker.search.get() == Worker::searches;
    worker.search.set(Worker::no_search);
    if (!counted || searchers_.fetch_sub(1, relaxed) != 1) return;  // relaxed: as above
    Port::fence();  // [I1] that nobody searches, before the look; pairs with rest_until()
    if (pool.work_visible()) static_cast<void>(pool.wake(detail::Chances::from_task));
}

// n3, before the parked bit.
void Searching::give_up_search(Worker& worker) {
    if (worker.search.get() != Worker::searches) return;
    worker.search.set(Worker::no_search);
    searchers_.fetch_sub(1, relaxed);  // relaxed: as above
}

// n5
bool Searching::leaves_the_look(const Worker& worker) const {
    return worker.search.get() == Worker::may_not_search &&
           searchers_.load(relaxed) != 0;  // relaxed: as above
}

}  // namespace WEFT_ABI
}  // namespace weft

#endif  // WEFT_FEW_SEARCHERS
