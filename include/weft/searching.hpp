// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Searching: how many cores look for work at others at once. A part of Scheduler.
#pragma once

#include <weft/config.hpp>

namespace weft {
inline namespace WEFT_ABI {

class Scheduler;
namespace detail {
struct Worker;
}  // namespace detail

#if WEFT_FEW_SEARCHERS

/// At most half of a pool's cores, and at least one, look at other cores' queues at once. The others sleep meanwhile,
/// and are woken as ever. Who ends the search looks at every queue. So a few tasks do not have all other cores read,
/// and write, the lines of those that work. With WEFT_FEW_SEARCHERS=1. docs/SEARCHERS.md says why no task is left
/// lying.
///
/// It holds for cores in their own loop, until the pool closes. A core that polls, or waits in a task, looks once each
/// time, and is not counted.
/// @lifetime A part of the pool.
class Searching {
public:
    /// How many cores search at the moment: never more than half of the pool's cores, or one. None, when all sleep.
    /// @context Any context of any core.
    uint32_t searching_cores() const { return searchers_.load(relaxed); }  // relaxed: one word, no data

private:
    friend class Scheduler;
    constexpr Searching() = default;
    bool begin_search(const Scheduler& pool, detail::Worker& worker);
    [[gnu::cold]] void end_search(Scheduler& pool, detail::Worker& worker);
    void give_up_search(detail::Worker& worker);
    bool leaves_the_look(const detail::Worker& worker) const;

    Atomic<uint32_t> searchers_{};
};

#else

/// Not in this build: the message says what to do.
class Searching {
public:
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool setting = false>
    uint32_t searching_cores() const {
        static_assert(setting,
                      "weft: a limit of those who search is a setting: build the library and its users with "
                      "-DWEFT_FEW_SEARCHERS=1");
        return 0;
    }

private:
    friend class Scheduler;
    constexpr Searching() = default;
    static constexpr bool begin_search(const Scheduler&, detail::Worker&) { return true; }
    static constexpr void end_search(Scheduler&, detail::Worker&) {}
    static constexpr void give_up_search(detail::Worker&) {}
    static constexpr bool leaves_the_look(const detail::Worker&) { return false; }
};

#endif

}  // namespace WEFT_ABI
}  // namespace weft
