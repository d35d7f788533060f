// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: tasks for one core.
#include "harness.hpp"

namespace firmware {
namespace {

constexpr uint32_t per_core = 20;
static_assert(cores * per_core <= most_tasks, "there are not as many tasks");

Counted& task_of(uint32_t core, uint32_t i) { return counted[core * per_core + i]; }

// Tasks of each core for each core.
Pool* pool;
Counted letters[cores][cores];
Atomic<uint32_t> senders_left;

struct Sender : Task {
    constexpr Sender() : Task(&Sender::run) {}
    static void run(Task&) {
        const uint32_t from = weft::this_core();
        for (uint32_t to = 0; to < cores; ++to) {
            if (is_present(to)) CHECK_EQ(pool->submit_on(to, letters[from][to]), Status::ok);
        }
        if (senders_left.fetch_sub(1, acq_rel) == 1) pool->shutdown();
    }
};
Sender senders[cores];

void E2_runs_only_there() {
    pool = &new_pool();
    forget_runs();
    for (uint32_t i = 0; i < per_core; ++i) {
        for (uint32_t core = 0; core < cores; ++core) {
            if (is_present(core)) CHECK_EQ(pool->submit_on(core, task_of(core, i)), Status::ok);
        }
    }
    await(
        [] {
            static_cast<void>(pool->poll(3));
            return counted_runs.load(acquire) == present() * per_core;
        },
        "pinned tasks");
    end(*pool);
    for (uint32_t core = 0; core < cores; ++core) {
        if (!is_present(core)) continue;
        for (uint32_t i = 0; i < per_core; ++i) {
            CHECK_EQ(task_of(core, i).runs.load(relaxed), 1);
            CHECK_EQ(task_of(core, i).core.load(relaxed), core);
        }
        CHECK_EQ(pool->stats(core).executed, per_core);
    }
}

void E2_pinned_to_itself_before_run() {
    pool = &new_pool();
    forget_runs();
    CHECK_EQ(pool->submit_on(0, counted[0]), Status::ok);
    CHECK_EQ(pool->live_cores(), 0);
    start_workers(*pool);
    await_rest(*pool);
    CHECK_EQ(counted_runs.load(acquire), 0);
    Job stop([] { pool->shutdown(); });
    CHECK_EQ(pool->submit_on(0, stop), Status::ok);
    run(*pool);
    CHECK_EQ(counted_runs.load(acquire), 1);
    CHECK_EQ(counted[0].core.load(relaxed), 0);
    end(*pool);
}

void E2_pinned_from_tasks() {
    pool = &new_pool();
    start_workers(*pool);
    senders_left.store(present(), relaxed);
    // Core 0 takes letters only from run() on, so it hands out the senders there.
    Job hand_out([] {
        for (uint32_t core = 0; core < cores; ++core) {
            if (is_present(core)) CHECK_EQ(pool->submit_on(core, senders[core]), Status::ok);
        }
    });
    CHECK_EQ(pool->submit_on(0, hand_out), Status::ok);
    run(*pool);
    Batch late;
    CHECK_EQ(join(*pool, &late), Status::ok);
    CHECK(late.empty());
    for (uint32_t from = 0; from < cores; ++from) {
        for (uint32_t to = 0; to < cores; ++to) {
            const bool sent = is_present(from) && is_present(to);
            CHECK_EQ(letters[from][to].runs.load(relaxed), sent ? 1 : 0);
            if (sent) CHECK_EQ(letters[from][to].core.load(relaxed), to);
        }
    }
}

// Idle cores must not take it, though it waits and they have nothing to do.
void E2_pinned_waits_for_a_busy_core() {
    if (cores < 2 || !is_present(1)) return tap::skip("not on this board: a second core");
    pool = &new_pool();
    start_workers(*pool);
    forget_runs();
    static Blocker blocker;
    CHECK_EQ(pool->submit_on(1, blocker), Status::ok);
    blocker.await_entered();
    for (uint32_t i = 0; i < ring; ++i) CHECK_EQ(pool->submit_on(1, counted[i]), Status::ok);
    for (uint32_t i = ring; i < 2 * ring; ++i) CHECK_EQ(pool->submit(counted[i]), Status::ok);
    await(
        [] {
            static_cast<void>(pool->poll(1));
            return counted_runs.load(acquire) == ring;
        },
        "the tasks that are not pinned");
    await_rest(*pool);
    for (uint32_t i = 0; i < ring; ++i) CHECK_EQ(counted[i].runs.load(relaxed), 0);
    blocker.let_go();
    await([] { return counted_runs.load(acquire) == 2 * ring; }, "the tasks that wait for their core");
    for (uint32_t i = 0; i < ring; ++i) CHECK_EQ(counted[i].core.load(relaxed), 1);
    end(*pool);
}

void E2_wakes_its_parked_core() {
    pool = &new_pool();
    start_workers(*pool);
    for (uint32_t round = 0; round < rounds(50); ++round) {
        if (round % 10 == 0) await_rest(*pool);
        for (uint32_t core = 1; core < cores; ++core) {
            if (!is_present(core)) continue;
            Counted& task = counted[core];
            const uint32_t before = task.runs.load(acquire);
            CHECK_EQ(pool->submit_on(core, task), Status::ok);
            await([&] { return task.runs.load(acquire) != before; }, "a parked core for a task pinned to it");
            CHECK_EQ(task.core.load(relaxed), core);
        }
    }
    end(*pool);
}

// A core that does not exist is named at once, or keeps the task until join() hands it back.
void E2_absent_core_is_unavailable() {
    if (present() == cores) return tap::skip("not on this board: missing cores");
    pool = &new_pool();
    forget_runs();
    uint32_t accepted = 0;
    for (uint32_t core = 1; core < cores; ++core) {
        if (is_present(core)) continue;
        const Status status = pool->submit_on(core, counted[core]);
        if (status == Status::ok) {
            ++accepted;
            continue;
        }
        CHECK_EQ(status, Status::core_unavailable);
        CHECK_EQ(pool->submit_on(core, counted[core]), Status::core_unavailable);
        CHECK(pool->start_failures() >= 1);
    }
    pool->shutdown();
    Batch left;
    CHECK_EQ(join(*pool, &left), Status::ok);
    CHECK_EQ(pool->live_cores(), 0);
    CHECK_EQ(left.size(), accepted);
    CHECK_EQ(counted_runs.load(relaxed), 0);
    while (left.pop() != nullptr) {
    }
}

constexpr tap::Test tests[] = {
    TEST(E2_runs_only_there),       TEST(E2_pinned_to_itself_before_run),
    TEST(E2_pinned_from_tasks),     TEST(E2_pinned_waits_for_a_busy_core),
    TEST(E2_wakes_its_parked_core), TEST(E2_absent_core_is_unavailable),
};

}  // namespace

extern const tap::Tests pinned_tests{tests};

}  // namespace firmware
