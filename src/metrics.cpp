// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: how much is queued, and where, for any context. docs/METRICS.md.
#include <weft/config.hpp>

#if WEFT_METRICS

#include <weft/scheduler.hpp>

namespace weft {
inline namespace WEFT_ABI {

// nullptr: there is no such queue, or it is a ring.
const detail::Depth* Metrics::stack(Queue queue, uint32_t index) const {
    const Scheduler& pool = static_cast<const Scheduler&>(*this);
    switch (queue) {
        case Queue::injector: return index == 0 ? &pool.injector_ : nullptr;
        case Queue::ring: break;
        case Queue::overflow: return index < pool.cores_ ? &pool.workers_[index].overflow : nullptr;
        case Queue::pinned: return index < pool.cores_ ? &pool.workers_[index].pinned : nullptr;
        case Queue::urgent:
#if WEFT_URGENCY_LEVELS > 1
            return index - 1 < Scheduler::most_urgent ? &pool.urgent_[index - 1] : nullptr;
#else
            break;
#endif
        case Queue::of_set:
#if WEFT_CORE_SETS
            return index < WEFT_CORE_SETS ? &pool.sets_[index].tasks : nullptr;
#else
            break;
#endif
        case Queue::blocking:
#if WEFT_BLOCKING
            return index == 0 ? &pool.queue_ : nullptr;
#else
            break;
#endif
        case Queue::mandatory:
#if WEFT_MANDATORY
            return index == 0 ? &pool.mandatory_ : nullptr;
#else
            break;
#endif
    }
    return nullptr;
}

QueueDepth Metrics::depth(Queue queue, uint32_t index) const {
    const Scheduler& pool = static_cast<const Scheduler&>(*this);
    QueueDepth seen;
    if (queue == Queue::ring) {
        if (index >= pool.cores_) return seen;
        const detail::Ring& ring = pool.workers_[index].ring;
        seen = {ring.depth(), ring.most()};
    } else if (const detail::Depth* const found = stack(queue, index)) {
        seen = {found->now(), found->most()};
    }
    // Who adds raises the mark after that.
    if (seen.most < seen.now) seen.most = seen.now;
    return seen;
}

uint32_t Metrics::queued() const {
    const Scheduler& pool = static_cast<const Scheduler&>(*this);
    uint32_t sum = depth(Queue::injector).now + depth(Queue::blocking).now + depth(Queue::mandatory).now;
    for (uint32_t level = Scheduler::most_urgent; level != 0; --level) {
        sum += depth(Queue::urgent, level).now;
    }
    for (uint32_t set = WEFT_CORE_SETS; set != 0; --set) sum += depth(Queue::of_set, set - 1).now;
    for (uint32_t core = 0; core != pool.cores_; ++core) {
        sum +=
            depth(Queue::ring, core).now + depth(Queue::overflow, core).now + depth(Queue::pinned, core).now;
    }
    return sum;
}

}  // namespace WEFT_ABI
}  // namespace weft

#endif  // WEFT_METRICS
