// SPDX-License-Identifier: MIT OR Apache-2.0
// Delays on the host: see delays.hpp. Everything here may run in a signal handler, too.
#include <sched.h>
#include <sys/prctl.h>
#include <time.h>

#include "weft_port.hpp"

namespace weft {
namespace host {
namespace {

using Undelayed = generic::BuiltinWords::Atomic<uint32_t>;  // not one that is delayed itself

struct Kinds {
    Undelayed spins, yields, sleeps, hot_sleeps, epochs;
};
Kinds done;

// The character of this epoch; written by the one that begins it. relaxed everywhere: it protects nothing.
Undelayed seed;              // 0: no delays
Undelayed epoch_ends;        // now()
Undelayed hot_one_in;        // of the passes of a hot site is held up
Undelayed hot_us;            // and for how long at most
Undelayed accesses_between;  // random delays, on average
constexpr uint32_t quiet = 1u << 16;

thread_local uint32_t random_state = 0;

uint32_t mix(uint32_t x) {  // the finisher of MurmurHash3 (Appleby)
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return x ^ (x >> 16);
}

uint32_t random_number() {  // xorshift32 (Marsaglia 2003)
    uint32_t x = random_state;
    if (x == 0) {
        prctl(PR_SET_TIMERSLACK, 1000);  // else the kernel makes 50 us of the shortest sleep
        x = mix(seed.load(Order::relaxed) * 256 + this_core) | 1;  // its number, if it has one
    }
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return random_state = x;
}
uint32_t below(uint32_t limit) { return random_number() % limit; }

void sleep_us(uint32_t us) {
    timespec left = {};
    left.tv_nsec = static_cast<long>(us) * 1000;
    nanosleep(&left, nullptr);  // a signal may end it
}

// The numbers of an epoch follow from the seed and its own number alone.
void begin_epoch(uint32_t number) {
    const uint32_t of_all = seed.load(Order::relaxed);
    if (of_all == 0) return;
    uint32_t x = mix(of_all + mix(number));
    const auto pick = [&x](uint32_t limit) {
        x = mix(x + 0x9e3779b9u);
        return x % limit;
    };
    accesses_between.store(pick(4) == 0 ? quiet : 16u << pick(7), Order::relaxed);
    hot_one_in.store(1u << pick(6), Order::relaxed);
    hot_us.store(20u << pick(7), Order::relaxed);
    delays.share.store(pick(4) == 0 ? 1 : UINT32_MAX / (16u << pick(4)), Order::relaxed);
    delays.epoch.store(mix(x), Order::relaxed);
    epoch_ends.store(Port::now() + 2000 + pick(20000), Order::relaxed);
}

void look_at_epoch() {
    if (static_cast<int32_t>(Port::now() - epoch_ends.load(Order::relaxed)) < 0) return;
    // Who else sees it now, sees an end that is far: it is not needed that only one begins it.
    epoch_ends.store(Port::now() + 1000000, Order::relaxed);
    begin_epoch(done.epochs.fetch_add(1, Order::relaxed) + 1);
}

void random_delay() {
    const uint32_t kind = below(256);
    if (kind < 200) {
        done.spins.fetch_add(1, Order::relaxed);
        for (uint32_t left = 1u << below(9); left != 0; --left) pause();
    } else if (kind < 250) {
        done.yields.fetch_add(1, Order::relaxed);
        sched_yield();
    } else {
        done.sleeps.fetch_add(1, Order::relaxed);
        sleep_us(below(8) == 0 ? 50 + below(3000) : 1 + below(200));
    }
}

}  // namespace

void delay_now(bool hot) {
    if (seed.load(Order::relaxed) == 0) {
        accesses_left = UINT32_MAX;
        return;
    }
    const bool due = accesses_left == 0;
    if (due || accesses_left > 2 * quiet) {
        const uint32_t between = accesses_between.load(Order::relaxed);
        accesses_left = 1 + below(2 * between < 4096 ? 2 * between : 4096);
        look_at_epoch();
        if (due && between != quiet) random_delay();
    }
    if (hot && below(hot_one_in.load(Order::relaxed)) == 0) {
        done.hot_sleeps.fetch_add(1, Order::relaxed);
        sleep_us(1 + below(hot_us.load(Order::relaxed)));
        look_at_epoch();
    }
}

void seed_delays(uint32_t value) {
    seed.store(value, Order::relaxed);
    delays.share.store(0, Order::relaxed);
    begin_epoch(0);
    accesses_left = 1;
}

DelayCounts delay_counts() {
    const auto of = [](Undelayed& word) { return word.load(Order::relaxed); };
    return {of(done.spins), of(done.yields), of(done.sleeps), of(done.hot_sleeps), of(done.epochs)};
}

}  // namespace host
}  // namespace weft
