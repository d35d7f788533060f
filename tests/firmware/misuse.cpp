// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: what a pool answers to mistakes. Where it needs a checked build, it is in the second half.
#include "harness.hpp"

namespace firmware {
namespace {

using OnePool = weft::Pool<1, ring>;
Room<OnePool> one_room;

// A task that submits itself, in one of the three ways, until it has run often enough.
struct Again : Task {
    constexpr Again() : Task(&Again::run) {}
    static void run(Task& self) {
        Again& task = static_cast<Again&>(self);
        const uint32_t turn = task.runs.load(relaxed) + 1;
        if (turn != wanted) {
            Batch batch;
            switch (turn % 3) {
                case 0: CHECK_EQ(task.pool->submit(task), Status::ok); break;
                case 1: CHECK_EQ(task.pool->submit_on(Port::core_id(), task), Status::ok); break;
                default:
                    CHECK_EQ(batch.push(task), Status::ok);
                    CHECK_EQ(task.pool->submit(batch), Status::ok);
            }
        }
        task.runs.store(turn, release);
    }
    static constexpr uint32_t wanted = 200;
    Scheduler* pool = nullptr;
    Atomic<uint32_t> runs{};
};

// Another core may run it again before this run has ended, so it counts last and for itself alone: in a pool
// of one.
void E4_resubmit_from_its_own_run() {
    Scheduler& pool = one_room.build();
    static Again again;
    again.pool = &pool;
    CHECK_EQ(pool.submit(again), Status::ok);
    CHECK_EQ(pool.poll(2 * Again::wanted).tasks, Again::wanted);
    CHECK_EQ(again.runs.load(acquire), Again::wanted);
    end(pool);
}

void E5_unknown_core() {
    Pool& pool = new_pool();
    constexpr uint32_t unknown[] = {cores, cores + 1, 24, 31, 32, 255, UINT32_MAX};
    for (const uint32_t core : unknown) {
        if (core < cores) continue;
        CHECK_EQ(pool.submit_on(core, counted[0]), Status::unknown_core);
        CHECK_EQ(pool.stats(core).executed, 0);
    }
    CHECK_EQ(pool.live_cores(), 0);
    end(pool);
}

void E5_nested_calls() {
    Pool& pool = new_pool();
    Job nested([&] {
        CHECK_EQ(pool.run(), Status::wrong_context);
        CHECK_EQ(pool.poll(1).status, Status::wrong_context);
        CHECK_EQ(pool.poll(1).tasks, 0);
        CHECK_EQ(pool.join(), Status::wrong_context);
        pool.shutdown();
        CHECK_EQ(pool.run(), Status::wrong_context);
        CHECK_EQ(pool.join(), Status::wrong_context);
    });
    CHECK_EQ(pool.submit(nested), Status::ok);
    run(pool);
    end(pool);
}

#if WEFT_CHECKS

// Every way in refuses the task with this answer; it does not matter which core is named.
void check_refused(Scheduler& pool, Task* task, Status answer) {
    CHECK_EQ(pool.submit(*task), answer);
    CHECK_EQ(pool.submit_from_isr(*task), answer);
    CHECK_EQ(pool.submit_on(0, *task), answer);
    Batch batch;
    CHECK_EQ(batch.push(*task), answer);
    CHECK(batch.empty());
}

[[maybe_unused]] Task* address(uintptr_t value) { return reinterpret_cast<Task*>(value); }

// ---- E4_two_cores_submit_one_task: core 1 is a worker of another pool and submits when core 0 does.

struct Rival : Task {
    constexpr Rival() : Task(&Rival::run) {}
    static void run(Task& self) {
        Rival& rival = static_cast<Rival&>(self);
        for (uint32_t round = 1; round <= last_round; ++round) {
            await([&] { return rival.round.load(acquire) == round; }, "the next round of two rivals");
            rival.ok = rival.pool->submit(counted[0]) == Status::ok;
            rival.answered.store(round, release);
        }
    }
    static constexpr uint32_t last_round = rounds(500);
    Scheduler* pool = nullptr;
    Atomic<uint32_t> round{};
    Atomic<uint32_t> answered{};
    bool ok = false;  // with `answered`
};
Rival rival;

// ---- E5_calls_in_isr

Scheduler* interrupted;
Atomic<uint32_t> interrupts;

void call_in_interrupt() {
    if (!Port::in_isr()) {  // this port cannot tell
        interrupts.fetch_add(1, release);
        return;
    }
    Scheduler& pool = *interrupted;
    Batch batch;
    CHECK_EQ(batch.push(counted[0]), Status::ok);
    CHECK_EQ(pool.submit(batch), Status::wrong_context);
    CHECK_EQ(batch.pop(), &counted[0]);
    CHECK_EQ(pool.submit(counted[0]), Status::wrong_context);
    CHECK_EQ(pool.submit_on(0, counted[0]), Status::wrong_context);
    CHECK_EQ(pool.run(), Status::wrong_context);
    CHECK_EQ(pool.poll(1).status, Status::wrong_context);
    CHECK_EQ(pool.poll(1).tasks, 0);
    CHECK_EQ(pool.join(), Status::wrong_context);
    interrupts.fetch_add(1, release);
}

void E4_queued_twice() {
    Scheduler& pool = one_room.build();
    forget_runs();
    Counted& task = counted[0];
    const auto check_queued = [&] { check_refused(pool, &task, Status::already_queued); };
    CHECK_EQ(pool.submit(task), Status::ok);
    check_queued();
    CHECK_EQ(pool.poll(9).tasks, 1);
    CHECK_EQ(pool.submit_from_isr(task), Status::ok);
    check_queued();
    CHECK_EQ(pool.poll(9).tasks, 1);
    CHECK_EQ(pool.submit_on(0, task), Status::ok);
    check_queued();
    CHECK_EQ(pool.poll(9).tasks, 1);
    // In the ring, and in the overflow of a full ring.
    Job push([&] {
        submit_counted(pool, 3 * ring);
        for (uint32_t i = 0; i < 3 * ring; ++i) check_refused(pool, &counted[i], Status::already_queued);
    });
    CHECK_EQ(pool.submit(push), Status::ok);
    CHECK_EQ(pool.poll(9 * ring).tasks, 3 * ring + 1);
    CHECK_EQ(task.runs.load(acquire), 4);
    end(pool);
    for (uint32_t i = 1; i < 3 * ring; ++i) CHECK_EQ(counted[i].runs.load(relaxed), 1);
}

void E4_queued_in_a_batch() {
    Scheduler& pool = one_room.build();
    forget_runs();
    Batch batch;
    Batch other;
    for (uint32_t i = 0; i < 3; ++i) CHECK_EQ(batch.push(counted[i]), Status::ok);
    for (uint32_t i = 0; i < 3; ++i) {
        CHECK_EQ(batch.push(counted[i]), Status::already_queued);
        CHECK_EQ(other.push(counted[i]), Status::already_queued);
        CHECK_EQ(pool.submit(counted[i]), Status::already_queued);
    }
    CHECK_EQ(batch.size(), 3);
    CHECK_EQ(batch.pop(), &counted[0]);
    CHECK_EQ(other.push(counted[0]), Status::ok);
    CHECK_EQ(pool.submit(batch), Status::ok);
    CHECK_EQ(pool.submit(other), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 3);
    check_runs(3, 1);
    end(pool);
}

void E4_two_cores_submit_one_task() {
    if (cores < 2 || !is_present(1)) return tap::skip("not on this board: a second core");
    Pool& driver = new_pool();
    Scheduler& pool = one_room.build();
    forget_runs();
    rival.pool = &pool;
    CHECK_EQ(driver.submit_on(1, rival), Status::ok);
    uint32_t wrong = 0;
    for (uint32_t round = 1; round <= Rival::last_round; ++round) {
        rival.round.store(round, release);
        for (uint32_t i = 0; i < round % 50; ++i) Port::relax();
        const bool ok = pool.submit(counted[0]) == Status::ok;
        await([=] { return rival.answered.load(acquire) == round; }, "the other one of two rivals");
        const uint32_t accepted = (ok ? 1 : 0) + (rival.ok ? 1 : 0);
        if (accepted != 1 || pool.poll(9).tasks != 1) ++wrong;
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(counted[0].runs.load(acquire), Rival::last_round);
    end(pool);
    end(driver);
}

void E5_bad_tasks() {
    Pool& pool = new_pool();
    forget_runs();
    static Task no_run(nullptr);
    check_refused(pool, &no_run, Status::null_run);
#if !defined(__SANITIZE_ADDRESS__)  // that build's own checks would see it first
    const uintptr_t good = reinterpret_cast<uintptr_t>(&counted[0]);
    for (uintptr_t i = 1; i < alignof(Task); ++i) {
        check_refused(pool, address(good + i), Status::misaligned_task);
    }
#endif
    CHECK_EQ(pool.live_cores(), 0);
    // No harm was done to the task that they pointed into, nor to the pool.
    CHECK_EQ(pool.submit(counted[0]), Status::ok);
    work_until(
        pool, [] { return counted_runs.load(acquire) == 1; }, "a good task after bad ones");
    end(pool);
    check_runs(1, 1);
}

void E5_calls_in_isr() {
    Pool& pool = new_pool();
    forget_runs();
    interrupted = &pool;
    interrupts.store(0, relaxed);
    board::start_timer(1000, call_in_interrupt);
    await([] { return interrupts.load(acquire) >= 3; }, "interrupts");
    board::stop_timer();
    CHECK_EQ(pool.live_cores(), 0);
    CHECK_EQ(pool.submit(counted[0]), Status::ok);
    work_until(
        pool, [] { return counted_runs.load(acquire) == 1; }, "a task after calls that were refused");
    end(pool);
}

#endif

constexpr tap::Test tests[] = {
    TEST(E4_resubmit_from_its_own_run),
    TEST(E5_unknown_core),
    TEST(E5_nested_calls),
#if WEFT_CHECKS
    TEST(E4_queued_twice),
    TEST(E4_queued_in_a_batch),
    TEST(E4_two_cores_submit_one_task),
    TEST(E5_bad_tasks),
    TEST(E5_calls_in_isr),
#endif
};

}  // namespace

extern const tap::Tests misuse_tests{tests};

}  // namespace firmware
