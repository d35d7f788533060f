// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: what happens to tasks that are submitted around the end of a pool. Each is refused, or it
// runs, or it comes back; never two of these.
#include "harness.hpp"

namespace firmware {
namespace {

Room<Pool> second_room;  // for a pool beside that of new_pool()

// The tasks of `batch` are as good as new: another pool runs each once.
void run_elsewhere(Batch& batch) {
    muster();
    Pool& pool = second_room.build();
    const uint32_t size = batch.size();
    counted_runs.store(0, relaxed);
    CHECK_EQ(pool.submit(batch), Status::ok);
    await(
        [&] {
            static_cast<void>(pool.poll(1));
            return counted_runs.load(acquire) == size;
        },
        "tasks in their second pool");
    end(pool);
}

uint32_t count_runs() {
    uint32_t runs = 0;
    for (const Counted& task : counted) runs += task.runs.load(relaxed);
    return runs;
}

void check_refuses(Scheduler& pool) {
    Counted& task = counted[0];
    Batch batch;
    CHECK_EQ(batch.push(counted[1]), Status::ok);
    CHECK_EQ(batch.push(counted[2]), Status::ok);
    for (uint32_t i = 0; i < 2; ++i) {  // what was refused may be offered again
        CHECK_EQ(pool.submit(task), Status::closed);
        CHECK_EQ(pool.submit(batch), Status::closed);
        CHECK_EQ(batch.size(), 2);
        CHECK_EQ(pool.submit_from_isr(task), Status::closed);
        for (uint32_t core = 0; core < pool.cores(); ++core) {
            CHECK_EQ(pool.submit_on(core, task), Status::closed);
        }
    }
    CHECK_EQ(batch.push(task), Status::ok);
    forget_runs();
    run_elsewhere(batch);
    check_runs(3, 1);
}

// ---- Submits that go on until the pool refuses them: of each task as soon as it has run. In an interrupt or
// on another core.

struct Racer {
    enum class Next { accepted, waits, refused };

    void begin(Scheduler& target) {
        pool = &target;
        accepted.store(0, relaxed);
        refused.store(0, relaxed);
    }
    Next submit_next(bool in_isr) {
        const uint32_t next = accepted.load(relaxed);
        Counted& task = counted[next % most_tasks];
        if (task.runs.load(acquire) != next / most_tasks) return Next::waits;
        const Status status = in_isr ? pool->submit_from_isr(task) : pool->submit(task);
        if (status != Status::ok) {
            CHECK_EQ(status, Status::closed);
            refused.fetch_add(1, release);
            return Next::refused;
        }
        accepted.fetch_add(1, relaxed);
        return Next::accepted;
    }
    uint32_t accepted_of(uint32_t task) const {
        const uint32_t all = accepted.load(relaxed);
        return all / most_tasks + (task < all % most_tasks ? 1 : 0);
    }

    Scheduler* pool = nullptr;
    Atomic<uint32_t> accepted{};
    Atomic<uint32_t> refused{};  // released last
};
Racer racer;

void race_in_interrupt() {
    Guard::look();
    for (uint32_t i = 0; i < 5; ++i) {
        if (racer.submit_next(true) != Racer::Next::accepted) return;
    }
}

// An interrupt holds this core up at any step of a submit, while core 0 shuts the pool down and joins. Not
// for long: where it has begun to start a core, core 0 has to wait for it.
struct Hammer : Task {
    constexpr Hammer() : Task(&Hammer::run) {}
    static void run(Task& self) {
        Hammer& hammer = static_cast<Hammer&>(self);
        board::start_timer(1000, hold_up_in_interrupt);
        while (hammer.stop.load(relaxed) == 0) {
            const Racer::Next next = racer.submit_next(false);
            if (next == Racer::Next::refused) break;
            if (next == Racer::Next::waits) Port::relax();
        }
        board::stop_timer();
        hammer.over.store(1, release);
    }
    static void hold_up_in_interrupt();
    void begin() {
        held_up.store(0, relaxed);
        stop.store(0, relaxed);
        over.store(0, relaxed);
    }

