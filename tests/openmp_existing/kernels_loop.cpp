// SPDX-License-Identifier: MIT OR Apache-2.0
// Algorithms of the parallel mode that are loops: one step for each element, or a reduction, or sums of all before.
#include "kernels.hpp"

#if HAS_PARALLEL_MODE
#include <parallel/algorithm>
#include <parallel/numeric>

#include "data.hpp"

namespace existing {
namespace {

Numbers numbers, found, expected;

bool changes_each(__gnu_parallel::_Parallelism way) {
    fill(found, is_wide);
    std::copy(found, found + count, expected);
    for (uint32_t& one : expected) one = one * 3 + 1;
    __gnu_parallel::for_each(
        found, found + count,
        [](uint32_t& one) {
            witness.see();
            one = one * 3 + 1;
        },
        way);
    return same(found, expected);
}

constexpr __gnu_parallel::_Parallelism ways[] = {
    __gnu_parallel::parallel_unbalanced, __gnu_parallel::parallel_balanced, __gnu_parallel::parallel_omp_loop,
    __gnu_parallel::parallel_omp_loop_static};

}  // namespace

bool for_each_in_equal_parts() { return changes_each(__gnu_parallel::parallel_unbalanced); }
bool for_each_by_work_stealing() { return changes_each(__gnu_parallel::parallel_balanced); }
bool for_each_by_omp_for() {
    return changes_each(__gnu_parallel::parallel_omp_loop) &&
           changes_each(__gnu_parallel::parallel_omp_loop_static);
}

bool transform() {
    fill(numbers, is_wide);
    const auto half = [](uint32_t one) {
        witness.see();
        return one / 2;
    };
    const auto end = __gnu_parallel::transform(numbers, numbers + count, found, half);
    for (uint32_t i = 0; i != count; ++i) expected[i] = numbers[i] / 2;
    return end == found + count && same(found, expected);
}

bool generate() {
    fill(found, is_wide);
    __gnu_parallel::generate(found, found + count, [] {
        witness.see();
        return 9u;
    });
    return std::count(found, found + count, 9u) == count;
}

bool accumulate() {
    fill(numbers, is_wide);
    const uint32_t sum = std::accumulate(numbers, numbers + count, 5u);
    return std::all_of(std::begin(ways), std::end(ways), [sum](__gnu_parallel::_Parallelism way) {
        return __gnu_parallel::accumulate(numbers, numbers + count, 5u, Add(), way) == sum;
    });
}

bool inner_product() {
    fill(numbers, 1000);
    fill(expected, 1000, 2);
    const uint32_t product = std::inner_product(numbers, numbers + count, expected, 0u);
    const auto times = [](uint32_t left, uint32_t right) { return left * right; };
    return __gnu_parallel::inner_product(numbers, numbers + count, expected, 0u, Add(), times) == product;
}

bool count_if() {
    fill(numbers, is_wide);
    const auto by_three = [](uint32_t one) {
        witness.see();
        return one % 3 == 0;
    };
    return __gnu_parallel::count_if(numbers, numbers + count, by_three) ==
           std::count_if(numbers, numbers + count, [](uint32_t one) { return one % 3 == 0; });
}

bool max_element() {
    fill(numbers, is_wide);
    return __gnu_parallel::max_element(numbers, numbers + count, Less()) ==
           std::max_element(numbers, numbers + count);
}

bool partial_sum() {
    fill(numbers, is_wide);
    const auto end = __gnu_parallel::partial_sum(numbers, numbers + count, found, Add());
    std::partial_sum(numbers, numbers + count, expected);
    return end == found + count && same(found, expected);
}

bool adjacent_difference() {
    fill(numbers, is_wide);
    const auto minus = [](uint32_t left, uint32_t right) {
        witness.see();
        return left - right;
    };
    const auto end = __gnu_parallel::adjacent_difference(numbers, numbers + count, found, minus);
    std::adjacent_difference(numbers, numbers + count, expected);
    return end == found + count && same(found, expected);
}

}  // namespace existing
#endif
