// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: tasks that run whatever becomes of their pool.
#include "harness.hpp"

#if WEFT_MANDATORY

namespace firmware {
namespace {

uint32_t drop(Batch& batch) {
    uint32_t count = 0;
    while (batch.pop() != nullptr) ++count;
    return count;
}

void submit_mandatory(Pool& pool, uint32_t first, uint32_t count) {
    for (uint32_t i = first; i != first + count; ++i) CHECK_EQ(pool.submit_mandatory(counted[i]), Status::ok);
}

// Like any other one before the end: on whatever core, many of them, from outside and from tasks.
void P5_as_others_before_the_end() {
    Pool& pool = new_pool();
    forget_runs();
    static Pool* in_task;
    in_task = &pool;
    static Job more([] { submit_mandatory(*in_task, 2 * ring, 2 * ring); });
    submit_mandatory(pool, 0, 2 * ring);
    CHECK_EQ(pool.submit(more), Status::ok);
    work_until(
        pool, [] { return counted_runs.load(acquire) == 4 * ring; }, "mandatory tasks");
    check_runs(4 * ring, 1);
    end(pool);
}

// Nobody was ever asked to work: the joiner runs all of it, and hands back the rest.
void P5_without_a_worker() {
    for (Shutdown mode : modes) {
        Pool& pool = new_pool();
        forget_runs();
        pool.shutdown(mode);  // so that no core is started
        CHECK_EQ(pool.submit_mandatory(counted[0]), Status::closed);
        CHECK_EQ(pool.submit_mandatory_from_isr(counted[0]), Status::closed);
        Batch left_over;
        CHECK_EQ(join(pool, &left_over), Status::ok);
        CHECK_EQ(drop(left_over), 0);
        CHECK_EQ(counted_runs.load(acquire), 0);
    }
    Pool& pool = new_pool();
    forget_runs();
    // Handlers start no core.
    for (uint32_t i = 0; i != ring; ++i) CHECK_EQ(pool.submit_mandatory_from_isr(counted[i]), Status::ok);
    for (uint32_t i = ring; i != 2 * ring; ++i) CHECK_EQ(pool.submit_from_isr(counted[i]), Status::ok);
    CHECK_EQ(pool.live_cores(), 0);
    pool.shutdown(Shutdown::abandon);
    Batch left_over;
    CHECK_EQ(join(pool, &left_over), Status::ok);
    CHECK_EQ(drop(left_over), ring);
    CHECK_EQ(counted_runs.load(acquire), ring);
    check_runs(ring, 1);
}

// Every worker is busy as the pool is abandoned: whoever is first runs them, and none comes back. What is queued
// otherwise does, the tasks of the rings too.
void P5_beside_busy_workers() {
    for (uint32_t round = 0; round != rounds(50); ++round) {
        Pool& pool = new_pool();
        forget_runs();
        OthersHeld others(pool);
        // The other half stands in this core's ring.
        static Pool* in_task;
        in_task = &pool;
        static Job fill([] {
            for (uint32_t i = ring; i != 2 * ring; ++i) {
                CHECK_EQ(i % 2 == 0 ? in_task->submit(counted[i]) : in_task->submit_mandatory(counted[i]),
                         Status::ok);
            }
        });
        CHECK_EQ(pool.submit_on(0, fill), Status::ok);
        CHECK_EQ(pool.poll(1).tasks, 1);
        for (uint32_t i = 0; i != ring; ++i) {
            CHECK_EQ(i % 2 == 0 ? pool.submit(counted[i]) : pool.submit_mandatory(counted[i]), Status::ok);
        }
        pool.shutdown(Shutdown::abandon);
        if (round % 2 != 0) {
            // They run here, of a poll.
            CHECK_EQ(pool.poll(3).tasks, 3);
            CHECK_EQ(counted_runs.load(acquire), 3);
        }
        others.let_go();
        Batch left_over;
        CHECK_EQ(join(pool, &left_over), Status::ok);
        CHECK_EQ(drop(left_over), ring);
        for (uint32_t i = 0; i != 2 * ring; ++i) CHECK_EQ(counted[i].runs.load(acquire), i % 2);
    }
}

// Nobody joins yet: the workers run them before they leave.
void P5_before_anybody_joins() {
    if (present() == 1) return tap::skip("not on this board: core 0, which tests, is the only one");
    for (uint32_t round = 0; round != rounds(50); ++round) {
        Pool& pool = new_pool();
        start_workers(pool);
        forget_runs();
        submit_mandatory(pool, 0, ring);
        pool.shutdown(Shutdown::abandon);
        await([] { return counted_runs.load(acquire) == ring; },
              "mandatory tasks of a pool that is abandoned");
        await([&pool] { return pool.live_cores() == 0; }, "the workers to leave");
        Batch left_over;
        CHECK_EQ(join(pool, &left_over), Status::ok);
        CHECK_EQ(drop(left_over), 0);
        check_runs(ring, 1);
    }
}

// One that runs at the end knows it, and what it submits is refused.
void P5_submits_in_one_are_refused() {
    Pool& pool = new_pool();
    forget_runs();
    static Pool* in_task;
    in_task = &pool;
    static Atomic<uint32_t> refused;
    refused.store(0, relaxed);
    static Job last([] {
        if (!in_task->is_closing()) return;
        const bool closed = in_task->submit_mandatory(counted[0]) == Status::closed &&
                            in_task->submit_mandatory_from_isr(counted[0]) == Status::closed &&
                            in_task->submit(counted[0]) == Status::closed;
        if (closed) Task::Run (&Counted::run)(counted[0]);  // it is its own: it can do the work itself
        refused.store(closed ? 1 : 2, release);
    });
    CHECK(!pool.is_closing());
    CHECK_EQ(pool.submit_mandatory_from_isr(last), Status::ok);
    pool.shutdown(Shutdown::abandon);
    CHECK(pool.is_closing());
    CHECK_EQ(join(pool), Status::ok);
    CHECK_EQ(refused.load(acquire), 1);
    CHECK_EQ(counted[0].runs.load(acquire), 1);
}

// A handler submits until it is refused, and the pool is abandoned meanwhile: what was taken has run.
Pool* of_handler;
Atomic<uint32_t> taken{};
Atomic<uint32_t> was_refused{};
void submit_in_interrupt() {
    const uint32_t next = taken.load(relaxed);
    if (next == most_tasks || was_refused.load(relaxed) != 0) return;
    const Status status = of_handler->submit_mandatory_from_isr(counted[next]);
    if (status == Status::ok) {
        taken.store(next + 1, release);
    } else {
        was_refused.store(status == Status::closed ? 1 : 2, release);
    }
}
void P5_races_of_handlers() {
    for (uint32_t round = 0; round != rounds(50); ++round) {
        Pool& pool = new_pool();
        if (round % 2 == 0) start_workers(pool);
        forget_runs();
        of_handler = &pool;
        taken.store(0, relaxed);
        was_refused.store(0, relaxed);
        board::start_timer(5000, submit_in_interrupt);
        await([] { return taken.load(acquire) >= 2; }, "a handler");
        pool.shutdown(round % 3 == 0 ? Shutdown::drain : Shutdown::abandon);
        await([] { return was_refused.load(acquire) != 0 || taken.load(acquire) == most_tasks; }, "the end");
        board::stop_timer();
        CHECK(was_refused.load(relaxed) <= 1);
        Batch left_over;
        CHECK_EQ(join(pool, &left_over), Status::ok);
        CHECK_EQ(drop(left_over), 0);
        CHECK_EQ(counted_runs.load(acquire), taken.load(acquire));
        check_runs(taken.load(acquire), 1);
    }
}

#if WEFT_REST
void P5_no_rest_while_one_is_queued() {
    Pool& pool = new_pool();
    forget_runs();
    submit_mandatory(pool, 0, 2 * ring);
    CHECK_EQ(pool.wait_idle(), Status::ok);
    check_runs(2 * ring, 1);
    end(pool);
}
#endif

#if WEFT_CHECKS
Atomic<uint32_t> answers{};
void misuse_in_interrupt() {
    const bool refused = of_handler->submit_mandatory(counted[0]) == Status::wrong_context;
    answers.store(refused ? 1 : 2, release);
}
void P5_misuse() {
    Pool& pool = new_pool();
    forget_runs();
    of_handler = &pool;
    answers.store(0, relaxed);
    board::start_timer(100, misuse_in_interrupt);
    await([] { return answers.load(acquire) != 0; }, "a handler");
    board::stop_timer();
    CHECK_EQ(answers.load(acquire), 1);
    CHECK_EQ(pool.submit_mandatory_from_isr(counted[0]), Status::ok);
    CHECK_EQ(pool.submit_mandatory(counted[0]), Status::already_queued);
    CHECK_EQ(pool.submit(counted[0]), Status::already_queued);
    end(pool, Shutdown::abandon);
    check_runs(1, 1);
}
#endif

constexpr tap::Test tests[] = {
    TEST(P5_as_others_before_the_end),
    TEST(P5_without_a_worker),
    TEST(P5_beside_busy_workers),
    TEST(P5_before_anybody_joins),
    TEST(P5_submits_in_one_are_refused),
    TEST(P5_races_of_handlers),
#if WEFT_REST
    TEST(P5_no_rest_while_one_is_queued),
#endif
#if WEFT_CHECKS
    TEST(P5_misuse),
#endif
};

}  // namespace

extern const tap::Tests mandatory_tests{tests};

}  // namespace firmware

#endif  // WEFT_MANDATORY
