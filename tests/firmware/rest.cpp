// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: a pool that comes to rest, on all cores and with interrupts.
#include "harness.hpp"

#if WEFT_REST

namespace firmware {
namespace {

Pool* pool;

// Core 0 is no worker: it works meanwhile, or sleeps.
void N5_core_0_waits_until_all_has_run() {
    pool = &new_pool();
    start_workers(*pool);
    forget_runs();
    constexpr uint32_t tasks = 2 * ring;  // more than fit into a ring
    for (uint32_t round = 1; round <= rounds(50); ++round) {
        if (round % 8 == 0) await_rest(*pool);
        if (round % 2 == 0) {
            submit_counted(*pool, tasks);
        } else {
            submit_counted_batch(*pool, tasks);
        }
        Guard guard("a pool at rest");
        CHECK_EQ(pool->wait_idle(), Status::ok);
        check_runs(tasks, round);
        for (uint32_t i = 0; i != tasks; ++i) CHECK_EQ(counted[i].result.get(), round);
    }
    end(*pool);
}

// A task hands on to the next core, so that always one works and the others sleep.
struct Round : weft::TaskOf<Round> {
    void run() {
        if (steps.get() == 0) return;
        steps.set(steps.get() - 1);
        uint32_t next = weft::this_core();
        do next = (next + 1) % cores;
        while (!is_present(next));
        CHECK_EQ(pool->submit_on(next, *this), Status::ok);
    }
    Plain<uint32_t> steps{};
} round_task;

void N5_a_task_goes_round_until_it_rests() {
    pool = &new_pool();
    start_workers(*pool);
    for (uint32_t round = 0; round != rounds(50); ++round) {
        Guard guard("a pool at rest");
        // Core 0 is not here before it waits: to pin to it, it names itself.
        round_task.steps.set(3 * present());
        CHECK_EQ(pool->submit_on(0, round_task), Status::ok);
        CHECK_EQ(pool->wait_idle(), Status::ok);
        CHECK_EQ(round_task.steps.get(), 0);
    }
    end(*pool);
}

// The image's function: each time that all sleep, by one core at a time.
Atomic<uint32_t> runs_at_sleep, inside;

void count_asleep(void*) {
    CHECK_EQ(inside.fetch_add(1, acq_rel), 0);
    runs_at_sleep.store(counted_runs.load(relaxed),
                        release);  // what the tasks did is seen here, and by core 0 then
    inside.fetch_sub(1, acq_rel);
}

void N5_the_last_core_tells() {
    if (present() == 1) return tap::skip("not on this board: core 0, which tests, is the only one");
    pool = &new_pool();
    CHECK_EQ(pool->on_all_asleep(count_asleep, nullptr), Status::ok);
    start_workers(*pool);
    CHECK_EQ(pool->on_all_asleep(count_asleep, nullptr), Status::wrong_context);
    forget_runs();
    for (uint32_t round = 1; round <= rounds(50); ++round) {
        submit_counted(*pool, 3);
        await([round] { return runs_at_sleep.load(acquire) == 3 * round; },
              "the call for the sleep of all cores, behind the tasks");
    }
    end(*pool);
}

// An interrupt submits while core 0 waits, at any instruction of its way. With that rate of interrupts it is idle now
// and then.
Counted by_interrupt;
Atomic<uint32_t> is_out;

void submit_in_interrupt() {
    if (is_out.exchange(1, relaxed) == 0) CHECK_EQ(pool->submit_from_isr(by_interrupt), Status::ok);
}

void N5_interrupts_submit_meanwhile() {
    pool = &new_pool();
    start_workers(*pool);
    is_out.store(0, relaxed);
    const uint32_t before = by_interrupt.runs.load(relaxed);
    board::start_timer(2000, submit_in_interrupt);
    for (uint32_t round = 1; round <= rounds(100); ++round) {
        CHECK_EQ(pool->wait_idle(), Status::ok);
        // It has run if it was queued before the wait; it may be queued again only here.
        if (is_out.load(relaxed) != 0) {
            CHECK_EQ(pool->wait_idle(), Status::ok);
            CHECK_EQ(by_interrupt.runs.load(acquire), by_interrupt.result.get());
            is_out.store(0, relaxed);
        }
    }
    board::stop_timer();
    CHECK_EQ(pool->wait_idle(), Status::ok);
    if (is_out.load(relaxed) != 0) CHECK(by_interrupt.runs.load(relaxed) != before);
    end(*pool);
}

constexpr tap::Test tests[] = {
    TEST(N5_core_0_waits_until_all_has_run),
    TEST(N5_a_task_goes_round_until_it_rests),
    TEST(N5_the_last_core_tells),
    TEST(N5_interrupts_submit_meanwhile),
};

}  // namespace

extern const tap::Tests rest_tests{tests};

}  // namespace firmware

#endif
