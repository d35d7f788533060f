// SPDX-License-Identifier: MIT OR Apache-2.0
// For tests: waiting that ends. No result of a test depends on how long something takes; a wait only fails
// where nothing happens for so long that nothing ever will.
#pragma once

#include <stdint.h>

#include <weft/port.hpp>

#include "tap.hpp"

namespace tap {

inline constexpr uint32_t patience_ms = 10000;

// Counts milliseconds of the port's clock, from restart() or else from the first look, for as long as
// somebody looks at least once per turn of that clock.
class Stopwatch {
public:
    void restart() {
        runs_ = true;
        counted_ = weft::Port::now();
        last_read_ = counted_;
        same_ = 0;
        elapsed_ms_ = 0;
    }

    uint32_t elapsed_ms() {
        if (!runs_) restart();
        const uint32_t now = weft::Port::now();
        if (now == last_read_) {
            if (++same_ > patience_looks) elapsed_ms_ = UINT32_MAX;
            return elapsed_ms_;
        }
        last_read_ = now;
        same_ = 0;
        const uint32_t per_ms = weft::Port::ticks_per_ms();
        const uint32_t whole = (now - counted_) / per_ms;
        counted_ += whole * per_ms;
        elapsed_ms_ += whole;
        return elapsed_ms_;
    }

private:
    // A clock that shows the same for this many looks is broken, or it stopped with what we wait for.
    static constexpr uint32_t patience_looks = 1u << 24;

    bool runs_ = false;
    uint32_t counted_ = 0;  // elapsed_ms_ is up to here
    uint32_t last_read_ = 0;
    uint32_t same_ = 0;
    uint32_t elapsed_ms_ = 0;
};

// Waits until condition() holds. False: it did not for patience_ms.
template <class Condition>
bool eventually(Condition condition) {
    Stopwatch stopwatch;
    while (!condition()) {
        if (stopwatch.elapsed_ms() >= patience_ms) return condition();
        weft::Port::relax();
    }
    return true;
}

// The same where the test cannot go on without it; `what` completes "waited in vain for ...".
template <class Condition>
void wait_for(Condition condition, const char* what) {
    if (eventually(condition)) return;
    note("core ", weft::Port::core_id(), " waited in vain for: ", what);
    bail_out(what);
}

}  // namespace tap
