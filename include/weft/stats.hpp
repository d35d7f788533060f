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
    Word submitted{};       ///< tasks accepted from tasks on the core; not if pinned, by events or from ISRs
    Word stolen{};          ///< steals: of half a ring, of what fits of an overflow, of a forked child
    Word steal_attempts{};  ///< victims looked at (not by a core that waits in a join)
    Word overflows{};       ///< tasks that found the ring full
    Word wakes{};           ///< times it woke because there was something for it
    Word spurious_wakes{};  ///< times it woke for nothing and went on sleeping
#if WEFT_PREEMPTION
    Word preempting{};  ///< tasks of the level that preempts; they do not count in `executed`
#endif
#if WEFT_METRICS
    // Where the tasks came from that count in `executed`: in the order of detail::Origin. Their sum is `executed`; in a
    // pool that is abandoned it may be more, by the strands that ran none of their tasks.
    Word from_ring{};             ///< its own ring, with what it had moved there from elsewhere
    Word from_pinned{};           ///< tasks for this core alone
    Word from_overflow{};         ///< its own overflow
    Word from_injector{};         ///< what came from outside, and from handlers
    Word from_sets{};             ///< tasks for some of the cores
    Word from_urgent{};           ///< levels of urgency
    Word from_blocking{};         ///< long tasks
    Word from_mandatory{};        ///< tasks that run whatever becomes of their pool
    Word from_forks{};            ///< other cores' forked children
    Word from_others_overflow{};  ///< other cores' overflow
    Word from_others_ring{};      ///< other cores' rings
    Word from_strands{};  ///< of a strand's burst all but the first: that one counts where the strand was
#endif

    /// All of them.
    static constexpr Word Statistics::*all[] = {
        &Statistics::executed,         &Statistics::submitted,
        &Statistics::stolen,           &Statistics::steal_attempts,
        &Statistics::overflows,        &Statistics::wakes,
        &Statistics::spurious_wakes,
#if WEFT_PREEMPTION
        &Statistics::preempting,
#endif
#if WEFT_METRICS
        &Statistics::from_ring,        &Statistics::from_pinned,
        &Statistics::from_overflow,    &Statistics::from_injector,
        &Statistics::from_sets,        &Statistics::from_urgent,
        &Statistics::from_blocking,    &Statistics::from_mandatory,
        &Statistics::from_forks,       &Statistics::from_others_overflow,
        &Statistics::from_others_ring, &Statistics::from_strands,
#endif
    };
};

namespace detail {

// Plain words, each written by the core itself (its task context) only.
using Counters = Statistics<Published<uint32_t>>;

// Where a task comes from: the words of Statistics that begin with `from_`, in their order.
enum class Origin : uint8_t {
    ring,
    pinned,
    overflow,
    injector,
    set,
    urgent,
    blocking,
    mandatory,
    forks,
    others_overflow,
    others_ring,
    strand,
};

}  // namespace detail

/// A snapshot of one core's counters, or of their sums. Each counts events in 32 bits and wraps: compare by difference.
struct CoreStats : Statistics<uint32_t> {
    uint32_t parks = 0;  ///< times the core went to sleep, and woke again: `wakes` and `spurious_wakes`
};

namespace detail {

inline constexpr uint32_t statistics = sizeof CoreStats::all / sizeof CoreStats::all[0];
static_assert(sizeof(CoreStats) == (statistics + 1) * sizeof(uint32_t),
              "weft: each statistic has its line in Statistics::all");

#if WEFT_METRICS
// Clang 14 knows the length of an array in a template after a first use of it.
static_assert(sizeof Counters::all == statistics * sizeof Counters::all[0], "weft: counters are statistics");
// The statistic of an origin.
constexpr Published<uint32_t> Counters::*word_of(Origin origin) {
    constexpr uint32_t origins = static_cast<uint32_t>(Origin::strand) + 1;
    return Counters::all[statistics - origins + static_cast<uint32_t>(origin)];
}
static_assert(word_of(Origin::ring) == &Counters::from_ring &&
                  word_of(Origin::strand) == &Counters::from_strands,
              "weft: origins have the order of their words");
#endif

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
