// SPDX-License-Identifier: MIT OR Apache-2.0
// For the conformance test: the cores that are really there, work for them, and somebody who watches while
// they sleep.
#pragma once

#include <stdint.h>

#include <weft/port.hpp>

#include "board.hpp"
#include "random.hpp"
#include "tap.hpp"
#include "wait.hpp"

namespace conformance {

using weft::acq_rel;
using weft::acquire;
using weft::Atomic;
using weft::Plain;
using weft::Port;
using weft::Published;
using weft::relaxed;
using weft::release;

inline constexpr uint32_t max_crew = BOARD_CORES;

// ---- The crew. Found out by the first call: every configured core is started once, and those that do not
// come are left out from then on (with a diagnostic): a board may have fewer cores than its image is built
// for.

uint32_t crew();                  // how many; at least 1
uint32_t member(uint32_t index);  // the core with this place; member(0) is core 0, which runs the tests

// start_core(), again and again while it is refused. False: the core is absent.
bool start_entry(uint32_t core, void (*entry)(void*), void* arg);

using Body = void (*)(uint32_t core);
void start(uint32_t core, Body body);      // runs body(core) there
bool busy(uint32_t core);                  // its body has not returned yet
void join(const char* what);               // waits until no core is busy; `what` tells what they are at
void on_all(const char* what, Body body);  // runs body on the whole crew, core 0 included
void gather();                             // in the body of on_all(): waits until all are here

// body on one core, while another one (or the timer) watches that it comes to an end.
void on_one(uint32_t core, const char* what, Body body);

// Two bodies at once; one of the cores must be core 0.
void on_two(uint32_t first, Body first_body, uint32_t second, Body second_body, const char* what);

// ---- Rounds: `wanted` of them, or as many as there is time for (slow emulators), at least one.

class Rounds {
public:
    explicit Rounds(uint32_t wanted, uint32_t limit_ms = tap::option("ms", 300))
        : wanted_(wanted), limit_ms_(limit_ms) {
        stopwatch_.restart();
    }
    bool next() {
        if (done_ == wanted_ || (done_ != 0 && stopwatch_.elapsed_ms() >= limit_ms_)) return false;
        ++done_;
        return true;
    }
    uint32_t done() const { return done_; }

private:
    uint32_t wanted_;
    uint32_t limit_ms_;
    uint32_t done_ = 0;
    tap::Stopwatch stopwatch_;
};

// A word of its own cache line.
struct alignas(Port::cache_line) Lone {
    Atomic<uint32_t> word;
};

// Spins for up to `turns` turns, to be anywhere when something happens.
inline void dawdle(tap::Random& random, uint32_t turns) {
    for (uint32_t left = random.below(turns + 1); left != 0; --left) Port::relax();
}

// The same in steps of a few cycles: a turn of relax() can be longer than the moment that is to be hit.
inline void hesitate(uint32_t steps) {
    for (volatile uint32_t left = steps; left != 0; left = left - 1) {
    }
}

// On a host the threads of two cores that wake each other share a processor at first, and then never meet.
// The kernel takes them apart when both work for a while.
void work_for_a_while();

// ---- Watch: ends the run with a message where cores that may all sleep make no progress. A core that is not
// `first` or `second` watches; where there is none, a slow timer of core 0. (It wakes core 0 once a second,
// and with that may hide an event that was lost there: tests that must see that have one side that does not
// sleep.) With By::core and no such core nobody watches. Made and destroyed by core 0.

class Watch {
public:
    enum class By { core_or_timer, core, timer };
    Watch(const char* what, uint32_t first, uint32_t second, By by = By::core_or_timer);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    static void feed();  // progress; from any core

private:
    static void watch(uint32_t core);
    static void look();

    uint32_t watcher_;
    bool timer_runs_ = false;
};

}  // namespace conformance
