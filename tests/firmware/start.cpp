// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: fewer cores than configured. What the host injects as faults is in faults.cpp.
#include "harness.hpp"

namespace firmware {
namespace {

// With all workers busy, further submits try every core that is off, the missing ones among them.
void Z6_missing_cores() {
    if (present() == cores) return tap::skip("not on this board: missing cores");
    Pool& pool = new_pool();
    start_workers(pool);
    OthersHeld others(pool);
    forget_runs();
    uint32_t submits = 0;
    await(
        [&] {
            if (submits < most_tasks) CHECK_EQ(pool.submit(counted[submits++]), Status::ok);
            pass_time(WEFT_START_DEADLINE_MS / 10);
            return pool.start_failures() >= cores - present();
        },
        "the report that cores are missing");
    CHECK(pool.live_cores() <= cores - 1);  // those that are there and those that may still come
    others.let_go();
    work_until(
        pool, [=] { return counted_runs.load(acquire) == submits; }, "tasks that waited for a missing core");
    check_runs(submits, 1);
    forget_runs();
    submit_counted_batch(pool, most_tasks);
    work_until(
        pool, [] { return counted_runs.load(acquire) == most_tasks; }, "work on the cores that are there");
    check_runs(most_tasks, 1);
    end(pool);
}

constexpr tap::Test tests[] = {
    TEST(Z6_missing_cores),
};

}  // namespace

extern const tap::Tests start_tests{tests};

}  // namespace firmware
