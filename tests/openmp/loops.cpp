// SPDX-License-Identifier: MIT OR Apache-2.0
// OpenMP's loops: each iteration once, for every schedule, up and down, of every type.
#include "program.hpp"

namespace program {
namespace {

constexpr int n = 203;
uint32_t hits[n];

void clear() {
    for (uint32_t& each : hits) each = 0;
}
void hit(int i) { ++hits[i]; }  // an iteration is one thread's
bool all_are(uint32_t count) {
    for (const uint32_t each : hits) {
        if (each != count) return false;
    }
    return true;
}

void N8_each_iteration_runs_once() {
    const Program program;
    if (bring_all() != cores) return;
    // What is not known when it is compiled, and what is: GCC calls other functions.
    const volatile int volatile_n = n;
    const int count = volatile_n;
    clear();
#pragma omp parallel for
    for (int i = 0; i < count; ++i) hit(i);
#pragma omp parallel for schedule(static, 3)
    for (int i = 0; i < count; ++i) hit(i);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < count; ++i) hit(i);
#pragma omp parallel for schedule(dynamic, 7)
    for (int i = 0; i < n; ++i) hit(i);
#pragma omp parallel for schedule(monotonic : dynamic, 7)
    for (int i = 0; i < n; ++i) hit(i);
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < count; ++i) hit(i);
#pragma omp parallel for schedule(guided, 5)
    for (int i = n - 1; i >= 0; --i) hit(i);
#pragma omp parallel for schedule(monotonic : guided, 5)
    for (int i = n - 1; i >= 0; --i) hit(i);
#pragma omp parallel for schedule(auto)
    for (int i = 0; i < count; ++i) hit(i);
#pragma omp parallel for schedule(dynamic, 1000)
    for (int i = 0; i < count; ++i) hit(i);
    CHECK(all_are(10));
}

void N8_each_schedule_of_run_time_runs_each_iteration_once() {
    const Program program;
    if (bring_all() != cores) return;
    const volatile int volatile_n = n;
    const int count = volatile_n;
    constexpr int chunks[] = {0, 1, 4, 500};
    for (const omp_sched_t kind : schedules) {
        for (const int chunk : chunks) {
            omp_set_schedule(kind, chunk);
            clear();
#pragma omp parallel for schedule(runtime)
            for (int i = 0; i < count; ++i) hit(i);
#pragma omp parallel for schedule(monotonic : runtime)
            for (int i = 0; i < n; ++i) hit(i);
#pragma omp parallel for schedule(nonmonotonic : runtime)
            for (int i = n - 1; i >= 0; --i) hit(i);
#pragma omp parallel
            {
#pragma omp for schedule(runtime) nowait
                for (unsigned long long i = 0; i < static_cast<unsigned long long>(count); ++i) {
                    // The next loop may have begun on another core.
#pragma omp atomic
                    ++hits[i];
                }
#pragma omp for schedule(monotonic : runtime)
                for (int i = 0; i < count; ++i) {
#pragma omp atomic
                    ++hits[i];
                }
            }
            CHECK(all_are(5));
        }
    }
    omp_set_schedule(omp_sched_guided, 3);
    omp_sched_t kind = omp_sched_auto;
    int chunk = 0;
    omp_get_schedule(&kind, &chunk);
    CHECK(kind == omp_sched_guided && chunk == 3);
    omp_set_schedule(omp_sched_dynamic, 1);
}

void N8_loops_have_any_step_and_may_be_empty() {
    const Program program;
    if (bring_all() != cores) return;
    for (int step = 1; step < 9; step += 2) {
        for (int from = 0; from < n; from += 67) {
            uint32_t serial = 0;
            for (int i = from; i < n; i += step) serial += 1000u + static_cast<uint32_t>(i);
            for (int i = n; i > from; i -= step) serial += static_cast<uint32_t>(i);
            uint32_t sum = 0;
            int last = -1;
#pragma omp parallel
            {
#pragma omp for schedule(dynamic, 2) reduction(+ : sum) lastprivate(last)
                for (int i = from; i < n; i += step) {
                    sum += 1000u + static_cast<uint32_t>(i);
                    last = i;
                }
#pragma omp for schedule(guided, 2) reduction(+ : sum)
                for (int i = n; i > from; i -= step) sum += static_cast<uint32_t>(i);
            }
            CHECK_EQ(sum, serial);
            CHECK_EQ(last, from + (n - 1 - from) / step * step);
        }
    }
    const volatile int none = 0;
    uint32_t ran = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < none; ++i) ++ran;
