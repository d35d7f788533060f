// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: cores that leave a pool, and come back.
#include "harness.hpp"

#if WEFT_ELASTIC

namespace firmware {
namespace {

uint32_t last_present() {
    uint32_t last = cores - 1;
    while (!is_present(last)) --last;
    return last;
}

// Off when nothing is to be done, and back with the next tasks, over and over; one of them stays.
void P2_thousand_cycles() {
    if (present() < 3) return tap::skip("not on this board: one core besides core 0, and the last one stays");
    Pool& pool = new_pool();
    CHECK_EQ(pool.keep_alive(0), Status::ok);
    start_workers(pool);
    forget_runs();
    for (uint32_t round = 1; round <= rounds(1000); ++round) {
        submit_counted(pool, ring);
        work_until(
            pool, [round] { return counted_runs.load(acquire) == ring * round; }, "all tasks");
        if (round % 4 == 0)
            work_until(
                pool, [&pool] { return pool.live_cores() == 1; }, "all but one to leave");
    }
    end(pool);
}

#if WEFT_TIMERS
// Tasks, pins, a timer and forks, all at once, for cores that leave whenever they have nothing to do.
void P2_all_kinds_meet_who_leaves() {
    if (present() < 3) return tap::skip("not on this board: one core besides core 0, and the last one stays");
    Pool& pool = new_pool();
    CHECK_EQ(pool.keep_alive(0), Status::ok);
    start_workers(pool);
    static Counted pinned[cores];
    static Counted timed;
    static Atomic<uint32_t> parts;
    static weft::Job forks([] {
        weft::parallel_for(0u, 8u, 1, [](uint32_t) { parts.fetch_add(1, relaxed); });
        counted_runs.fetch_add(1, release);
    });
    weft::Timer timer{pool, timed};
    forget_runs();
    parts.store(0, relaxed);
    uint32_t sum = 0;
    for (uint32_t round = 1; round <= rounds(1000); ++round) {
        CHECK_EQ(timer.start_after(round % 3), Status::ok);
        submit_counted(pool, round % 4);
        CHECK_EQ(pool.submit(forks), Status::ok);
        sum += 2 + round % 4;
        for (uint32_t core = 1; core != cores; ++core) {
            if (!is_present(core) || (core + round) % 3 != 0) continue;
            CHECK_EQ(pool.submit_on(core, pinned[core]), Status::ok);
            ++sum;
        }
        work_until(
            pool, [sum] { return counted_runs.load(acquire) == sum; }, "a timer, forks, pins and tasks");
        CHECK_EQ(parts.load(relaxed), 8 * round);
    }
    end(pool);
    CHECK_EQ(timer.cancel(), weft::CancelResult::not_armed);
}
#endif

#if WEFT_POWER_OFF
uint32_t cores_off() {
    uint32_t count = 0;
    for (uint32_t core = 1; core != cores; ++core) count += is_present(core) && board::is_off(core) ? 1 : 0;
    return count;
}

// Who has left is off, as the platform says, and comes out of a reset when it is started again.
void P6_who_has_left_is_off() {
    if (present() < 3) return tap::skip("not on this board: one core besides core 0, and the last one stays");
    Pool& pool = new_pool();
    CHECK_EQ(pool.keep_alive(0), Status::ok);
    forget_runs();
    for (uint32_t round = 1; round <= rounds(100); ++round) {
        start_workers(pool);
        submit_counted(pool, ring);
        work_until(
            pool, [round] { return counted_runs.load(acquire) == ring * round; }, "all tasks");
        await([] { return cores_off() == present() - 2; }, "all but core 0 and one more to be off");
    }
    end(pool);
    await([] { return cores_off() == present() - 1; }, "all but core 0 to be off, behind their pool");
}
#endif

// The same for tasks pinned to a core that leaves at the same time.
void P3_pins_meet_who_leaves() {
    if (present() == 1) return tap::skip("not on this board: core 0, which tests, is the only one");
    Pool& pool = new_pool();
    CHECK_EQ(pool.keep_alive(0), Status::ok);
    start_workers(pool);
    static Counted pinned[cores];
    forget_runs();
    uint32_t sum = 0;
    for (uint32_t round = 0; round != rounds(1000); ++round) {
        for (uint32_t core = 1; core != cores; ++core) {
            if (!is_present(core)) continue;
            CHECK_EQ(pool.submit_on(core, pinned[core]), Status::ok);
            ++sum;
        }
        work_until(
            pool, [sum] { return counted_runs.load(acquire) == sum; }, "the pinned tasks");
    }
    end(pool);
}

// With an alarm: they sleep for a while first.
void P2_after_a_sleep() {
    if (present() < 3) return tap::skip("not on this board: one core besides core 0, and the last one stays");
    Pool& pool = new_pool();
    CHECK_EQ(pool.keep_alive(1u << 31), Status::out_of_range);
    CHECK_EQ(pool.keep_alive(Port::ticks_per_ms()), Status::ok);
    for (uint32_t round = 0; round != 3; ++round) {
        start_workers(pool);
        work_until(
            pool, [&pool] { return pool.live_cores() == 1; }, "all but one to leave");
    }
    end(pool);
}

// The last core that is awake is retired, and leaves instead of sleeping: one that sleeps calls the image's function.
Atomic<uint32_t> runs_at_rest;
void at_rest(void*) { runs_at_rest.store(counted_runs.load(acquire), release); }

// For long enough that all others sleep when it ends; if not, they see to it themselves.
void take_a_while() {
    for (const uint32_t begin = Port::now(); Port::now() - begin < Port::ticks_per_ms();) Port::relax();
    counted_runs.fetch_add(1, release);
}

void N5_asleep_behind_who_leaves() {
    if (present() < 3) return tap::skip("not on this board: one core besides core 0, and the last one stays");
    Pool& pool = new_pool();
    runs_at_rest.store(0, relaxed);
    CHECK_EQ(pool.on_all_asleep(at_rest, nullptr), Status::ok);
    start_workers(pool);
    forget_runs();
    static weft::Job last_task(take_a_while);
    const uint32_t last = last_present();
    for (uint32_t round = 1; round <= rounds(20); ++round) {
        CHECK_EQ(pool.submit_on(last, last_task), Status::ok);
        CHECK_EQ(pool.retire(last), Status::ok);
        await([round] { return runs_at_rest.load(acquire) == round; },
              "the call for the sleep of all cores, behind the task");
        CHECK_EQ(pool.admit(last), Status::ok);
    }
    end(pool);
}

// By hand: a retired core is gone, and comes back when it is admitted.
void P1_retired_and_admitted() {
    if (present() < 3) return tap::skip("not on this board: one core besides core 0, and the last one stays");
    Pool& pool = new_pool();
    start_workers(pool);
    static Counted task;
    const uint32_t last = last_present();
    for (uint32_t round = 0; round != rounds(50); ++round) {
        CHECK_EQ(pool.retire(last), Status::ok);
        CHECK_EQ(pool.retire(last), Status::ok);
        work_until(
            pool, [&pool] { return pool.live_cores() < present() - 1; }, "a core to leave");
        CHECK_EQ(pool.submit_on(last, task), Status::core_unavailable);
        CHECK_EQ(pool.admit(last), Status::ok);
        forget_runs();
        CHECK_EQ(pool.submit_on(last, task), Status::ok);
        work_until(
            pool, [] { return counted_runs.load(acquire) == 1; }, "the core that was admitted");
    }
    CHECK_EQ(pool.retire(cores), Status::unknown_core);
    CHECK_EQ(pool.admit(cores), Status::unknown_core);
    end(pool);
}

// At most so many at a time.
void P1_limit() {
    if (present() < 3) return tap::skip("not on this board: one core besides core 0, and the last one stays");
    Pool& pool = new_pool();
    CHECK_EQ(pool.limit_cores(0), Status::out_of_range);
    start_workers(pool);
    CHECK_EQ(pool.limit_cores(1), Status::ok);
    work_until(
        pool, [&pool] { return pool.live_cores() == 1; }, "all but one to leave");
    forget_runs();
    for (uint32_t round = 1; round <= rounds(50); ++round) {
        submit_counted(pool, ring);
        work_until(
            pool, [round] { return counted_runs.load(acquire) == ring * round; }, "all tasks");
        CHECK(pool.live_cores() <= 1);
    }
    end(pool);
}

// A core leaves with a full ring. The only other one never has an empty one, and runs what was left all the same.
uint32_t leaver;
Pool* left_pool;
void P1_what_is_left_is_handed_over() {
    if (present() < 3) return tap::skip("not on this board: it needs two cores besides core 0");
    Pool& pool = new_pool();
    leaver = last_present();
    left_pool = &pool;
    uint32_t stays = leaver - 1;
    while (!is_present(stays)) --stays;
    for (uint32_t core = 0; core != cores; ++core) {
        if (core != leaver && core != stays) CHECK_EQ(pool.retire(core), Status::ok);
    }
    static Chained chain[2];
    forget_runs();
    for (Chained& one : chain) {
        one.pool = &pool;
        CHECK_EQ(pool.submit_on(stays, one), Status::ok);
    }
    static Calls leaves([] {
        submit_counted(*left_pool, ring);
        CHECK_EQ(left_pool->retire(leaver), Status::ok);
    });
    CHECK_EQ(pool.submit_on(leaver, leaves), Status::ok);
    await([] { return counted_runs.load(acquire) == ring; }, "what a core has left behind");
    CHECK(!chain[0].is_over() && !chain[1].is_over());
    for (Chained& one : chain) one.stop.store(1, relaxed);
    end(pool);
}

// The first cores besides core 0.
template <uint32_t count>
void find_cores(uint32_t (&found)[count]) {
    uint32_t core = 0;
    for (uint32_t& one : found) {
        do {
            ++core;
        } while (!is_present(core));
        one = core;
    }
}

// To a core that has left another pool, or is here. One that switches itself off is refused until the firmware says
// that it is off (ELASTIC 3.2).
void pin(Pool& pool, uint32_t core, Task& task) {
#if WEFT_POWER_OFF
    await([&] { return pool.submit_on(core, task) == Status::ok; }, "a core that is being switched off");
#else
    CHECK_EQ(pool.submit_on(core, task), Status::ok);
#endif
}

// Two pools share the cores, each with one of its own. A third one works for the one and then for the other, over and
// over; who moves it waits in the pool that gets it.
void N11_a_core_moves_between_pools() {
    if (present() < 4) return tap::skip("not on this board: three cores besides core 0");
    uint32_t own[3] = {};  // of the one, of the other, and the one that moves
    find_cores(own);
    static Room<Pool> another;
    Pool* const pools[2] = {&new_pool(), &another.build()};
    for (uint32_t which = 0; which != 2; ++which) {
        for (uint32_t core = 0; core != cores; ++core) {
            if (core != own[which]) CHECK_EQ(pools[which]->retire(core), Status::ok);
        }
    }
    static Counted pinned;
    forget_runs();
    uint32_t runs = 0;
    const auto run_on = [&](Pool& pool, uint32_t core) {
        pin(pool, core, pinned);
        ++runs;
        await([runs] { return counted_runs.load(acquire) == runs; }, "the pinned task");
    };
    run_on(*pools[0], own[0]);
    run_on(*pools[1], own[1]);
    CHECK_EQ(pools[0]->admit(own[2]), Status::ok);
    for (uint32_t round = 0; round != 2 * rounds(1000); ++round) {
        Pool& from = *pools[round % 2];
        Pool& to = *pools[1 - round % 2];
        run_on(from, own[2]);
        weft::Completion left{to};
        CHECK_EQ(from.retire(own[2], left), Status::ok);
        {
            const Guard guard("a core to leave its pool");
            CHECK_EQ(left.wait(), Status::ok);
        }
        CHECK_EQ(from.submit_on(own[2], pinned), Status::core_unavailable);
        CHECK_EQ(to.admit(own[2]), Status::ok);
    }
    end(*pools[1]);
    end(*pools[0]);
}

// What follows on a leaving is of a pool that can start no other core than the one that leaves: that one comes.
void N11_what_follows_brings_its_core() {
    if (present() < 3) return tap::skip("not on this board: two cores besides core 0");
    uint32_t own[2] = {};  // the one that stays, and the one that moves
    find_cores(own);
    static Room<Pool> another;
    static Counted pinned;
    for (uint32_t round = 0; round != rounds(50); ++round) {
        Pool& from = new_pool();
        Pool& to = another.build();
        for (uint32_t core = 0; core != cores; ++core) {
            if (core != own[1]) CHECK_EQ(to.retire(core), Status::ok);
            if (core != own[0] && core != own[1]) CHECK_EQ(from.retire(core), Status::ok);
        }
        forget_runs();
        pin(from, own[1], pinned);
        await([] { return counted_runs.load(acquire) == 1; }, "the pinned task");
        weft::Completion left{to};
        CHECK_EQ(from.retire(own[1], left), Status::ok);
        await([&left] { return left.is_done(); }, "what follows on a leaving");
        end(to);
        end(from);
    }
}

constexpr tap::Test tests[] = {
    TEST(P2_thousand_cycles),
#if WEFT_TIMERS
    TEST(P2_all_kinds_meet_who_leaves),
#endif
#if WEFT_POWER_OFF
    TEST(P6_who_has_left_is_off),
#endif
    TEST(P3_pins_meet_who_leaves),
    TEST(P2_after_a_sleep),
    TEST(N5_asleep_behind_who_leaves),
    TEST(P1_retired_and_admitted),
    TEST(P1_limit),
    TEST(P1_what_is_left_is_handed_over),
    TEST(N11_a_core_moves_between_pools),
    TEST(N11_what_follows_brings_its_core),
};

}  // namespace

extern const tap::Tests elastic_tests{tests};

}  // namespace firmware

#endif  // WEFT_ELASTIC
