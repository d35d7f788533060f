// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// CoreStats: what each core counts.
#pragma once

#include <weft/config.hpp>

namespace weft {
inline namespace WEFT_ABI {

/// What each core counts: CoreStats, and the words that a core writes. A forked child that another core takes counts
/// there as a task, in `executed` and in `stolen`. One that its owner runs counts nowhere.
template <class Word>
struct Statistics {
    Word executed{};        ///< tasks run (what the joiner runs of a strand, or of one timer, counts as one)
    Word submitted{};       ///< tasks that the pool or a strand has accepted from tasks running on the core
    Word stolen{};          ///< steals: of half a ring, of what fits of an overflow, of a forked child
    Word steal_attempts{};  ///< victims looked at (not by a core that waits in a join)
    Word overflows{};       ///< times the ring was full
    Word wakes{};           ///< times it woke because there was something for it
    Word spurious_wakes{};  ///< times it woke for nothing and went on sleeping
#if WEFT_PREEMPTION
    Word preempting{};  ///< tasks of the level that preempts; they do not count in `executed`
#endif

    /// All of them.
    static constexpr Word Statistics::*all[] = {
        &Statistics::executed,       &Statistics::submitted, &Statistics::stolen,
        &Statistics::steal_attempts, &Statistics::overflows, &Statistics::wakes,
        &Statistics::spurious_wakes,
#if WEFT_PREEMPTION
        &Statistics::preempting,
#endif
    };
};

namespace detail {

// Plain words, each written by the core itself (its task context) only.
using Counters = Statistics<Published<uint32_t>>;

}  // namespace detail

/// A snapshot of one core's counters, or of their sums. Each counts events in 32 bits and wraps: compare by difference.
struct CoreStats : Statistics<uint32_t> {
    uint32_t parks = 0;  ///< times the core went to sleep, and woke again: `wakes` and `spurious_wakes`
};

namespace detail {

inline constexpr uint32_t statistics = sizeof CoreStats::all / sizeof CoreStats::all[0];
static_assert(sizeof(CoreStats) == (statistics + 1) * sizeof(uint32_t),
              "weft: each statistic has its line in Statistics::all");

inline void add(CoreStats& sum, const Counters& counters) {
    for (uint32_t i = 0; i != statistics; ++i) {
        // relaxed: each word is whole, they are not a consistent set while the core works.
        sum.*CoreStats::all[i] += (counters.*Counters::all[i]).load(relaxed);
    }
    sum.parks = sum.wakes + sum.spurious_wakes;
}

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
