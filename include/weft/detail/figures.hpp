// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: what can be read of a Scheduler by a few loads. The end of weft/scheduler.hpp.
#pragma once

#include <weft/scheduler.hpp>

namespace weft {
inline namespace WEFT_ABI {

// Inline, so that an image that asks for no statistics has no code for them.
inline CoreStats Scheduler::stats(uint32_t core) const {
    CoreStats stats;
    if (core < cores_) detail::add(stats, workers_[core].counters);
    return stats;
}

inline CoreStats Scheduler::total() const {
    CoreStats sum;
    for (uint32_t core = 0; core != cores_; ++core) detail::add(sum, workers_[core].counters);
    return sum;
}

inline uint32_t Scheduler::start_failures() const {
    uint32_t sum = 0;
    for (uint32_t core = 0; core != cores_; ++core) {
        sum += workers_[core].start_failures.load(relaxed);  // relaxed: statistics
    }
    return sum;
}

// One that changes from one word to the other counts once (METRICS 1.1).
inline uint32_t Metrics::sleeping_cores() const {
    const Scheduler& pool = static_cast<const Scheduler&>(*this);
    // relaxed (both): each word is whole, no data
    uint32_t asleep = pool.idle_.look().parked() | pool.waiters_.load(relaxed);
    uint32_t count = 0;
    for (; asleep != 0; asleep &= asleep - 1) ++count;
    return count;
}

}  // namespace WEFT_ABI
}  // namespace weft
