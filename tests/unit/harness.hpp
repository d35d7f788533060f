// SPDX-License-Identifier: MIT OR Apache-2.0
// For the unit tests, which show the parts of a pool by themselves, on the host.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <vector>

#include <weft/weft.hpp>

#include "random.hpp"
#include "panics.hpp"
#include "tap.hpp"
#include "wait.hpp"

namespace unit {

using weft::acq_rel;
using weft::acquire;
using weft::Atomic;
using weft::Batch;
using weft::Job;
using weft::Pool;
using weft::relaxed;
using weft::release;
using weft::Status;
using weft::Task;
using weft::detail::Ring;
using weft::detail::TaskStack;

// A task that only queues look at, with the number of times that somebody has got it.
struct Item : Task {
    constexpr Item() : Task(&Item::run) {}
    static void run(Task&) {}
    Atomic<uint32_t> taken{};
};

// A task that counts how often it has run.
struct Count : weft::TaskOf<Count> {
    void run() { ++runs; }
    uint32_t runs = 0;
};

// In checked builds a link counts as queued from the moment that somebody claims it.
inline void claim(Task& task) { CHECK(weft::detail::link(&task).claim()); }
inline void unclaim(Task& task) { weft::detail::link(&task).unclaim(); }

using tap::panics;

}  // namespace unit
