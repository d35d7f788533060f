// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: batches of every size around that of the ring, and poll().
#include "harness.hpp"

namespace firmware {
namespace {

constexpr uint32_t sizes[] = {0, 1, 2, ring - 1, ring, ring + 1, 10 * ring};
static_assert(10 * ring <= most_tasks, "there are not as many tasks");

void await_runs(Scheduler& pool, uint32_t count) {
    work_until(
        pool, [=] { return counted_runs.load(acquire) == count; }, "all tasks of a batch");
}

using OnePool = weft::Pool<1, ring>;
Room<OnePool> one_room;

// A task that submits a batch of `size` after `singles` single tasks.
struct Feeder : Task {
    constexpr Feeder() : Task(&Feeder::run) {}
    static void run(Task& self) {
        Feeder& feeder = static_cast<Feeder&>(self);
        Scheduler& pool = *feeder.pool;
        for (uint32_t i = 0; i < feeder.singles; ++i) {
            CHECK_EQ(pool.submit(counted[feeder.size + i]), Status::ok);
        }
        submit_counted_batch(pool, feeder.size);
        feeder.finished.store(1, release);
    }
    Atomic<uint32_t> finished{};
    Scheduler* pool = nullptr;
    uint32_t size = 0;
    uint32_t singles = 0;
};
Feeder feeder;

void feed(Scheduler& pool, uint32_t size, uint32_t singles) {
    forget_runs();
    feeder.pool = &pool;
    feeder.size = size;
    feeder.singles = singles;
    feeder.finished.store(0, relaxed);
    CHECK_EQ(pool.submit(feeder), Status::ok);
    work_until(
        pool, [] { return feeder.finished.load(acquire) != 0; }, "a task that submits a batch");
    await_runs(pool, size + singles);
    check_runs(size + singles, 1);
}

void Z3_batch_keeps_order() {
    Batch batch;
    CHECK(batch.empty());
    CHECK_EQ(batch.pop(), nullptr);
    for (uint32_t round = 0; round < 3; ++round) {
        for (uint32_t i = 0; i < 5; ++i) {
            CHECK_EQ(batch.push(counted[i]), Status::ok);
            CHECK_EQ(batch.size(), i + 1);
        }
        for (uint32_t i = 0; i < 3; ++i) CHECK_EQ(batch.pop(), &counted[i]);
        // Popped tasks are free again. One goes behind the others.
        CHECK_EQ(batch.push(counted[0]), Status::ok);
        CHECK_EQ(batch.size(), 3);
        CHECK_EQ(batch.pop(), &counted[3]);
        CHECK_EQ(batch.pop(), &counted[4]);
        CHECK_EQ(batch.pop(), &counted[0]);
        CHECK(batch.empty());
        CHECK_EQ(batch.pop(), nullptr);
    }
}

void Z3_batch_from_outside() {
    Pool& pool = new_pool();
    uint32_t total = 0;
    for (const uint32_t size : sizes) {
        forget_runs();
        submit_counted_batch(pool, size);
        await_runs(pool, size);
        check_runs(size, 1);
        total += size;
    }
    end(pool);
    CHECK_EQ(pool.total().executed, total);
    CHECK_EQ(pool.total().submitted, 0);  // counts what tasks submit
}

void Z3_batch_from_task() {
    Pool& pool = new_pool();
    uint32_t total = 0;
    for (const uint32_t size : sizes) {
        feed(pool, size, 0);
        total += size;
    }
    end(pool);
    CHECK_EQ(pool.total().executed, total + sizeof sizes / sizeof sizes[0]);  // one feeder each
    CHECK_EQ(pool.total().submitted, total);
}

void Z3_batches_after_singles() {
    Pool& pool = new_pool();
    for (const uint32_t size : sizes) {
        feed(pool, size, 1);
        feed(pool, size, ring - 1);
        feed(pool, size, ring);
        feed(pool, size, ring + 1);
    }
    end(pool);
}

void Z3_poll_runs_at_most_n() {
    OnePool& pool = one_room.build();
    forget_runs();
    CHECK_EQ(pool.poll(4).tasks, 0);
    submit_counted(pool, 10);
    CHECK_EQ(pool.poll(0).tasks, 0);
    CHECK_EQ(counted_runs.load(acquire), 0);
    CHECK_EQ(pool.poll(3).tasks, 3);
    CHECK_EQ(counted_runs.load(acquire), 3);
    CHECK_EQ(pool.poll(1).tasks, 1);
    CHECK_EQ(pool.poll(3).tasks, 3);
    CHECK_EQ(pool.poll(10).tasks, 3);
    CHECK_EQ(pool.poll(10).tasks, 0);
    check_runs(10, 1);
    CHECK_EQ(pool.live_cores(), 0);

    // Tasks that a task submits belong to the same poll, up to its bound.
    Job child([] { counted_runs.fetch_add(1, relaxed); });
    Job parent([&] { CHECK_EQ(pool.submit(child), Status::ok); });
    CHECK_EQ(pool.submit(parent), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    CHECK_EQ(counted_runs.load(acquire), 10);
    CHECK_EQ(pool.poll(5).tasks, 1);
    CHECK_EQ(counted_runs.load(acquire), 11);
    CHECK_EQ(pool.submit(parent), Status::ok);
    CHECK_EQ(pool.poll(5).tasks, 2);
    CHECK_EQ(counted_runs.load(acquire), 12);

    // After the shutdown what is there still runs; after join() nothing does.
    submit_counted(pool, 2);
    pool.shutdown();
    CHECK_EQ(pool.poll(5).tasks, 2);
    end(pool);
    CHECK_EQ(pool.poll(5).tasks, 0);
    CHECK_EQ(pool.total().executed, 16);
}

// A main loop that polls now and then, while the other cores work all the time.
void Z3_poll_in_superloop() {
    Pool& pool = new_pool();
    forget_runs();
    uint32_t polled = 0;
    for (uint32_t round = 1; round <= rounds(100); ++round) {
        const uint32_t size = 1 + round % ring;
        counted_runs.store(0, relaxed);
        submit_counted_batch(pool, size);
        await(
            [&] {
                polled += pool.poll(1 + round % 3).tasks;
                return counted_runs.load(acquire) == size;
            },
            "tasks that a loop of poll() and the other cores share");
    }
    uint32_t runs = 0;
    for (const Counted& task : counted) runs += task.runs.load(relaxed);
    end(pool);
    CHECK_EQ(pool.stats(0).executed, polled);
    CHECK_EQ(pool.total().executed, runs);
}

constexpr tap::Test tests[] = {
    TEST(Z3_batch_keeps_order),     TEST(Z3_batch_from_outside),  TEST(Z3_batch_from_task),
    TEST(Z3_batches_after_singles), TEST(Z3_poll_runs_at_most_n), TEST(Z3_poll_in_superloop),
};

}  // namespace

extern const tap::Tests batch_tests{tests};

}  // namespace firmware
