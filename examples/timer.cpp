// SPDX-License-Identifier: MIT OR Apache-2.0
// Time without a core that waits: a reading every two milliseconds, and a watchdog that a late reading would not
// restart in time. Both are timers; between two readings every core sleeps. Timers are a setting, so the line has one
// word more than those of the other examples:
//
//     g++ -std=c++17 -pthread -DWEFT_TIMERS=1 -Iinclude -Iport -Iport/host examples/timer.cpp src/*.cpp
//         port/host/*.cpp -o timer && ./timer
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t readings = 50;

WEFT_CONSTINIT weft::Pool<4> pool{};

// The pool ends: with all readings, or because none came for half a minute.
struct Watchdog : weft::TaskOf<Watchdog> {
    void run() {
        barked = true;
        pool.shutdown();
    }
    bool barked = false;
} watchdog;
weft::Timer silence{pool, watchdog};

struct Reading : weft::TaskOf<Reading> {
    void run();
    uint32_t count = 0;
} reading;
weft::Timer every_two_ms{pool, reading};

void Reading::run() {
    (void)silence.start_after(weft::milliseconds(30000));  // in place of the start before
    if (++count != readings) return;
    (void)every_two_ms.cancel();  // too_late for this run, which is the last one
    pool.shutdown();
}

int main() {
    if (every_two_ms.start_every(weft::milliseconds(2)) != weft::Status::ok) return 1;
    (void)pool.run();
    (void)pool.join();
    // The watchdog is still armed: an armed timer does not keep its pool. From here on it may end.
    const bool was_armed = silence.cancel() == weft::CancelResult::cancelled;
    print("readings", reading.count);
    print("left out", every_two_ms.missed());
    return reading.count == readings && was_armed && !watchdog.barked ? 0 : 1;
}
