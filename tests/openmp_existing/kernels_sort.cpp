// SPDX-License-Identifier: MIT OR Apache-2.0
// Algorithms of the parallel mode that sort and merge. (Not random_shuffle(): its random number generators, of 5 KiB
// each, do not fit into the 16 KiB of a stack on the boards.)
#include "kernels.hpp"

#if HAS_PARALLEL_MODE
#include <parallel/algorithm>

#include "data.hpp"

namespace existing {
namespace {

Numbers found, expected;

template <class Way>
bool sorts(Way way) {
    for (const uint32_t end : {is_wide, 2 * count, 5u}) {  // few are equal, some, most
        fill(found, end);
        std::copy(found, found + count, expected);
        std::sort(expected, expected + count);
        __gnu_parallel::sort(found, found + count, Less(), way);
        if (!same(found, expected)) return false;
    }
    return true;
}

struct Record {
    uint32_t key, place;
    bool operator==(const Record& other) const { return key == other.key && place == other.place; }
};
struct LessByKey {
    bool operator()(const Record& left, const Record& right) const { return Less()(left.key, right.key); }
};
Record records[count];

}  // namespace

bool multiway_mergesort() { return sorts(__gnu_parallel::multiway_mergesort_tag()); }
bool multiway_mergesort_sampling() { return sorts(__gnu_parallel::multiway_mergesort_sampling_tag()); }
bool quicksort() { return sorts(__gnu_parallel::quicksort_tag()); }
bool balanced_quicksort() { return sorts(__gnu_parallel::balanced_quicksort_tag()); }

bool stable_sort() {
    fill(found, 100);
    for (uint32_t i = 0; i != count; ++i) records[i] = {found[i], i};
    __gnu_parallel::stable_sort(records, records + count, LessByKey());
    for (uint32_t i = 1; i != count; ++i) {
        const Record &left = records[i - 1], &right = records[i];
        if (left.key > right.key || (left.key == right.key && left.place >= right.place)) return false;
    }
    return std::all_of(records, records + count,
                       [](const Record& one) { return found[one.place] == one.key; });
}

bool merge() {
    fill(expected, 2 * count);
    const auto middle = expected + count / 3;
    std::sort(expected, middle);
    std::sort(middle, expected + count);
    const auto end = __gnu_parallel::merge(expected, middle, middle, expected + count, found, Less());
    std::inplace_merge(expected, middle, expected + count);
    return end == found + count && same(found, expected);
}

bool nth_element() {
    for (const uint32_t n : {0u, 7u, count / 2, count - 1}) {
        fill(found, is_wide);
        std::copy(found, found + count, expected);
        std::sort(expected, expected + count);
        __gnu_parallel::nth_element(found, found + n, found + count, Less());
        const uint32_t nth = found[n];
        if (nth != expected[n]) return false;
        if (!std::all_of(found, found + n, [nth](uint32_t one) { return one <= nth; })) return false;
        if (!std::all_of(found + n, found + count, [nth](uint32_t one) { return one >= nth; })) return false;
    }
    return true;
}

bool partial_sort() {
    fill(found, is_wide);
    std::copy(found, found + count, expected);
    std::sort(expected, expected + count);
    const uint32_t sorted = count / 4;
    __gnu_parallel::partial_sort(found, found + sorted, found + count, Less());
    if (!std::equal(found, found + sorted, expected)) return false;
    std::sort(found + sorted, found + count);
    return same(found, expected);
}

}  // namespace existing
#endif
