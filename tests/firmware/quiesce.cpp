// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: all other cores stand, busy or asleep.
#include "harness.hpp"

#if WEFT_QUIESCE

namespace firmware {
namespace {

// While core 0 is the owner, no task begins and none goes on.
void N18_no_task_runs_meanwhile() {
    Pool& pool = new_pool();
    start_workers(pool);
    forget_runs();
    const uint32_t second = 1000 * Port::ticks_per_ms();
    for (uint32_t round = 1; round <= rounds(50); ++round) {
        submit_counted(pool, ring);
        if (round % 2 == 0) await_rest(pool);
        CHECK_EQ(pool.quiesce(10 * second), Status::ok);
        const uint32_t before = counted_runs.load(acquire);
        if (round % 2 == 1) pass_time(1);
        CHECK_EQ(counted_runs.load(acquire), before);
        CHECK_EQ(pool.resume(), Status::ok);
        work_until(
            pool, [round] { return counted_runs.load(acquire) == ring * round; }, "all tasks");
    }
    end(pool);
}

// A task that goes on makes the deadline pass, and all go on.
void N18_a_long_task() {
    if (present() == 1) return tap::skip("not on this board: core 0, which tests, is the only one");
    Pool& pool = new_pool();
    start_workers(pool);
    static Blocker blocker;
    CHECK_EQ(pool.submit(blocker), Status::ok);
    blocker.await_entered();
    CHECK_EQ(pool.quiesce(Port::ticks_per_ms()), Status::timed_out);
    blocker.let_go();
    CHECK_EQ(pool.quiesce(10000 * Port::ticks_per_ms()), Status::ok);
    CHECK_EQ(pool.resume(), Status::ok);
    end(pool);
}

constexpr tap::Test tests[] = {
    TEST(N18_no_task_runs_meanwhile),
    TEST(N18_a_long_task),
};

}  // namespace

extern const tap::Tests quiesce_tests{tests};

}  // namespace firmware

#endif  // WEFT_QUIESCE
