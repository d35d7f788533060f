// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: how many cores wake, and that enough of them do. Tasks that wait for each other show a lost
// wake: they are over only when every one of them has a core.
#include "harness.hpp"

namespace firmware {
namespace {

// For tests that look for a rare moment in many rounds: where rounds are slow, fewer have to do.
constexpr uint32_t most_ms = 2000;

Gathering gathering;
Pool* pool;
uint32_t rounds_left;

// Workers beside core 0; core 0 itself where it is the only one.
uint32_t workers() { return present() == 1 ? 1 : present() - 1; }

// Not one of `counted`: their common count may rise some moments after their own.
struct Knock : Task {
    constexpr Knock() : Task(&Knock::run) {}
    static void run(Task& self) { static_cast<Knock&>(self).answers.fetch_add(1, release); }
    Atomic<uint32_t> answers{};
};
Knock knocks[cores];

// A wake is counted by the core that was woken, before it runs anything: after a task on each core no count
// is missing. Each of these tasks is a wake too, at most.
void count_all_wakes() {
    for (uint32_t core = 1; core < cores; ++core) {
        if (!is_present(core)) continue;
        Knock& knock = knocks[core];
        const uint32_t before = knock.answers.load(acquire);
        CHECK_EQ(pool->submit_on(core, knock), Status::ok);
        await([&] { return knock.answers.load(acquire) != before; }, "a pinned task");
    }
}

void start_pool() {
    pool = &new_pool();
    start_workers(*pool);
    await_rest(*pool);
    count_all_wakes();
    await_rest(*pool);
}

// A few instructions more in each round, so that what comes after them meets the other cores at each of their
// steps.
void shift(uint32_t round) {
    for (volatile uint32_t left = round * 7 % 256; left != 0; left = left - 1) {
    }
}

// ---- The ways in which the tasks of a gathering get into the pool. From an interrupt they come all at once.

void submit_singly(uint32_t round) {
    for (uint32_t i = 0; i < gathering.size(); ++i) {
        CHECK_EQ(pool->submit(gathering.task(i)), Status::ok);
        shift(round);
    }
}

void submit_as_batch() {
    Batch batch;
    for (uint32_t i = 0; i < gathering.size(); ++i) CHECK_EQ(batch.push(gathering.task(i)), Status::ok);
    CHECK_EQ(pool->submit(batch), Status::ok);
}

void submit_in_interrupt() {
    board::stop_timer();
    for (uint32_t i = 0; i < gathering.size(); ++i) {
        CHECK_EQ(pool->submit_from_isr(gathering.task(i)), Status::ok);
    }
}

void gather_from_outside(uint32_t round) {
    gathering.when_over = nullptr;
    gathering.begin(workers());
    if (round % 3 == 0) submit_singly(round);
    if (round % 3 == 1) submit_as_batch();
    if (round % 3 == 2) board::start_timer(1000, submit_in_interrupt);
    work_until(
        *pool, [] { return gathering.over(); }, "a core for each of the long tasks");
}

// Called by the task that is the last to leave.
void gather_again() {
    if (--rounds_left == 0) return pool->shutdown();
    gathering.begin(present());
    shift(rounds_left);
    if (rounds_left % 2 == 0) {
        submit_singly(rounds_left);
    } else {
        submit_as_batch();
    }
}

void Z5_single_submit_wakes_one_core() {
    start_pool();
    Counted& task = counted[0];
    const uint32_t before = pool->total().wakes;
    for (uint32_t i = 1; i <= rounds(50); ++i) {
        const uint32_t runs = task.runs.load(acquire);
        CHECK_EQ(pool->submit(task), Status::ok);
        work_until(
            *pool, [&] { return task.runs.load(acquire) != runs; }, "a single task");
        CHECK(pool->total().wakes - before <= i);
    }
    await_rest(*pool);
    count_all_wakes();
    CHECK(pool->total().wakes - before <= rounds(50) + workers());
    end(*pool);
}

void Z5_batch_of_n_wakes_at_most_n_cores() {
    start_pool();
    for (uint32_t size = 1; size <= cores + 2; ++size) {
        const uint32_t before = pool->total().wakes;
        forget_runs();
        submit_counted_batch(*pool, size);
        work_until(
            *pool, [=] { return counted_runs.load(acquire) == size; }, "a batch");
        await_rest(*pool);
        count_all_wakes();
        CHECK(pool->total().wakes - before <= size + workers());
        await_rest(*pool);
    }
    end(*pool);
}

// Core 1 goes to sleep when it has run the task. The next one comes at any step of that, and nobody else runs
// it.
void Z5_submit_meets_a_parking_core() {
    if (cores < 2 || !is_present(1)) return tap::skip("not on this board: a second core");
    static Room < weft::Pool<cores<2 ? 1 : 2, ring>> two_room;
    muster();
    Scheduler& two = two_room.build();
    const Spread spread(two);
    Counted& task = counted[0];
    tap::Stopwatch stopwatch;
    for (uint32_t round = 0; round < rounds(20000) && stopwatch.elapsed_ms() < most_ms; ++round) {
        const uint32_t before = task.runs.load(acquire);
        CHECK_EQ(two.submit(task), Status::ok);
        await([&] { return task.runs.load(acquire) != before; },
              "a core that was about to park to see a task");
        shift(round);
    }
    end(two);
}

// Cores 1 and 2 sleep. The second task comes at any step of the core that was woken for the first one, and
// needs the other core: whoever has the waking role passes it on.
void Z5_submit_meets_a_waking_core() {
    if (cores < 3 || !is_present(1) || !is_present(2)) return tap::skip("not on this board: a third core");
    static Room < weft::Pool<cores<3 ? 1 : 3, ring>> three_room;
    muster();
    Scheduler& three = three_room.build();
    const Spread spread(three);
    gathering.when_over = nullptr;
    tap::Stopwatch stopwatch;
    for (uint32_t round = 0; round < rounds(10000) && stopwatch.elapsed_ms() < most_ms; ++round) {
        gathering.begin(2);
        CHECK_EQ(three.submit(gathering.task(0)), Status::ok);
        shift(round);
        CHECK_EQ(three.submit(gathering.task(1)), Status::ok);
        await([] { return gathering.over(); }, "a second core for the second task");
        shift(round / 256);
    }
    end(three);
}

// All cores, core 0 too, in run(). The first round starts the cores.
void Z5_long_tasks_spread_over_all_cores() {
    pool = &new_pool();
    if (present() != cores) start_workers(*pool);  // with cores that never come, later submits are needed
    rounds_left = rounds(200);
    gathering.when_over = gather_again;
    gathering.begin(present());
    submit_singly(0);
    run(*pool);
    end(*pool);
    CHECK_EQ(rounds_left, 0);
}

void Z5_long_tasks_from_outside() {
    pool = &new_pool();
    start_workers(*pool);
    for (uint32_t round = 0; round < rounds(60); ++round) gather_from_outside(round);
    end(*pool);
}

void Z5_long_tasks_find_parked_cores() {
    start_pool();
    for (uint32_t round = 0; round < 9; ++round) {
        await_rest(*pool);
        gather_from_outside(round);
    }
    end(*pool);
}

// poll() leaves a task in the ring of core 0. run() takes it from there without a search: it must not hold
// the waking role meanwhile, or nobody is woken for what this task submits.
void Z5_role_is_not_kept_by_run_after_poll() {
    if (present() < 2) return tap::skip("not on this board: a second core");
    start_pool();
    OthersHeld others(*pool);
    Counted& first = counted[0];
    Counted& other = counted[1];
    forget_runs();
    Job second([&] {
        others.let_go();
        await_rest(*pool);
        CHECK_EQ(pool->submit(other), Status::ok);
        await([&] { return other.runs.load(acquire) != 0; },
              "a parked core for what a task from an earlier poll() submits");
        pool->shutdown();
    });
    Batch batch;
    CHECK_EQ(batch.push(first), Status::ok);
    CHECK_EQ(batch.push(second), Status::ok);
    CHECK_EQ(pool->submit(batch), Status::ok);
    CHECK_EQ(pool->poll(1).tasks, 1);
    CHECK_EQ(first.runs.load(acquire), 1);
    run(*pool);
    end(*pool);
    CHECK(other.core.load(relaxed) != 0);
}

// What a core counts as a park it has come back from, so each gets something to come back for.
void Z5_all_park_at_rest() {
    start_pool();
    for (uint32_t core = 1; core < cores; ++core) {
        if (!is_present(core)) continue;
        await(
            [=] {
                await_rest(*pool);
                count_all_wakes();
                return pool->stats(core).parks != 0;
            },
            "a core without work to park");
    }
    end(*pool);
}

constexpr tap::Test tests[] = {
    TEST(Z5_single_submit_wakes_one_core),
    TEST(Z5_batch_of_n_wakes_at_most_n_cores),
    TEST(Z5_submit_meets_a_parking_core),
    TEST(Z5_submit_meets_a_waking_core),
    TEST(Z5_long_tasks_spread_over_all_cores),
    TEST(Z5_long_tasks_from_outside),
    TEST(Z5_long_tasks_find_parked_cores),
    TEST(Z5_role_is_not_kept_by_run_after_poll),
    TEST(Z5_all_park_at_rest),
};

}  // namespace

extern const tap::Tests wake_tests{tests};

}  // namespace firmware