    Atomic<uint32_t> held_up{};
    Atomic<uint32_t> stop{};
    Atomic<uint32_t> over{};
};
Hammer hammer;

void Hammer::hold_up_in_interrupt() {
    constexpr uint32_t most_ms = 5;
    board::stop_timer();
    hammer.held_up.store(1, release);
    tap::Stopwatch stopwatch;
    while (hammer.stop.load(relaxed) == 0 && stopwatch.elapsed_ms() < most_ms) Port::relax();
}

// Shuts the pool down in the middle of it all and accounts for what was accepted.
template <class StopRacers>
void shut_down_in_race(Scheduler& pool, uint32_t round, Guard::By guarded_by, StopRacers stop_racers) {
    for (uint32_t i = 0; i < round % 8 * 100; ++i) Port::relax();
    if (round % 3 == 0) static_cast<void>(pool.poll(round));
    const Shutdown mode = modes[round % 2];
    pool.shutdown(mode);
    Batch left;
    {
        const Guard guard("join() to return while others submit", guarded_by);
        CHECK_EQ(pool.join(left), Status::ok);
    }
    CHECK_EQ(pool.submit(counted[most_tasks - 1]), Status::closed);
    stop_racers();
    CHECK_EQ(count_runs() + left.size(), racer.accepted.load(relaxed));
    if (mode == Shutdown::drain) CHECK(left.empty());
    run_elsewhere(left);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < most_tasks; ++i) {
        const uint32_t expected = racer.accepted_of(i);
        if (counted[i].runs.load(relaxed) != expected || counted[i].result.get() != expected) ++wrong;
    }
    CHECK_EQ(wrong, 0);
}

void submit_in_interrupt_to_closed() {
    CHECK_EQ(racer.pool->submit_from_isr(counted[0]), Status::closed);
    racer.refused.fetch_add(1, release);
}

// ---- Work that stays in the queues: all workers are busy until they are let go.

// Everywhere: injector, ring and overflow of core 0, and pinned queues. Returns how many.
uint32_t fill_all_queues(Scheduler& pool) {
    uint32_t count = 0;
    Job push([&] {
        for (uint32_t i = 0; i < 3 * ring; ++i) CHECK_EQ(pool.submit(counted[count++]), Status::ok);
    });
    CHECK_EQ(pool.submit_on(0, push), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    for (uint32_t i = 0; i < ring; ++i) CHECK_EQ(pool.submit(counted[count++]), Status::ok);
    Batch batch;
    for (uint32_t i = 0; i < ring; ++i) CHECK_EQ(batch.push(counted[count++]), Status::ok);
    CHECK_EQ(pool.submit(batch), Status::ok);
    for (uint32_t core = 0; core < cores; ++core) {
        if (is_present(core)) CHECK_EQ(pool.submit_on(core, counted[count++]), Status::ok);
    }
    return count;
}

void Z9_closed_pool_refuses() {
    for (const Shutdown mode : modes) {
        Pool& pool = new_pool();
        start_workers(pool);
        pool.shutdown(mode);
        check_refuses(pool);
        CHECK_EQ(join(pool), Status::ok);
        check_refuses(pool);
        racer.begin(pool);
        board::start_timer(1000, submit_in_interrupt_to_closed);
        await([] { return racer.refused.load(acquire) >= 3; }, "interrupts");
        board::stop_timer();
    }
}

void Z9_submits_of_a_draining_task() {
    Pool& pool = new_pool();
    forget_runs();
    Batch batch;
    CHECK_EQ(batch.push(counted[1]), Status::ok);
    Job drain([&] {
        CHECK_EQ(pool.submit(counted[2]), Status::ok);
        pool.shutdown();
        CHECK_EQ(pool.submit(counted[0]), Status::closed);
        CHECK_EQ(pool.submit(batch), Status::closed);
        CHECK_EQ(pool.submit_on(0, counted[0]), Status::closed);
        CHECK_EQ(pool.submit_from_isr(counted[0]), Status::closed);
    });
    CHECK_EQ(pool.submit(drain), Status::ok);
    run(pool);
    end(pool);
    CHECK_EQ(counted[2].runs.load(relaxed), 1);
    CHECK_EQ(counted_runs.load(relaxed), 1);
    CHECK_EQ(batch.push(counted[0]), Status::ok);
    run_elsewhere(batch);
    check_runs(3, 1);
}

void Z9_racing_submits_from_isr() {
    for (uint32_t round = 0; round < rounds(30); ++round) {
        Pool& pool = new_pool();
        start_workers(pool);
        forget_runs();
        racer.begin(pool);
        board::start_timer(5000, race_in_interrupt);
        shut_down_in_race(pool, round, Guard::By::timer_of_test, [] { board::stop_timer(); });
    }
}

// The other core is a worker of another pool: to the pool that ends it is foreign code.
void Z9_racing_submits_from_other_core() {
    if (present() < 2) return tap::skip("not on this board: a second core");
    static Room<Pool> third_room;
    for (uint32_t round = 0; round < rounds(100); ++round) {
        Pool& pool = new_pool();
        Pool& driver = third_room.build();
        forget_runs();
        racer.begin(pool);
        hammer.begin();
        CHECK_EQ(driver.submit(hammer), Status::ok);
        if (round % 4 != 0)
            await([] { return hammer.held_up.load(acquire) != 0; }, "another core's interrupt");
        shut_down_in_race(pool, round, Guard::By::own_timer, [&] {
            hammer.stop.store(1, relaxed);
            await([] { return hammer.over.load(acquire) != 0; }, "the other core");
            end(driver);
        });
    }
}

void Z9_abandoned_tasks_come_back() {
    Pool& pool = new_pool();
    start_workers(pool);
    OthersHeld others(pool);
    forget_runs();
    const uint32_t accepted = fill_all_queues(pool);
    pool.shutdown(Shutdown::abandon);
    others.let_go();
    CHECK_EQ(pool.poll(most_tasks).status, Status::closed);
    CHECK_EQ(pool.poll(most_tasks).tasks, 0);
    Batch left;
    CHECK_EQ(join(pool, &left), Status::ok);
    CHECK_EQ(left.size(), accepted);  // nobody had a chance to start one
    CHECK_EQ(count_runs(), 0);
    // One by one, too, they are as good as new.
    Batch again;
    for (uint32_t i = 0; i < accepted; ++i) {
        Task* const task = left.pop();
        CHECK_EQ(again.push(*task), Status::ok);
    }
    CHECK(left.empty());
    run_elsewhere(again);
    check_runs(accepted, 1);
}

void Z9_abandon_without_batch() {
    Pool& pool = new_pool();
    start_workers(pool);
    OthersHeld others(pool);
    forget_runs();
    const uint32_t accepted = fill_all_queues(pool);
    pool.shutdown(Shutdown::abandon);
    others.let_go();
    CHECK_EQ(join(pool), Status::ok);  // as asked
    CHECK_EQ(join(pool), Status::ok);
    CHECK_EQ(count_runs(), 0);
    Batch again;
    for (uint32_t i = 0; i < accepted; ++i) CHECK_EQ(again.push(counted[i]), Status::ok);
    run_elsewhere(again);
    check_runs(accepted, 1);
}

void Z9_drain_turns_into_abandon() {
    Pool& pool = new_pool();
    start_workers(pool);
    OthersHeld others(pool);
    forget_runs();
    const uint32_t accepted = fill_all_queues(pool);
    pool.shutdown(Shutdown::drain);
    CHECK_EQ(pool.poll(1).tasks, 1);  // it is still a drain
    CHECK_EQ(count_runs(), 1);
    pool.shutdown(Shutdown::abandon);
    pool.shutdown(Shutdown::drain);  // there is no way back
    others.let_go();
    Batch left;
    CHECK_EQ(join(pool, &left), Status::ok);
    CHECK_EQ(count_runs(), 1);
    CHECK_EQ(left.size(), accepted - 1);
    run_elsewhere(left);
    check_runs(accepted, 1);
}

// A super-loop that only polls must hear of the end: nothing else tells it. Not before the last of its own tasks.
void Z9_poll_says_that_the_pool_is_over() {
    Pool& pool = new_pool();
    forget_runs();
    for (uint32_t i = 0; i < 3; ++i) CHECK_EQ(pool.submit_on(0, counted[i]), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    pool.shutdown();
    for (uint32_t i = 1; i < 3; ++i) {
        const weft::Polled polled = pool.poll(1);
        CHECK_EQ(polled.status, Status::ok);
        CHECK_EQ(polled.tasks, 1);
    }
    for (uint32_t again = 0; again < 2; ++again) {
        const weft::Polled polled = pool.poll(1);
        CHECK_EQ(polled.status, Status::closed);
        CHECK_EQ(polled.tasks, 0);
    }
    CHECK_EQ(pool.poll(0).status, Status::ok);  // does nothing, and says nothing
    CHECK_EQ(join(pool), Status::ok);
    CHECK_EQ(pool.poll(1).status, Status::closed);
    check_runs(3, 1);
}

constexpr tap::Test tests[] = {
    TEST(Z9_closed_pool_refuses),       TEST(Z9_submits_of_a_draining_task),
    TEST(Z9_racing_submits_from_isr),   TEST(Z9_racing_submits_from_other_core),
    TEST(Z9_abandoned_tasks_come_back), TEST(Z9_abandon_without_batch),
    TEST(Z9_drain_turns_into_abandon),  TEST(Z9_poll_says_that_the_pool_is_over),
};

}  // namespace

extern const tap::Tests closing_tests{tests};

}  // namespace firmware
