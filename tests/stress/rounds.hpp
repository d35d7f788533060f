// SPDX-License-Identifier: MIT OR Apache-2.0
// Stress tests: what all of them share: rounds until the time is over, and rounds that are waves on a pool.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <new>

#include <weft/weft.hpp>

#include "random.hpp"
#include "tap.hpp"
#include "wait.hpp"
#include "watch.hpp"

namespace stress {

inline void dawdle(tap::Random& random, uint32_t turns) {
    for (uint32_t left = random.below(turns + 1); left != 0; --left) weft::Port::relax();
}

// Calls one(seed of the round, watch) for this many milliseconds. Where a round fails, or does not come to its end, the
// command that repeats it is printed; it has `round=`. Returns how many there were.
template <class One>
uint32_t run_rounds(const char* test, uint32_t seed, uint32_t milliseconds, One one) {
    constexpr uint32_t all = UINT32_MAX;
    const uint32_t only = tap::option("round", all);
    tap::note("seed=", seed);
    Watch watch(test, seed);
    tap::Stopwatch stopwatch;
    uint32_t number = 0;
    for (; stopwatch.elapsed_ms() < milliseconds && !tap::failed(); ++number) {
        const uint32_t round = only != all ? only : number;
        watch.begin_round(round);
        one(seed * 0x9e3779b9u + round, watch);
        if (tap::failed()) say_how_to_repeat(test, seed, round);
    }
    return number;
}

// A pool where the one before it was.
template <uint32_t cores, uint32_t ring>
weft::Scheduler& build(void* memory) {
    return *new (memory) weft::Pool<cores, ring>();
}
struct Shape {
    weft::Scheduler& (*build)(void* memory);
    uint32_t ring;
};
template <uint32_t cores, uint32_t ring>
constexpr Shape shape{build<cores, ring>, ring};
using LargestShape = weft::Pool<8, 8>;

// Rounds that are up to `most` waves, wave(pool, random, ring), on a pool of one of these shapes.
template <size_t count, class Wave>
void run_rounds_of_waves(const char* test, uint32_t seed, uint32_t milliseconds, const Shape (&shapes)[count],
                         uint32_t most, Wave wave) {
    alignas(LargestShape) static unsigned char memory[sizeof(LargestShape)];
    uint32_t waves = 0;
    const uint32_t rounds = run_rounds(test, seed, milliseconds, [&](uint32_t seed_of_round, Watch& watch) {
        tap::Random random(seed_of_round);
        const Shape& chosen = shapes[random.below(count)];
        weft::Scheduler& pool = chosen.build(memory);
        watch.watched(&pool, nullptr);
        for (uint32_t left = 1 + random.below(most); left != 0; --left, ++waves)
            wave(pool, random, chosen.ring);
        pool.shutdown();
        CHECK_EQ(pool.join(), weft::Status::ok);
        watch.watched(nullptr, nullptr);
    });
    tap::note(rounds, " rounds, ", waves, " waves");
}

}  // namespace stress
