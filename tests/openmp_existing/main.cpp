// SPDX-License-Identifier: MIT OR Apache-2.0
// OpenMP code that is not of this tree, unchanged, on a pool (docs/OPENMP.md 9). Promise N8.
#include "kernels.hpp"

#include "../openmp/program.hpp"

namespace program {
namespace {

#if HAS_PARALLEL_MODE
constexpr uint32_t all_cores = (1u << cores) - 1;

// Who calls the functions that a kernel hands in.
enum class Who {
    all,     // each member has a part: all cores, sooner or later
    any,     // in a team of all; members take what there is, so that one may be too late for any
    of_two,  // in teams of two: below, the algorithm nests regions, which have one thread here
};

bool has_been_seen(Who who) {
    const uint32_t seen = existing::witness.cores();
    const bool whole_team = (existing::witness.sizes() >> cores & 1) != 0;
    switch (who) {
        case Who::all: return seen == all_cores && whole_team;
        case Who::any: return seen != 0 && whole_team;
        case Who::of_two: return (existing::witness.sizes() >> 2 & 1) != 0;
    }
    return false;
}

// Again, until the cores have been seen: a core of a busy machine may come too late for one region.
void expect(existing::Kernel* kernel, Who who) {
    const Program program;
    if (bring_all() != cores) return;
    existing::witness.forget();
    const uint32_t teams = weft::openmp::figures().teams;
    tap::wait_for(
        [=] {
            CHECK(kernel());
            existing::free_memory();
            return cores == 1 || has_been_seen(who) || tap::failed();
        },
        "all cores in a team, at work");
    if (cores > 1) CHECK(weft::openmp::figures().teams > teams);
}
#define EXPECT(kernel, who) expect(&existing::kernel, Who::who)
#else
#define EXPECT(kernel, who) tap::skip("not on this board: a compiler with <parallel/algorithm>")
#endif

#define KERNEL(kernel, who) \
    void N8_existing_##kernel() { EXPECT(kernel, who); }

KERNEL(multiway_mergesort, all)
KERNEL(multiway_mergesort_sampling, all)
KERNEL(quicksort, of_two)
KERNEL(balanced_quicksort, of_two)
KERNEL(stable_sort, all)
KERNEL(merge, all)
KERNEL(nth_element, any)
KERNEL(partial_sort, any)
KERNEL(for_each_in_equal_parts, all)
KERNEL(for_each_by_work_stealing, any)
KERNEL(for_each_by_omp_for, any)
KERNEL(transform, any)
KERNEL(generate, any)
KERNEL(accumulate, all)
KERNEL(inner_product, all)
KERNEL(count_if, any)
KERNEL(max_element, any)
KERNEL(partial_sum, all)
KERNEL(adjacent_difference, any)
KERNEL(find_if_in_equal_blocks, any)
KERNEL(find_if_in_growing_blocks, any)
KERNEL(find_if_in_equal_parts, all)
KERNEL(mismatch, any)
KERNEL(partition, any)
KERNEL(unique_copy, all)
KERNEL(set_union, all)
KERNEL(set_difference, all)
KERNEL(set_intersection, all)
KERNEL(set_symmetric_difference, all)

constexpr tap::Test tests[] = {
    TEST(N8_existing_multiway_mergesort),
    TEST(N8_existing_multiway_mergesort_sampling),
    TEST(N8_existing_quicksort),
    TEST(N8_existing_balanced_quicksort),
    TEST(N8_existing_stable_sort),
    TEST(N8_existing_merge),
    TEST(N8_existing_nth_element),
    TEST(N8_existing_partial_sort),
    TEST(N8_existing_for_each_in_equal_parts),
    TEST(N8_existing_for_each_by_work_stealing),
    TEST(N8_existing_for_each_by_omp_for),
    TEST(N8_existing_transform),
    TEST(N8_existing_generate),
    TEST(N8_existing_accumulate),
    TEST(N8_existing_inner_product),
    TEST(N8_existing_count_if),
    TEST(N8_existing_max_element),
    TEST(N8_existing_partial_sum),
    TEST(N8_existing_adjacent_difference),
    TEST(N8_existing_find_if_in_equal_blocks),
    TEST(N8_existing_find_if_in_growing_blocks),
    TEST(N8_existing_find_if_in_equal_parts),
    TEST(N8_existing_mismatch),
    TEST(N8_existing_partition),
    TEST(N8_existing_unique_copy),
    TEST(N8_existing_set_union),
    TEST(N8_existing_set_difference),
    TEST(N8_existing_set_intersection),
    TEST(N8_existing_set_symmetric_difference),
};

}  // namespace
}  // namespace program

extern "C" int board_main() {
    program::allow_floating_point();
    return tap::run({program::tests});
}
