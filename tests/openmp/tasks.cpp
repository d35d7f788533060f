// SPDX-License-Identifier: MIT OR Apache-2.0
// OpenMP's explicit tasks.
#include "program.hpp"

namespace program {
namespace {

uint32_t fib(uint32_t n) {
    if (n < 2) return n;
    uint32_t a = 0;
    uint32_t b = 0;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

void N8_a_task_waits_for_its_children() {
    const Program program;
    if (bring_all() != cores) return;
    for (int i = 0; i < 3; ++i) {
        uint32_t result = 0;
#pragma omp parallel
#pragma omp single
        result = fib(11);
        CHECK_EQ(result, 89u);
    }
    const weft::openmp::Figures figures = weft::openmp::figures();
    if (cores > 1) CHECK(figures.deferred != 0);
}

void N8_a_barrier_waits_for_all_tasks() {
    const Program program;
    if (bring_all() != cores) return;
    Atomic<uint32_t> ran{0};
    uint32_t seen = 0;
    uint32_t wrong = 0;
    uint32_t threads = 0;
#pragma omp parallel reduction(+ : wrong)
    {
        const uint32_t all = static_cast<uint32_t>(omp_get_num_threads());
        note_threads(threads);
        for (int i = 0; i < 10; ++i) {
#pragma omp task
            {
                ran.fetch_add(1, acq_rel);
                // A grandchild that nobody waits for but the barrier.
#pragma omp task
                ran.fetch_add(100, acq_rel);
            }
        }
#pragma omp barrier
        wrong += ran.load(acquire) != 1010 * all;
#pragma omp barrier
#pragma omp single
        {
            for (int i = 0; i < 10; ++i) {
#pragma omp task
                ran.fetch_add(1, acq_rel);
            }
        }
        wrong += ran.load(acquire) != 1010 * all + 10;
    }
    seen = ran.load(acquire);
    CHECK_EQ(seen, 1010 * threads + 10);
    CHECK_EQ(wrong, 0u);
}

void N8_a_group_waits_for_all_that_descend() {
    const Program program;
    if (bring_all() != cores) return;
    Atomic<uint32_t> inside{0};
    Atomic<uint32_t> outside{0};
    uint32_t wrong = 0;
#pragma omp parallel
#pragma omp single
    for (int round = 1; round <= 5; ++round) {
#pragma omp task
        outside.fetch_add(1, acq_rel);
#pragma omp taskgroup
        {
            for (int i = 0; i < 6; ++i) {
#pragma omp task
                {
#pragma omp task
                    {
#pragma omp task
                        inside.fetch_add(1, acq_rel);
                    }
                    // A group in a group.
#pragma omp taskgroup
                    {
#pragma omp task
                        inside.fetch_add(100, acq_rel);
                    }
                }
            }
        }
        wrong += inside.load(acquire) != 606u * static_cast<uint32_t>(round);
    }
    CHECK_EQ(wrong, 0u);
    CHECK_EQ(outside.load(acquire), 5u);
}

void N8_a_taskloop_runs_each_iteration_once() {
    const Program program;
    if (bring_all() != cores) return;
    static uint32_t hits[100];
    for (uint32_t& each : hits) each = 0;
    uint32_t wrong = 0;
    const volatile int volatile_n = 100;
    const int n = volatile_n;
#pragma omp parallel
#pragma omp single
    {
        const auto all_are = [](uint32_t count) {
            for (const uint32_t each : hits) {
                if (each != count) return false;
            }
            return true;
        };
#pragma omp taskloop
        for (int i = 0; i < n; ++i) ++hits[i];
        wrong += all_are(1) ? 0 : 1;
#pragma omp taskloop grainsize(7)
        for (int i = n - 1; i >= 0; --i) ++hits[i];
        wrong += all_are(2) ? 0 : 10;
#pragma omp taskloop num_tasks(9)
        for (unsigned long long i = 0; i < 100; ++i) ++hits[i];
        wrong += all_are(3) ? 0 : 100;
#pragma omp taskloop grainsize(strict : 7)
        for (int i = 0; i < n; ++i) ++hits[i];
        wrong += all_are(4) ? 0 : 1000;
#pragma omp taskloop num_tasks(1000)
        for (int i = 0; i < n; i += 1) ++hits[i];
        wrong += all_are(5) ? 0 : 10000;
#pragma omp taskloop if (n < 0)
        for (int i = 0; i < n; ++i) ++hits[i];
        wrong += all_are(6) ? 0 : 100000;
#pragma omp taskloop
        for (int i = n; i < 10; ++i) ++hits[i];
        wrong += all_are(6) ? 0 : 1000000;
#pragma omp taskloop nogroup
        for (int i = 0; i < n; ++i) ++hits[i];
#pragma omp taskwait
        wrong += all_are(7) ? 0 : 10000000;
    }
    CHECK_EQ(wrong, 0u);
}

void N8_what_is_final_or_not_deferred_runs_at_once() {
    const Program program;
    if (bring_all() != cores) return;
    uint32_t wrong = 0;
    [[maybe_unused]] const volatile bool no = false;
#pragma omp parallel
#pragma omp single
    {
        const uint32_t core = weft::this_core();
        bool ran = false;
#pragma omp task if (no) shared(ran)
        {
            ran = weft::this_core() == core;
            bool inner = false;
#pragma omp task shared(inner)
            inner = true;
#pragma omp taskwait
            ran = ran && inner;
        }
        wrong += !ran;
        ran = false;
#pragma omp task final(!no) shared(ran)
        {
            bool inner = false;
#pragma omp task shared(inner)
            inner = omp_in_final() != 0;
            ran = inner && weft::this_core() == core;  // without a taskwait
        }
#pragma omp taskwait
        wrong += !ran;
        wrong += omp_in_final() != 0;
    }
    CHECK_EQ(wrong, 0u);
}

void N8_dependences_hold() {
    const Program program;
    if (bring_all() != cores) return;
    uint32_t wrong = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; ++i) {
        int x = 0;
        int y = 0;
#pragma omp task depend(out : x) shared(x)
        x = 1;
#pragma omp task depend(in : x) depend(out : y) shared(x, y)
        y = x + 1;
#pragma omp task depend(inout : y) shared(y)
        y = y * 10;
#pragma omp taskwait depend(in : y)
        wrong += y != 20;
#pragma omp taskwait
    }
    CHECK_EQ(wrong, 0u);
}

struct Large {
    unsigned char bytes[300];
};

// A memory of two records: what finds no room runs at once, and all is done.
void N8_what_finds_no_room_runs_at_once() {
    static weft::openmp::Memory<cores, 2, 32> small;
    const Program program(small);
    if (bring_all() != cores) return;
    Atomic<uint32_t> ran{0};
    uint32_t result = 0;
    uint32_t wrong = 0;
    Large large = {};
    large.bytes[299] = 7;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 50; ++i) {
#pragma omp task
            ran.fetch_add(1, acq_rel);
        }
#pragma omp task firstprivate(large)
        ran.fetch_add(large.bytes[299] * 100u, acq_rel);
        // Groups that find no room, in each other and between tasks.
#pragma omp taskgroup
        {
#pragma omp taskgroup
            {
#pragma omp taskgroup
                {
                    for (int i = 0; i < 10; ++i) {
#pragma omp task
                        {
#pragma omp taskgroup
                            {
#pragma omp task
                                ran.fetch_add(1000, acq_rel);
                            }
                        }
                    }
                }
                wrong += ran.load(acquire) / 1000 != 10;
            }
        }
        result = fib(9);
    }
    CHECK_EQ(ran.load(acquire), 10750u);
    CHECK_EQ(result, 34u);
    CHECK_EQ(wrong, 0u);
    const weft::openmp::Figures figures = weft::openmp::figures();
    if (cores == 1) return;
    CHECK(figures.deferred != 0);
    CHECK(figures.without_room != 0);
    CHECK(figures.largest_data >= sizeof(Large));
}

