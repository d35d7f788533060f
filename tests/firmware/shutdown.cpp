// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: every way in which a pool may end.
#include "harness.hpp"

namespace firmware {
namespace {

void check_closed(Scheduler& pool) {
    CHECK_EQ(pool.run(), Status::closed);
    CHECK_EQ(pool.poll(1).status, Status::closed);
    CHECK_EQ(pool.poll(1).tasks, 0);
    CHECK_EQ(pool.submit(counted[0]), Status::closed);
    CHECK_EQ(pool.join(), Status::ok);
    CHECK_EQ(pool.live_cores(), 0);
}

// A task that takes some time, of the length that a round gives it.
struct Long : Task {
    constexpr Long() : Task(&Long::run) {}
    static void run(Task& self) {
        Long& task = static_cast<Long&>(self);
        for (uint32_t i = 0; i < turns; ++i) Port::relax();
        for (uint32_t i = 0; i < words; ++i) task.results[i] = task.results[i] * 3 + i;
    }
    static constexpr uint32_t words = 8;
    static uint32_t turns;
    uint32_t results[words] = {};  // plain: join() has to show them
};
uint32_t Long::turns = 0;
Long longs[most_tasks];

void prepare_longs(uint32_t seed) {
    for (Long& task : longs) {
        for (uint32_t& result : task.results) result = seed;
    }
}

// Each of them ran once.
void check_longs(uint32_t seed) {
    uint32_t wrong = 0;
    for (const Long& task : longs) {
        for (uint32_t i = 0; i < Long::words; ++i) wrong += task.results[i] == seed * 3 + i ? 0 : 1;
    }
    CHECK_EQ(wrong, 0);
}

// ---- A pool that an interrupt of core 0 shuts down.

Scheduler* interrupted;
Atomic<uint32_t> interrupts;

void shut_down_in_interrupt() {
    Guard::look();
    interrupted->shutdown();
    interrupts.fetch_add(1, release);
}

void start_interrupts(Scheduler& pool) {
    interrupted = &pool;
    interrupts.store(0, relaxed);
    board::start_timer(1000, shut_down_in_interrupt);
}

// ---- Memory of a pool that is used for something else as soon as the pool is gone.

alignas(Pool) unsigned char pool_memory[sizeof(Pool)];
constexpr unsigned char other_use = 0xa5;

void use_otherwise() {
    for (unsigned char& byte : pool_memory) byte = other_use;
}

bool is_untouched() {
    for (uint32_t i = 0; i < 100; ++i) Port::relax();  // for those who come late
    for (const unsigned char byte : pool_memory) {
        if (byte != other_use) return false;
    }
    return true;
}

void Z7_idle_pool() {
    for (const Shutdown mode : modes) {
        Pool& pool = new_pool();
        pool.shutdown(mode);
        CHECK_EQ(join(pool), Status::ok);
        check_closed(pool);
    }
}

// All workers sleep; each must hear of it.
void Z7_parked_workers() {
    for (uint32_t round = 0; round < rounds(20); ++round) {
        Pool& pool = new_pool();
        start_workers(pool);
        await_rest(pool);
        pool.shutdown(modes[round % 2]);
        CHECK_EQ(join(pool), Status::ok);
        check_closed(pool);
    }
}

void Z7_twice() {
    for (const Shutdown first : modes) {
        for (const Shutdown second : modes) {
            Pool& pool = new_pool();
            start_workers(pool);
            pool.shutdown(first);
            pool.shutdown(second);
            CHECK_EQ(join(pool), Status::ok);
            pool.shutdown(second);
            CHECK_EQ(join(pool), Status::ok);
            check_closed(pool);
        }
    }
}

void Z7_from_task() {
    for (const Shutdown mode : modes) {
        Pool& pool = new_pool();
        Job stop([&] { pool.shutdown(mode); });
        CHECK_EQ(pool.submit(stop), Status::ok);
        run(pool);
        CHECK_EQ(join(pool), Status::ok);
        check_closed(pool);
    }
}

void Z7_from_other_core() {
    if (cores < 2 || !is_present(1)) return tap::skip("not on this board: a second core");
    for (const Shutdown mode : modes) {
        Pool& pool = new_pool();
        start_workers(pool);
        Job stop([&] {
            CHECK_EQ(Port::core_id(), 1);
            pool.shutdown(mode);
        });
        CHECK_EQ(pool.submit_on(1, stop), Status::ok);
        run(pool);
        CHECK_EQ(join(pool), Status::ok);
        check_closed(pool);
    }
}

void Z7_from_isr() {
    Pool& pool = new_pool();
    start_workers(pool);
    forget_runs();
    submit_counted_batch(pool, ring);
    start_interrupts(pool);
    await([] { return interrupts.load(acquire) != 0; }, "an interrupt");
    board::stop_timer();
    CHECK_EQ(join(pool), Status::ok);
    check_runs(ring, 1);
    check_closed(pool);
}

// join() before shutdown(): by a task on another core; by an interrupt of the joining core itself.
void Z7_joiner_sleeps_until_shutdown() {
    if (present() > 1) {
        Pool& pool = new_pool();
        Job stop([&] {
            pass_time(2);
            pool.shutdown();
        });
        CHECK_EQ(pool.submit(stop), Status::ok);
        CHECK_EQ(join(pool), Status::ok);
        check_closed(pool);
    }
    if (tap::option("plugin", 0) != 0) return;  // there an interrupt does not end a WFE
    Pool& pool = new_pool();
    const Guard guard("join() to return when an interrupt has shut the pool down", Guard::By::timer_of_test);
    start_interrupts(pool);
    CHECK_EQ(pool.join(), Status::ok);
    board::stop_timer();
    check_closed(pool);
}

// The pool closes while the core that the submit wakes, or starts, is on its way.
void Z7_waking_core() {
    for (uint32_t round = 0; round < rounds(80); ++round) {
        Pool& pool = new_pool();
        if (round % 2 != 0) start_workers(pool);
        if (round % 4 == 3) await_rest(pool);
        forget_runs();
        CHECK_EQ(pool.submit(counted[0]), Status::ok);
        for (uint32_t i = 0; i < round; ++i) Port::relax();
        end(pool);
        check_runs(1, 1);
    }
}

// The pool closes while cores steal from each other and run tasks that take a while; the joiner sleeps until
// the last one leaves.
void Z7_mid_steal() {
    for (uint32_t round = 0; round < rounds(30); ++round) {
        Pool& pool = new_pool();
        start_workers(pool);
        forget_runs();
        prepare_longs(round);
        Long::turns = round * 8;
        Batch batch;
        for (Long& task : longs) CHECK_EQ(batch.push(task), Status::ok);
        CHECK_EQ(pool.submit(batch), Status::ok);
        for (uint32_t i = 0; i < round * 50; ++i) Port::relax();
        if (round % 3 == 0) static_cast<void>(pool.poll(5));
        submit_counted(pool, ring);
        end(pool);
        check_runs(ring, 1);
        check_longs(round);
    }
}

// With one core nobody else can have run anything.
void Z7_join_runs_what_is_left() {
    static Room<weft::Pool<1, ring>> one_room;
    Scheduler& pool = one_room.build();
    forget_runs();
    submit_counted_batch(pool, 2 * ring);
    CHECK_EQ(pool.submit(counted[2 * ring]), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);  // the rest is in the ring and in the injector now
    Job refused([&] { CHECK_EQ(pool.submit(counted[0]), Status::closed); });
    CHECK_EQ(pool.submit_on(0, refused), Status::ok);
    pool.shutdown();
    CHECK_EQ(counted_runs.load(acquire), 1);
    CHECK_EQ(pool.join(), Status::ok);
    CHECK_EQ(counted_runs.load(acquire), 2 * ring + 1);
    check_runs(2 * ring + 1, 1);
    check_closed(pool);
}

void Z7_join_sees_results() {
    Long::turns = 0;
    for (uint32_t round = 1; round <= rounds(20); ++round) {
        Pool& pool = new_pool();
        start_workers(pool);
        prepare_longs(round);
        for (Long& task : longs) CHECK_EQ(pool.submit(task), Status::ok);
        end(pool);
        check_longs(round);
    }
}

// 200 pools in the same memory, each as soon as the one before is joined. Cores may not be back in their pens
// then: a start is refused, and core 0 does the work.
void Z7_recreated_at_once() {
    static_cast<void>(present());
    for (uint32_t round = 0; round < 200; ++round) {
        Pool& pool = *new (Place{pool_memory}) Pool();
        const uint32_t size = round % 5 == 4 ? 3 * ring : round % 5;
        forget_runs();
        submit_counted_batch(pool, size);
        await(
            [&] {
                static_cast<void>(pool.poll(1));
                return counted_runs.load(acquire) == size;
            },
            "the tasks of a new pool");
        end(pool);
        use_otherwise();
        check_runs(size, 1);
        CHECK(is_untouched());
    }
}

// The same with all cores at work until the end, and tasks that come back.
void Z7_recreated_under_load() {
    static_cast<void>(present());
    for (uint32_t round = 0; round < 200; ++round) {
        Pool& pool = *new (Place{pool_memory}) Pool();
        forget_runs();
        for (uint32_t core = 1; core < cores; ++core) {
            const Status status =
                pool.submit_on(core, counted[core]);  // starts them; a late one keeps its task
            CHECK(status == Status::ok || status == Status::core_unavailable);
        }
        Long::turns = round % 64;
        for (uint32_t i = 0; i < 3 * ring; ++i) CHECK_EQ(pool.submit(longs[i]), Status::ok);
        for (uint32_t i = 0; i < round % 7 * 20; ++i) Port::relax();
        pool.shutdown(modes[round % 2]);
        Batch left;
        CHECK_EQ(join(pool, &left), Status::ok);
        use_otherwise();
        while (left.pop() != nullptr) {
        }
        CHECK(is_untouched());
    }
}

constexpr tap::Test tests[] = {
    TEST(Z7_idle_pool),
    TEST(Z7_parked_workers),
    TEST(Z7_twice),
    TEST(Z7_from_task),
    TEST(Z7_from_other_core),
    TEST(Z7_from_isr),
    TEST(Z7_joiner_sleeps_until_shutdown),
    TEST(Z7_waking_core),
    TEST(Z7_mid_steal),
    TEST(Z7_join_runs_what_is_left),
    TEST(Z7_join_sees_results),
    TEST(Z7_recreated_at_once),
    TEST(Z7_recreated_under_load),
};

}  // namespace

extern const tap::Tests shutdown_tests{tests};

}  // namespace firmware
