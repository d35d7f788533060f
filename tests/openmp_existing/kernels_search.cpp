// SPDX-License-Identifier: MIT OR Apache-2.0
// Algorithms of the parallel mode that search, choose, and work with sets. (Not search() of GCC 12: it writes one
// element behind an array on its stack, with libgomp, too.)
#include "kernels.hpp"

#if HAS_PARALLEL_MODE
#include <parallel/algorithm>
#include <parallel/settings.h>

#include "data.hpp"

namespace existing {
namespace {

Numbers numbers, others;
uint32_t found[2 * count], expected[2 * count];

// The first of several, the last element, none.
bool finds(__gnu_parallel::_FindAlgorithm way) {
    const __gnu_parallel::_Settings former = __gnu_parallel::_Settings::get();
    __gnu_parallel::_Settings settings = former;
    settings.find_algorithm = way;
    __gnu_parallel::_Settings::set(settings);
    bool good = true;
    for (const uint32_t place : {17u, count / 2, count - 1, count}) {
        fill(numbers, is_wide);
        for (uint32_t i = place; i < count; i += 1000) numbers[i] = is_wide;
        const auto is_it = [](uint32_t one) {
            witness.see();
            return one == is_wide;
        };
        good = good && __gnu_parallel::find_if(numbers, numbers + count, is_it) == numbers + place;
    }
    settings = former;
    __gnu_parallel::_Settings::set(settings);
    return good;
}

template <class Parallel, class Sequential>
bool unite(Parallel parallel, Sequential sequential) {
    fill(numbers, 2 * count);
    fill(others, 2 * count, 3);
    std::sort(numbers, numbers + count);
    std::sort(others, others + count);
    const auto found_end = parallel(numbers, numbers + count, others, others + count, found);
    const auto end = sequential(numbers, numbers + count, others, others + count, expected);
    return found_end - found == end - expected && std::equal(found, found_end, expected);
}

}  // namespace

bool find_if_in_equal_blocks() { return finds(__gnu_parallel::CONSTANT_SIZE_BLOCKS); }
bool find_if_in_growing_blocks() { return finds(__gnu_parallel::GROWING_BLOCKS); }
bool find_if_in_equal_parts() { return finds(__gnu_parallel::EQUAL_SPLIT); }

bool mismatch() {
    fill(numbers, is_wide);
    fill(others, is_wide);
    const auto equal = [](uint32_t left, uint32_t right) {
        witness.see();
        return left == right;
    };
    if (__gnu_parallel::mismatch(numbers, numbers + count, others, equal).first != numbers + count)
        return false;
    const uint32_t place = count / 4 * 3;
    ++others[place];
    ++others[count - 1];
    return __gnu_parallel::mismatch(numbers, numbers + count, others, equal).first == numbers + place;
}

bool partition() {
    fill(numbers, is_wide);
    std::copy(numbers, numbers + count, others);
    const auto even = [](uint32_t one) { return one % 2 == 0; };
    const auto seen_even = [](uint32_t one) {
        witness.see();
        return one % 2 == 0;
    };
    const auto middle = __gnu_parallel::partition(numbers, numbers + count, seen_even);
    if (!std::all_of(numbers, middle, even) || std::any_of(middle, numbers + count, even)) return false;
    std::sort(numbers, numbers + count);
    std::sort(others, others + count);
    return same(numbers, others);
}

bool unique_copy() {
    fill(numbers, count / 2);
    std::sort(numbers, numbers + count);
    const auto equal = [](uint32_t left, uint32_t right) {
        witness.see();
        return left == right;
    };
    const auto found_end = __gnu_parallel::unique_copy(numbers, numbers + count, found, equal);
    const auto end = std::unique_copy(numbers, numbers + count, expected);
    return found_end - found == end - expected && std::equal(found, found_end, expected);
}

// The four of sets: the same arguments for both of their kinds.
#define SET_KERNEL(name)                                                                     \
    bool name() {                                                                            \
        return unite([](auto... values) { return __gnu_parallel::name(values..., Less()); }, \
                     [](auto... values) { return std::name(values...); });                   \
    }
SET_KERNEL(set_union)
SET_KERNEL(set_difference)
SET_KERNEL(set_intersection)
SET_KERNEL(set_symmetric_difference)

}  // namespace existing
#endif
