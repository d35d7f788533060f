// SPDX-License-Identifier: MIT OR Apache-2.0
// Tests of OpenMP on a pool: kernels as people have them, from files that know nothing of weft. Promise N8.
#include "kernels.h"
#include "program.hpp"

namespace program {

extern const tap::Tests constructs_tests;
extern const tap::Tests loops_tests;
extern const tap::Tests tasks_tests;
extern const tap::Tests teams_tests;
extern const tap::Tests panics_tests;

namespace {

// With a team of all cores, and again: the second time is warm.
void expect(long (*kernel)(), long result) {
    const Program program;
    if (bring_all() != cores) return;
    const uint32_t teams = weft::openmp::figures().teams;
    for (int times = 0; times != 3; ++times) CHECK_EQ(kernel(), result);
    if (cores > 1) CHECK(weft::openmp::figures().teams > teams);
}

void N8_a_matrix_product() { expect(&matrix_product, MATRIX_PRODUCT); }
void N8_pi_by_a_reduction() { expect(&pi_in_millionths, PI_IN_MILLIONTHS); }
void N8_a_stencil_with_barriers() { expect(&heat_in_a_plate, HEAT); }
void N8_queens_by_tasks() { expect(&queens, QUEENS); }
void N8_a_sort_by_tasks() { expect(&merge_sort, 0); }
void N8_loops_of_unequal_iterations() { expect(&primes, PRIMES); }
void N8_a_reduction_of_an_array() { expect(&histogram, HISTOGRAM); }
void N8_a_schedule_of_run_time() {
    for (const omp_sched_t kind : schedules) {
        omp_set_schedule(kind, kind == omp_sched_dynamic ? 3 : 0);
        expect(&mandelbrot, MANDELBROT);
    }
    omp_set_schedule(omp_sched_dynamic, 1);
}

constexpr tap::Test tests[] = {
    TEST(N8_a_matrix_product),        TEST(N8_pi_by_a_reduction),      TEST(N8_a_stencil_with_barriers),
    TEST(N8_queens_by_tasks),         TEST(N8_a_sort_by_tasks),        TEST(N8_loops_of_unequal_iterations),
    TEST(N8_a_reduction_of_an_array), TEST(N8_a_schedule_of_run_time),
};

const tap::Tests kernels_tests{tests};

}  // namespace
}  // namespace program

extern "C" int board_main() {
    using namespace program;
    allow_floating_point();
#if __has_include("weft_host_faults.hpp")
    return tap::run({panics_tests, kernels_tests, constructs_tests, loops_tests, tasks_tests, teams_tests});
#else
    return tap::run({kernels_tests, constructs_tests, loops_tests, tasks_tests, teams_tests});
#endif
}
