// SPDX-License-Identifier: MIT OR Apache-2.0
// Stress tests: the one who ends the run when a program makes no progress any more.
#pragma once

#include <stdint.h>

#include <thread>

#include <weft/weft.hpp>

namespace stress {

// How a round is repeated, as a comment line.
void say_how_to_repeat(const char* test, uint32_t seed, uint32_t round);

// Lives as long as one test. No test fails because it is slow: a program that has come to a standstill is told by its
// own counters. A standstill is
// - a million victims looked at by the cores of the pools that watched() names, and meanwhile no task begun; or
// - a thousand looks of the watcher, who sleeps between them, and nothing at all was counted.
class Watch {
public:
    Watch(const char* test, uint32_t seed);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // The program of this round is about to begin.
    void begin_round(uint32_t round);
    // Its pools; in memory that stays. nullptr: none any more.
    void watched(weft::Scheduler* first, weft::Scheduler* second);
    // Something has been done: a task, a step of core 0. Any core, any context.
    static void progress();

private:
    void look();
    uint32_t victims_looked_at() const;

    const char* const test_;
    const uint32_t seed_;
    weft::Atomic<uint32_t> round_{};
    weft::Atomic<weft::Scheduler*> pools_[2];
    weft::Atomic<uint32_t> over_{};
    std::thread thread_;
};

}  // namespace stress
