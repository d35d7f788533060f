// SPDX-License-Identifier: MIT OR Apache-2.0
// Parallel code inside of a function: fork_join() for two halves, parallel_for() and parallel_reduce() for loops. Each
// call returns when all of it is done. main() is no task: so it names the pool, and works for it meanwhile.
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t count = 4096;
uint32_t numbers[count];
uint32_t merged[count];

WEFT_CONSTINIT weft::Pool<4> pool{};

void merge(const uint32_t* a, uint32_t an, const uint32_t* b, uint32_t bn, uint32_t* to) {
    while (an != 0 || bn != 0) {
        if (bn == 0 || (an != 0 && *a <= *b)) {
            *to++ = *a++, --an;
        } else {
            *to++ = *b++, --bn;
        }
    }
}

void sort(uint32_t* first, uint32_t n, uint32_t* room) {
    if (n < 2) return;
    const uint32_t half = n / 2;
    // A short half is not worth another core's attention; forking it costs next to nothing all the same.
    // [readme]
    weft::fork_join([&] { sort(first, half, room); }, [&] { sort(first + half, n - half, room + half); });
    // [readme end]
    merge(first, half, first + half, n - half, room);
    for (uint32_t i = 0; i != n; ++i) first[i] = room[i];
}

int main() {
    uint32_t seed = 1;
    for (uint32_t& number : numbers) number = (seed = seed * 1664525 + 1013904223) >> 8;
    pool.call([] { sort(numbers, count, merged); });

    merged[0] = numbers[0];
    // [readme]
    // Pieces of 64 at least; it splits only where a core is idle. In a task no pool is named.
    weft::parallel_for(pool, 1u, count, 64, [](uint32_t i) { merged[i] = numbers[i] - numbers[i - 1]; });
    const uint32_t largest = weft::parallel_reduce(
        pool, 0u, count, 64, 0u, [](uint32_t i) { return merged[i]; },
        [](uint32_t a, uint32_t b) { return a > b ? a : b; });
    // [readme end]

    pool.shutdown();
    if (pool.join() != weft::Status::ok) return 1;
    for (uint32_t i = 1; i != count; ++i) {
        if (numbers[i - 1] > numbers[i]) return 1;
    }
    print("sorted; the widest gap is", largest);
    return 0;
}
