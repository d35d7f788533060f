// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: all other cores stand, busy or asleep.
#include "harness.hpp"

#if WEFT_QUIESCE

namespace firmware {
namespace {

// While core 0 is the owner, no task begins and none goes on.
void E3_no_task_runs_meanwhile() {
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
void E3_a_long_task() {
    if (present() == 1) return tap::skip("not on this board: core 0, which tests, is the only one");
    Pool& pool = new_pool();
    start_workers(pool);
    static Blocker blocker;
    CHECK_EQ(pool.submit(blocker), Status::ok);
    blocker.await_entered();
    if (WEFT_PREEMPTION == 0) {
        CHECK_EQ(pool.quiesce(Port::ticks_per_ms()), Status::timed_out);
    } else {  // it stands on top of that task
        CHECK_EQ(pool.quiesce(10000 * Port::ticks_per_ms()), Status::ok);
        CHECK_EQ(pool.resume(), Status::ok);
    }
    blocker.let_go();
    CHECK_EQ(pool.quiesce(10000 * Port::ticks_per_ms()), Status::ok);
    CHECK_EQ(pool.resume(), Status::ok);
    end(pool);
}

// A core that works for another pool is waited for, whichever pool's task it is in.
void E3_beside_another_pool() {
    if (present() == 1) return tap::skip("not on this board: core 0, which tests, is the only one");
    static Room<Pool> room;
    Pool& other = room.build();
    Pool& pool = new_pool();
    static Blocker blocker;
    CHECK_EQ(other.submit_on(1, blocker), Status::ok);
    blocker.await_entered();
    CHECK_EQ(pool.quiesce(Port::ticks_per_ms()), Status::timed_out);
    blocker.let_go();
    end(other);
    CHECK_EQ(pool.quiesce(10000 * Port::ticks_per_ms()), Status::ok);
    CHECK_EQ(pool.resume(), Status::ok);
    end(pool);
}

// So is one that another pool has just started, and that has not left its pen: its task does not run meanwhile.
Atomic<uint32_t> all_stand{}, intruders{};

void E3_beside_a_start() {
    if (present() == 1) return tap::skip("not on this board: core 0, which tests, is the only one");
    static Room<Pool> room;
    static Job intrudes(
        [] { intruders.fetch_add(all_stand.load(acquire), relaxed), counted_runs.fetch_add(1, release); });
    start_workers(room.build());
    end(room.last());  // all have been switched on
    Pool& pool = new_pool();
    forget_runs();
    for (uint32_t round = 1; round <= rounds(40); ++round) {
        Pool& other = room.build();
        CHECK_EQ(other.submit(intrudes), Status::ok);
        if (pool.quiesce(0) == Status::ok) {
            all_stand.store(1, release);
            pass_time(1);
            all_stand.store(0, release);
            CHECK_EQ(pool.resume(), Status::ok);
        }
        await([round] { return counted_runs.load(acquire) == round; }, "the task of the other pool");
        end(other);
        pass_time(1);  // for who goes back to its pen
    }
    CHECK_EQ(intruders.load(acquire), 0u);
    end(pool);
}

// Tasks on all cores ask at once: each is the owner alone, or is told that another one was faster.
weft::Scheduler* asked;
uint32_t inside;  // one at a time: no atomic word needed
Atomic<uint32_t> owners{}, losers{}, wrong{};

struct Asking : Task {
    constexpr Asking() : Task(&Asking::run) {}
    static void run(Task& self);
};

void Asking::run(Task&) {
    const Status status = asked->quiesce(10000 * Port::ticks_per_ms());
    if (status == Status::busy) {
        losers.fetch_add(1, relaxed);
    } else if (status != Status::ok) {
        wrong.fetch_add(1, relaxed);
    } else {
        if (++inside != 1) wrong.fetch_add(1, relaxed);
        owners.fetch_add(1, relaxed);
        --inside;
        if (asked->resume() != Status::ok) wrong.fetch_add(1, relaxed);
    }
}

void E3_two_at_once() {
    Pool& pool = new_pool();
    start_workers(pool);
    asked = &pool;
    owners.store(0, relaxed), losers.store(0, relaxed), wrong.store(0, relaxed);
    static Asking asking[cores];
    uint32_t sum = 0;
    for (uint32_t round = 0; round != rounds(50); ++round) {
        for (uint32_t core = 0; core != cores; ++core) {
            if (core != 0 && !is_present(core)) continue;
            CHECK_EQ(pool.submit_on(core, asking[core]), Status::ok);
            ++sum;
        }
        await(
            [&] {
                static_cast<void>(pool.poll(1));
                return owners.load(acquire) + losers.load(acquire) + wrong.load(acquire) == sum;
            },
            "all that asked");
    }
    CHECK_EQ(wrong.load(acquire), 0);
    CHECK(owners.load(acquire) != 0);
    end(pool);
}

// A task of each of two pools has the cores of the other one stand: each works for the pool that the other one asks. So
// one of the two at least is told that its time is up.
Atomic<uint32_t> crossing{}, told{};

struct Crossing : Task {
    constexpr Crossing() : Task(&Crossing::run) {}
    static void run(Task& self);
    weft::Scheduler* other = nullptr;
};

void Crossing::run(Task& self) {
    weft::Scheduler& other = *static_cast<Crossing&>(self).other;
    const uint32_t pair = (crossing.fetch_add(1, acq_rel) | 1) + 1;
    while (crossing.load(acquire) < pair) Port::relax();
    const Status status = other.quiesce(Port::ticks_per_ms() / 10);
    if (status == Status::ok) static_cast<void>(other.resume());
    if (status != Status::ok && status != Status::timed_out) wrong.fetch_add(1, relaxed);
    told.fetch_add(1, release);
}

void E3_two_pools_at_once() {
    if (present() == 1) return tap::skip("not on this board: core 0, which tests, is the only one");
    static Room<Pool> room;
    Pool& other = room.build();
    Pool& pool = new_pool();
    static Crossing here, there;
    here.other = &pool;
    there.other = &other;
    crossing.store(0, relaxed), told.store(0, relaxed), wrong.store(0, relaxed);
    for (uint32_t round = 1; round <= rounds(200); ++round) {
        CHECK_EQ(pool.submit_on(1, there), Status::ok);
        CHECK_EQ(other.submit_on(0, here), Status::ok);
        await(
            [&] {
                static_cast<void>(other.poll(1));
                return told.load(acquire) == 2 * round;
            },
            "both that asked");
    }
    CHECK_EQ(wrong.load(acquire), 0);
    end(other);
    end(pool);
}

// Each core's interrupts are held off while it stands; those of the owner come.
Atomic<uint32_t> interrupts[cores];

void count_interrupt() { interrupts[Port::core_id()].fetch_add(1, relaxed); }

void E3_handlers_wait() {
    if (present() == 1) return tap::skip("not on this board: core 0, which tests, is the only one");
    Pool& pool = new_pool();
    start_workers(pool);
    switch_timers(pool, 1000, count_interrupt);
    for (uint32_t round = 0; round != rounds(20); ++round) {
        if (!CHECK_EQ(pool.quiesce(10000 * Port::ticks_per_ms()), Status::ok)) break;
        uint32_t before[cores];
        for (uint32_t core = 0; core != cores; ++core) before[core] = interrupts[core].load(acquire);
        await([&] { return interrupts[0].load(acquire) >= before[0] + 3; }, "three interrupts of the owner");
        for (uint32_t core = 1; core != cores; ++core) CHECK_EQ(interrupts[core].load(acquire), before[core]);
        CHECK_EQ(pool.resume(), Status::ok);
    }
    switch_timers(pool, 0, nullptr);
    end(pool);
}

// From a handler: told so, if the port can tell.
Atomic<uint32_t> answers{};

void ask_in_a_handler() {
    const bool both = asked->quiesce(1) == Status::wrong_context && asked->resume() == Status::wrong_context;
    answers.store(both ? 1 : 2, relaxed);
    board::stop_timer();
}

void E3_not_in_a_handler() {
    if (WEFT_CHECKS == 0) return tap::skip("not in this build: unchecked, a handler is not told");
    Pool& pool = new_pool();
    asked = &pool;
    answers.store(0, relaxed);
    board::start_timer(1000, ask_in_a_handler);
    await([] { return answers.load(acquire) != 0; }, "the handler's answer");
    CHECK_EQ(answers.load(acquire), 1);
    end(pool);
}

constexpr tap::Test tests[] = {
    TEST(E3_no_task_runs_meanwhile), TEST(E3_a_long_task),      TEST(E3_beside_another_pool),
    TEST(E3_beside_a_start),         TEST(E3_two_at_once),      TEST(E3_two_pools_at_once),
    TEST(E3_handlers_wait),          TEST(E3_not_in_a_handler),
};

}  // namespace

extern const tap::Tests quiesce_tests{tests};

}  // namespace firmware

#endif  // WEFT_QUIESCE
