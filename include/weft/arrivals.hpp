// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Arrivals: what coroutines wait for until others have arrived, see weft/coroutine.hpp.
#pragma once

#include <weft/event.hpp>
#include <weft/gate.hpp>

namespace weft {
inline namespace WEFT_ABI {

class CoroutinePromise;

namespace detail {

struct SignalsRound : Task {
    constexpr explicit SignalsRound(Event& event) : Task(&SignalsRound::run), rounds(event) {}
    // Closed: who waits is for take_back().
    static void run(Task& self) { static_cast<void>(static_cast<SignalsRound&>(self).rounds.signal()); }
    Event& rounds;
};

}  // namespace detail

/// A Gate that coroutines wait for: who awaits it goes on when all others have arrived.
///
///     weft::Arrivals both{pool, 2};
///     left_done:  both.arrive();    right_done:  both.arrive_from_isr();
///     weft::Coroutine<void> mix(weft::FrameSource&) { co_await both; ... }    // once per round
///
/// Each round lets one coroutine go, the one that has waited longest. A round that ends before somebody waits is not
/// lost; of several such rounds one is kept. co_await returns as Event::wait().
/// @lifetime That of a Gate and of an Event: not in a frame, best static. A pool that ends forgets who waits:
/// take_back().
class Arrivals {
public:
    /// For coroutines of this pool. `arrivals`: see Gate::Gate().
    /// @context Any context, also at compile time.
    constexpr Arrivals(Scheduler& pool, uint32_t arrivals)
        : rounds_(pool), follower_(rounds_), gate_(pool, follower_, arrivals) {}
    Arrivals(const Arrivals&) = delete;
    Arrivals& operator=(const Arrivals&) = delete;

    /// `by` tasks have arrived.
    /// @context As Gate::arrive().
    /// @return As Gate::arrive().
    Status arrive(uint32_t by = 1) { return gate_.arrive(by); }
    /// The same from an interrupt handler.
    /// @context As Gate::arrive_from_isr().
    /// @return As Gate::arrive_from_isr().
    Status arrive_from_isr(uint32_t by = 1) { return gate_.arrive_from_isr(by); }

    /// Appends the tasks of the coroutines that wait.
    /// @context As Event::take_back().
    void take_back(Batch& left_over) { rounds_.take_back(left_over); }

private:
    friend class CoroutinePromise;

    Event rounds_;  // that have ended
    detail::SignalsRound follower_;
    Gate gate_;
};

}  // namespace WEFT_ABI
}  // namespace weft
