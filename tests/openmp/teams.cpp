// SPDX-License-Identifier: MIT OR Apache-2.0
// Teams on a pool that has other work, too: from tasks, two at a time, busy cores, the end.
#include <weft/openmp.h>

#include "program.hpp"

namespace program {
namespace {

// By the functions of C.
void N8_C_attaches_and_detaches() {
    static WEFT_POOL_MEMORY(place, cores, 16);
    static WEFT_OPENMP_MEMORY(team, cores, 8, 64);
    weft_pool* pool = nullptr;
    CHECK(weft_openmp_detach() == WEFT_WRONG_CONTEXT);
    REQUIRE(weft_pool_init(&pool, place, sizeof place, cores, 16) == WEFT_OK);
    CHECK(weft_openmp_attach(pool, team, sizeof team, 0, 64) == WEFT_OUT_OF_RANGE);
    CHECK(weft_openmp_attach(pool, team, sizeof team, 25, 64) == WEFT_OUT_OF_RANGE);
    CHECK(weft_openmp_attach(pool, team, 64, cores, 64) == WEFT_WRONG_MEMORY);
    CHECK(weft_openmp_attach(pool, team, sizeof team, cores, ~size_t{0}) == WEFT_WRONG_MEMORY);
    CHECK(weft_openmp_attach(pool, team + 4, sizeof team - 4, cores, 64) == WEFT_WRONG_MEMORY);
#if WEFT_CHECKS
    CHECK(weft_openmp_attach(pool, nullptr, sizeof team, cores, 64) == WEFT_NOT_MADE);
    CHECK(weft_openmp_attach(nullptr, team, sizeof team, cores, 64) == WEFT_NOT_MADE);
#endif
    REQUIRE(weft_openmp_attach(pool, team, sizeof team, cores, 64) == WEFT_OK);
    CHECK(weft_openmp_attach(pool, team, sizeof team, cores, 64) == WEFT_WRONG_CONTEXT);
    if (bring_all() == cores) {
        uint32_t tasks = 0;
#pragma omp parallel
#pragma omp single
        for (int i = 0; i != 4; ++i) {
#pragma omp task shared(tasks)
            {
#pragma omp atomic
                ++tasks;
            }
        }
        CHECK_EQ(tasks, 4u);
        const weft_openmp_counts counts = weft_openmp_figures();
        const weft::openmp::Figures figures = weft::openmp::figures();
        CHECK(cores == 1 || (counts.teams > 0 && counts.deferred + counts.without_room == 4));
        CHECK(counts.teams == figures.teams && counts.alone == figures.alone);
        CHECK(counts.deferred == figures.deferred && counts.without_room == figures.without_room);
        CHECK(counts.largest_data == figures.largest_data);
    }
    weft_shutdown(pool, WEFT_DRAIN);
    weft_batch left = {};
    CHECK(weft_join(pool, &left) == WEFT_OK);
    CHECK(weft_openmp_detach() == WEFT_OK);
}

uint32_t sum_of_numbers() {
    uint32_t sum = 0;
#pragma omp parallel for schedule(dynamic, 5) reduction(+ : sum)
    for (int i = 1; i <= 100; ++i) sum += static_cast<uint32_t>(i);
    return sum;
}

void N8_a_task_of_the_pool_may_have_a_team() {
    Program program;
    if (bring_all() != cores) return;
    Atomic<uint32_t> done{0};
    uint32_t sum = 0;
    weft::Job job([&] {
        sum = sum_of_numbers();
        done.store(1, release);
    });
    REQUIRE(program.pool.submit(job) == Status::ok);
    tap::wait_for(
        [&] {
            static_cast<void>(program.pool.poll(1));
            return done.load(acquire) != 0;
        },
        "the task");
    CHECK_EQ(sum, 5050u);
}

// Each task begins a region; one of them has the crew, the others are alone, and the pool goes on in between.
void N8_regions_at_the_same_time_are_all_run() {
    Program program;
    if (bring_all() != cores) return;
    constexpr uint32_t count = 12;
    static Atomic<uint32_t> done;
    static uint32_t sums[count];
    done.store(0, relaxed);
    struct Region : weft::TaskOf<Region> {
        void run() {
            sums[index] = sum_of_numbers();
            done.fetch_add(1, acq_rel);
        }
        uint32_t index = 0;
    };
    static Region regions[count];
    for (uint32_t i = 0; i != count; ++i) {
        regions[i].index = i;
        REQUIRE(program.pool.submit(regions[i]) == Status::ok);
    }
    uint32_t own = 0;
    tap::wait_for(
        [&] {
            CHECK_EQ(sum_of_numbers(), 5050u);
            ++own;
            static_cast<void>(program.pool.poll(1));
            return done.load(acquire) == count;
        },
        "all regions");
    for (const uint32_t sum : sums) CHECK_EQ(sum, 5050u);
    const weft::openmp::Figures figures = weft::openmp::figures();
    CHECK(figures.teams + figures.alone >= count + own);
}

// A core that is busy does not come; the team is smaller. Later it comes again.
void N8_a_busy_core_is_not_waited_for_twice() {
    if (cores < 2) return tap::skip("not on this board: a second core");
    Program program;
    if (bring_all() != cores) return;
    static Atomic<uint32_t> state;
    state.store(0, relaxed);
    weft::Job busy([] {
        state.store(1, release);
        while (state.load(acquire) != 2) weft::Port::relax();
        state.store(3, release);
    });
    REQUIRE(program.pool.submit_on(1, busy) == Status::ok);
    tap::wait_for([] { return state.load(acquire) == 1; }, "the core to be busy");
    uint32_t most = 0;
    for (int i = 0; i < 20; ++i) {
        uint32_t threads = 0;
#pragma omp parallel
#pragma omp single
        threads = static_cast<uint32_t>(omp_get_num_threads());
        if (threads > most) most = threads;
        CHECK_EQ(sum_of_numbers(), 5050u);
    }
    CHECK(most < cores);
    state.store(2, release);
    tap::wait_for([] { return state.load(acquire) == 3; }, "the core to be free");
    CHECK_EQ(bring_all(), cores);
}

void N8_many_regions_in_a_row() {
    const Program program;
    if (bring_all() != cores) return;
    const uint32_t rounds = tap::option("regions", 300);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i != rounds; ++i) wrong += sum_of_numbers() != 5050;
    CHECK_EQ(wrong, 0u);
}

void N8_one_pool_at_a_time() {
    Pool other;
    {
        Program program;
        CHECK(weft::openmp::attach(other, memory) == Status::wrong_context);
        Status status = Status::ok;
#pragma omp parallel
#pragma omp single
        status = weft::openmp::detach();
        // (Where the region has one thread, nobody holds the crew.)
        if (status == Status::ok) CHECK(weft::openmp::attach(program.pool, memory) == Status::ok);
        program.pool.shutdown();
        // A closed pool: one thread.
        CHECK_EQ(sum_of_numbers(), 5050u);
        uint32_t threads = 0;
#pragma omp parallel reduction(+ : threads)
        threads += 1;
        CHECK_EQ(threads, 1u);
    }
    CHECK(weft::openmp::detach() == Status::wrong_context);
    // Detached: one thread, and no panic.
    CHECK_EQ(sum_of_numbers(), 5050u);
    CHECK_EQ(omp_get_max_threads(), 1);
    other.shutdown();
    CHECK(other.join() == Status::ok);
}

// A memory for fewer threads than the pool has cores.
void N8_a_memory_of_two_has_teams_of_two() {
    if (cores < 2) return tap::skip("not on this board: a second core");
    static weft::openmp::Memory<2> two;
    const Program program(two);
    CHECK_EQ(omp_get_max_threads(), 2);
    uint32_t most = 0;
    tap::wait_for(
        [&] {
            uint32_t threads = 0;
#pragma omp parallel reduction(+ : threads)
            threads += 1;
            if (threads > most) most = threads;
            return most >= 2;
        },
        "the second thread");
    CHECK_EQ(most, 2u);
}

constexpr tap::Test tests[] = {
    TEST(N8_C_attaches_and_detaches),
    TEST(N8_a_task_of_the_pool_may_have_a_team),
    TEST(N8_regions_at_the_same_time_are_all_run),
    TEST(N8_a_busy_core_is_not_waited_for_twice),
    TEST(N8_many_regions_in_a_row),
    TEST(N8_one_pool_at_a_time),
    TEST(N8_a_memory_of_two_has_teams_of_two),
};

}  // namespace

extern const tap::Tests teams_tests{tests};

}  // namespace program
