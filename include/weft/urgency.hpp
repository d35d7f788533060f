// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Urgency: which task goes first.
#pragma once

#include <weft/config.hpp>

namespace weft {

/// The level at which a task is submitted: 0 to WEFT_URGENCY_LEVELS - 1, the most urgent one last. Further levels have
/// no names: Urgency{2}, or names of your own.
///
/// At the end of each task a core takes the most urgent one that is queued in its pool, whatever else waits, but in the
/// turns of the others (below). With all cores busy, an urgent task begins after at most one of the running tasks: the
/// one that ends first. Only a task that is as urgent or more may come between, and turns of the others. Where two
/// cores end at the same moment, one waits for the other's few steps (at most WEFT_STEAL_PATIENCE calls of relax(), see
/// there). A Strand cuts its burst short.
///
/// No level starves. After WEFT_FAIR_INTERVAL urgent tasks in a row, the next WEFT_URGENCY_LEVELS turns of a core
/// are the others': one for each level from the highest but one down to the lowest above 0, then two for level 0. A
/// level that has nothing leaves its turn to the next lower one that has something, or else to the most urgent task
/// that is queued. What is at level 0 may be anywhere: a turn finds it in the ring of another core, too. Others that
/// run within an urgent task, in a wait or a join, end the row. The turns come then all the same, later.
///
/// Tasks of one urgent level begin in no promised order. Each is taken by itself: urgent work is not stolen by halves.
///
/// With WEFT_PREEMPTION=1 the most urgent level *preempts*. Its tasks do not wait for the end of any task: an interrupt
/// runs them on top of what some core of the pool does, on that core's stack, to completion. A core that sleeps is
/// preferred, then the calling one. A task of the level waits for another one of it only where every core of the pool
/// is in one, or has the interrupt masked. If no core works for the pool, it is urgent as above. It knows no turns of
/// others, and takes none from them.
///
/// Such a task may call what submits: submit(), submit_from_isr(), batches, Strand, Gate, Event, Timer, shutdown(). It
/// may submit itself again. As in a handler, a submit wakes a core that sleeps, but starts none that is off: the next
/// submit from elsewhere does. It forks serially: fork_join() and its like run all on the calling core. What would
/// wait returns wrong_context, in all builds: run(), poll(), join(), wait(), wait_idle(); and submit_on(). (A task that
/// the joiner still runs is on top of nothing: run() returns closed there, as everywhere by then.) Timer::cancel() does
/// not wait for a core that looks at the timer: it is as cancel_from_isr(). It must not wait for a task that it may
/// have interrupted, nor sleep; what it shares with ordinary tasks needs what a handler needs.
enum class Urgency : uint8_t {
    normal = 0,  ///< as submitted without a level
    urgent = 1,  ///< before all that is normal
};

inline namespace WEFT_ABI {
namespace detail {

// The level of a batch or timer. If there is only one, it takes no memory: WEFT_LEVEL declares such a member.
#if WEFT_URGENCY_LEVELS > 1
#define WEFT_LEVEL ::weft::detail::Level
class Level {
public:
    constexpr Level() = default;
    constexpr Level(Urgency urgency) : urgency_(urgency) {}
    constexpr uint32_t number() const { return static_cast<uint32_t>(urgency_); }
    constexpr bool is_urgent() const { return urgency_ != Urgency::normal; }
    constexpr bool is_known() const { return number() < WEFT_URGENCY_LEVELS; }

private:
    Urgency urgency_ = Urgency::normal;
};
#else
#define WEFT_LEVEL static constexpr ::weft::detail::Level
struct Level {
    constexpr Level() = default;
    constexpr Level(const Level&) = default;
    constexpr const Level& operator=(const Level&) const { return *this; }
    constexpr const Level& operator=(Urgency) const { return *this; }
    static constexpr uint32_t number() { return 0; }
    static constexpr bool is_urgent() { return false; }
    static constexpr bool is_known() { return true; }
};
#endif

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
