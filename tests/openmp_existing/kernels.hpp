// SPDX-License-Identifier: MIT OR Apache-2.0
// OpenMP code that others wrote, and that knows nothing of weft: the parallel mode of GCC's C++ library, as it is
// installed with the compiler (<parallel/algorithm>, "MCSTL"). Each function below runs one of its algorithms, and says
// whether the answer is that of the sequential algorithm. They may use floating point.
#pragma once

#include <omp.h>
#include <stdint.h>

#include <weft/port.hpp>

// Compilers for bare metal have no parallel mode in their library; that of AArch64's boards is one for Linux.
#if __has_include(<parallel/algorithm>)
#define HAS_PARALLEL_MODE 1
#else
#define HAS_PARALLEL_MODE 0
#endif

namespace existing {

// Who has called the functions that are handed to an algorithm, in a team.
class Witness {
public:
    void forget() {
        cores_.store(0, weft::relaxed);  // relaxed (all): read when the region is over
        sizes_.store(0, weft::relaxed);
    }
    void see() {
        const int threads = omp_get_num_threads();
        if (threads == 1) return;
        add(cores_, weft::Port::core_id());
        add(sizes_, static_cast<uint32_t>(threads));
    }
    uint32_t cores() const { return cores_.load(weft::relaxed); }  // a bit for each
    uint32_t sizes() const { return sizes_.load(weft::relaxed); }  // of the teams: a bit for each

private:
    static void add(weft::Atomic<uint32_t>& set, uint32_t number) {
        if ((set.load(weft::relaxed) >> number & 1) == 0) set.fetch_or(1u << number, weft::relaxed);
    }

    weft::Atomic<uint32_t> cores_{};
    weft::Atomic<uint32_t> sizes_{};
};
inline Witness witness;

using Kernel = bool();

// kernels_sort.cpp
Kernel multiway_mergesort, multiway_mergesort_sampling, quicksort, balanced_quicksort, stable_sort, merge,
    nth_element, partial_sort;
// kernels_loop.cpp
Kernel for_each_in_equal_parts, for_each_by_work_stealing, for_each_by_omp_for, transform, generate,
    accumulate, inner_product, count_if, max_element, partial_sum, adjacent_difference;
// kernels_search.cpp
Kernel find_if_in_equal_blocks, find_if_in_growing_blocks, find_if_in_equal_parts, mismatch, partition,
    unique_copy, set_union, set_difference, set_intersection, set_symmetric_difference;

// runtime.cpp: all that `new` has given is free again. (Some of GCC 12's algorithms forget to give it back.)
void free_memory();

}  // namespace existing