#pragma omp for schedule(guided)
        for (int i = none; i > 5; --i) ++ran;
#pragma omp for schedule(runtime)
        for (unsigned long long i = 7; i < static_cast<unsigned long long>(none); ++i) ++ran;
    }
    CHECK_EQ(ran, 0u);
}

void N8_loops_go_over_64_bits() {
    const Program program;
    if (bring_all() != cores) return;
    const volatile unsigned long long volatile_end = 0xffffffff00000000ull;
    const unsigned long long end = volatile_end;
    const unsigned long long step = 0x0123456789abcdefull;
    unsigned long long serial = 0;
    for (unsigned long long i = 3; i < end && i >= 3; i += step) serial ^= i * 3;
    unsigned long long sum = 0;
#pragma omp parallel for schedule(dynamic, 3) reduction(^ : sum)
    for (unsigned long long i = 3; i < end; i += step) sum ^= i * 3;
    CHECK(sum == serial);
    sum = 0;
#pragma omp parallel for schedule(guided) reduction(^ : sum)
    for (unsigned long long i = 3; i < end; i += step) sum ^= i * 3;
    CHECK(sum == serial);
    long long down = 0;
    for (long long i = 1ll << 40; i > -(1ll << 40); i -= 1ll << 35) down += i / 3;
    long long found = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : found)
    for (long long i = 1ll << 40; i > -(1ll << 40); i -= 1ll << 35) found += i / 3;
    CHECK(found == down);
}

// Threads are in different loops at the same time; more of them than there are places.
void N8_threads_run_ahead_where_nobody_waits() {
    const Program program;
    if (bring_all() != cores) return;
    uint32_t sum = 0;
#pragma omp parallel reduction(+ : sum)
    for (int round = 0; round < 40; ++round) {
        if (omp_get_thread_num() == round % 3) {
            for (int wait = 0; wait != 200; ++wait) weft::Port::relax();
        }
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 9; ++i) sum += 1;
#pragma omp sections nowait
        {
#pragma omp section
            sum += 100;
#pragma omp section
            sum += 10000;
        }
    }
    CHECK_EQ(sum, 40u * 10109u);
}

void N8_nested_loops_are_one() {
    const Program program;
    if (bring_all() != cores) return;
    uint32_t sum = 0;
    const volatile int volatile_n = 13;
    const int rows = volatile_n;
#pragma omp parallel for collapse(3) schedule(dynamic, 4) reduction(+ : sum)
    for (int i = 0; i < rows; ++i) {
        for (int j = 3; j < rows; j += 2) {
            for (int k = 0; k < 3; ++k) sum += static_cast<uint32_t>(i * 100 + j * 10 + k);
        }
    }
    uint32_t serial = 0;
    for (int i = 0; i < rows; ++i) {
        for (int j = 3; j < rows; j += 2) {
            for (int k = 0; k < 3; ++k) serial += static_cast<uint32_t>(i * 100 + j * 10 + k);
        }
    }
    CHECK_EQ(sum, serial);
}

// A loop outside of regions, with one thread.
void N8_an_orphaned_loop_is_serial() {
    const Program program;
    clear();
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < n; ++i) hit(i);
#pragma omp for schedule(guided)
    for (unsigned long long i = 0; i < n; ++i) hit(static_cast<int>(i));
    CHECK(all_are(2));
}

constexpr tap::Test tests[] = {
    TEST(N8_each_iteration_runs_once),
    TEST(N8_each_schedule_of_run_time_runs_each_iteration_once),
    TEST(N8_loops_have_any_step_and_may_be_empty),
    TEST(N8_loops_go_over_64_bits),
    TEST(N8_threads_run_ahead_where_nobody_waits),
    TEST(N8_nested_loops_are_one),
    TEST(N8_an_orphaned_loop_is_serial),
};

}  // namespace

extern const tap::Tests loops_tests{tests};

}  // namespace program
