// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Metrics: how many cores sleep, and how much is queued where. A part of Scheduler.
#pragma once

#include <weft/config.hpp>

namespace weft {
inline namespace WEFT_ABI {

class Scheduler;
namespace detail {
class Depth;
}  // namespace detail

/// A queue of a pool: what Metrics::depth() is asked for. Its index says which one of that kind.
enum class Queue : uint8_t {
    injector,  ///< what is submitted from outside, and from handlers; the only one
    ring,      ///< what a core's own tasks have submitted; the index is the core
    overflow,  ///< what did not fit into its ring, and its batches; the index is the core
    pinned,    ///< what that core alone may run; the index is the core
    urgent,    ///< a level of urgency (WEFT_URGENCY_LEVELS); the index is the level, 1 or more
    of_set,  ///< for some of the cores (WEFT_CORE_SETS); the index counts the sets by their first use, from 0
    blocking,   ///< long tasks (WEFT_BLOCKING); the only one
    mandatory,  ///< tasks that run whatever becomes of their pool (WEFT_MANDATORY); the only one
};

/// How many tasks stand in a queue: Metrics::depth().
struct QueueDepth {
    uint32_t now = 0;   ///< at the moment
    uint32_t most = 0;  ///< the most since the pool was constructed; never less than `now`
};

/// What a pool has to do, and who is there for it: for a monitor, a watchdog, or a governor of clocks. It may ask at
/// any time: before the first submit, in tasks, in handlers of any core, and after the join. No call waits, or holds
/// up who works. How many cores work: Scheduler::live_cores().
/// @lifetime A part of the pool.
class Metrics {
public:
    /// How many of the live cores have nothing to do, and sleep: in their own loop, or in a wait or a join of a task. A
    /// core that still searches is awake. With every setting; where nobody calls it, it takes nothing.
    /// @context Any context of any core.
    uint32_t sleeping_cores() const;

#if WEFT_METRICS
    /// How many tasks stand in a queue, and the most that ever did. Which one of its kind `index` counts, Queue says,
    /// in cores, levels or sets. With WEFT_METRICS=1.
    ///
    /// Each of the two numbers is whole, and never negative. It is not less than what stands there: a task that was
    /// accepted is counted until a core begins to take it. It may be more by what is just being submitted, or taken: a
    /// few instructions, in which a handler may stop that core. While no call and no search is under way it is exact.
    /// For a ring that is at work it is any number from 0 to the ring's size (and one more with
    /// WEFT_NEWEST_FIRST=1, whose place belongs to it; a task that moves from there to the ring is for a
    /// moment not counted). Numbers of several queues are no consistent set: a task that moves from one to
    /// another may be seen in both.
    ///
    /// Not counted is what stands in no queue: what runs, forked children, and what a strand, a gate, an event or a
    /// timer holds back.
    /// @context Any context of any core.
    /// @return zeros for a queue that is not in this pool, or not in this build.
    QueueDepth depth(Queue queue, uint32_t index = 0) const;
    /// How many tasks stand in all queues now, read one after the other.
    /// @context As depth().
    uint32_t queued() const;
#else
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool setting = false>
    QueueDepth depth(Queue, uint32_t = 0) const {
        return refuse<setting>();
    }
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <bool setting = false>
    uint32_t queued() const {
        return refuse<setting>().now;
    }
#endif

private:
    friend class Scheduler;
    constexpr Metrics() = default;
#if WEFT_METRICS
    const detail::Depth* stack(Queue queue, uint32_t index) const;
#else
    template <bool setting>
    static QueueDepth refuse() {
        static_assert(setting,
                      "weft: depths of queues are a setting: build the library and its users with "
                      "-DWEFT_METRICS=1");
        return QueueDepth();
    }
#endif
};

}  // namespace WEFT_ABI
}  // namespace weft
