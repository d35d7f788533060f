// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Gate. Its word says how many are missing, and whether the follower is on its way:
//
//     n missing --arrive(k), k < n--> n - k missing --arrive, the last one--> all missing again, queued
//     queued --the follower starts--> not queued
//
// The gate is queued in the pool as a task itself, and runs the follower: so it knows that it has started.
#include <weft/gate.hpp>

#include "internal.hpp"

namespace weft {
inline namespace WEFT_ABI {

Status Gate::arrive(uint32_t by, detail::From from) {
    check_constructed();
    const Status status = check(from, *follower_);
    if (status != Status::ok) return status;
    uint32_t seen = word_.load(relaxed);  // relaxed: a guess; the exchange decides
    bool last = false;
    do {
        const uint32_t missing = seen & ~queued;
        last = missing == by;
        if (by - 1 >= missing || (last && seen != missing))
            return Status::not_expected;  // none, too many, too early
        if (last && is_closing()) return Status::closed;
        // [G1] what was written before the arrivals, for the follower; each step hands on what it has seen. [G2] the
        // follower has left its queue. relaxed on failure: only compared again.
    } while (!word_.compare_exchange(seen, last ? arrivals_ | queued : seen - by, acq_rel, relaxed));
    // closed: the pool has ended; the gate stays shut
    return !last || hand_in(*this, 1, from) ? Status::ok : Status::closed;
}

void Gate::open(Task& self) {
    Gate& gate = static_cast<Gate&>(self);
    Task& follower = *gate.follower_;
    gate.word_.fetch_and(~queued, release);  // [G2] out of its queue
    WEFT_TRACE_EVENT(inner, detail::function_of(follower), 0);
    detail::TaskAccess::run(follower)(follower);
}

}  // namespace WEFT_ABI
}  // namespace weft