struct alignas(64) Aligned {
    uint32_t value;
    Aligned() : value(1) {}
    Aligned(const Aligned& other) : value(other.value + 1) {}
};

// Data with a copy constructor, and with more alignment than a record has.
void N8_data_are_copied_where_they_belong() {
    static weft::openmp::Memory<cores, 8, 256> wide;
    const Program program(wide);
    if (bring_all() != cores) return;
    uint32_t wrong = 0;
    [[maybe_unused]] const volatile bool no = false;
#pragma omp parallel
#pragma omp single
    {
        Aligned data;
        for (int i = 0; i < 20; ++i) {
#pragma omp task firstprivate(data) shared(wrong) if (i % 3 != 0)
            {
                const bool good = data.value >= 2 && reinterpret_cast<uintptr_t>(&data) % 64 == 0;
#pragma omp atomic
                wrong += good ? 0 : 1;
            }
        }
#pragma omp task firstprivate(data) shared(wrong) if (no)
        {
            const bool good = data.value >= 2;
#pragma omp atomic
            wrong += good ? 0 : 1;
        }
    }
    CHECK_EQ(wrong, 0u);
}

// Tasks wake who sleeps at a barrier, and who waits for them.
void N8_a_task_wakes_who_sleeps() {
    const Program program;
    if (bring_all() != cores) return;
    Atomic<uint32_t> ran{0};
    uint32_t wrong = 0;
#pragma omp parallel
#pragma omp single
    for (uint32_t round = 1; round <= 5; ++round) {
        for (uint32_t wait = 0; wait != 10 * WEFT_STEAL_PATIENCE; ++wait) weft::Port::relax();
        for (uint32_t i = 0; i < cores; ++i) {
#pragma omp task
            {
                for (uint32_t wait = 0; wait != 10 * WEFT_STEAL_PATIENCE; ++wait) weft::Port::relax();
                ran.fetch_add(1, acq_rel);
            }
        }
#pragma omp taskwait
        wrong += ran.load(acquire) != round * cores;
    }
    CHECK_EQ(wrong, 0u);
}

constexpr tap::Test tests[] = {
    TEST(N8_a_task_waits_for_its_children),
    TEST(N8_a_barrier_waits_for_all_tasks),
    TEST(N8_a_group_waits_for_all_that_descend),
    TEST(N8_a_taskloop_runs_each_iteration_once),
    TEST(N8_what_is_final_or_not_deferred_runs_at_once),
    TEST(N8_dependences_hold),
    TEST(N8_what_finds_no_room_runs_at_once),
    TEST(N8_data_are_copied_where_they_belong),
    TEST(N8_a_task_wakes_who_sleeps),
};

}  // namespace

extern const tap::Tests tasks_tests{tests};

}  // namespace program
