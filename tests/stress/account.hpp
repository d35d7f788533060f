// SPDX-License-Identifier: MIT OR Apache-2.0
// Stress tests: tasks that keep account. Every accepted submit is one run or one hand-back.
#pragma once

#include <stdint.h>

#include <weft/weft.hpp>

#include "random.hpp"
#include "tap.hpp"

namespace stress {

using weft::acq_rel;
using weft::acquire;
using weft::Atomic;
using weft::Batch;
using weft::Port;
using weft::relaxed;
using weft::release;
using weft::Scheduler;
using weft::Shutdown;
using weft::Status;
using weft::Task;

inline constexpr uint32_t nowhere = UINT32_MAX;

// Whoever gets a free actor may submit it; its run, or the hand-back, frees it again.
struct Actor : Task {
    constexpr Actor() : Task(&Actor::run) {}
    static void run(Task& self);

    bool get() {  // from any context
        uint32_t seen = 0;
        while (!busy.compare_exchange(seen, 1, acquire, relaxed)) {
            if (seen != 0) return false;
        }
        pinned_to = nowhere;
        return true;
    }
    void put_back() { busy.store(0, release); }

    Atomic<uint32_t> busy{};
    Atomic<uint32_t> running{};
    Atomic<uint32_t> accepted{};
    Atomic<uint32_t> runs{};
    Atomic<uint32_t> returned{};
    uint32_t pinned_to = nowhere;  // the one who has the actor
    uint32_t number = 0;
};

inline constexpr uint32_t most_actors = 400;
extern Actor actors[most_actors];

// The round as all see it; written while nobody works.
struct Round {
    uint32_t seed;
    uint32_t actor_count;
    Scheduler* pools[2];
    uint32_t pool_count;
    uint32_t resubmits;  // per mille of the runs
    uint32_t children;   // per mille
    uint32_t longest;    // turns that a run takes at most
    uint32_t closer;     // the actor that shuts the first pool down, or nowhere
    Shutdown closer_mode;
};
extern Round round_;

// One submit of each kind, with whatever actors are free. False: the pool has closed.
bool submit_one(Scheduler& pool, tap::Random& random);
bool submit_batch(Scheduler& pool, tap::Random& random);
bool submit_pinned(Scheduler& pool, tap::Random& random);
bool submit_any(tap::Random& random);
void submit_in_interrupt();

// The tasks of the batch are the caller's again.
void take_back(Batch& batch);

// They go to another pool.
void pass_on(Batch& batch, Scheduler& pool);

// When nobody works any more.
void check_account();
uint32_t all_runs();

}  // namespace stress
