// SPDX-License-Identifier: MIT OR Apache-2.0
// Several unlike parts of one job, done at the same time and joined: a TaskGroup. Its children are on the stack of the
// function that waits for them, so they may use all that it has. fork_join() is the shorter form for two.
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t count = 2048;
uint32_t numbers[count];

WEFT_CONSTINIT weft::Pool<4> pool{};

struct Summary {
    uint32_t least = UINT32_MAX;
    uint32_t largest = 0;
    uint32_t sum = 0;
    uint32_t odd = 0;
};

Summary summary_of(const uint32_t* first, uint32_t n) {
    Summary found;
    weft::GroupTask least([&] {
        for (uint32_t i = 0; i != n; ++i) found.least = first[i] < found.least ? first[i] : found.least;
    });
    weft::GroupTask largest([&] {
        for (uint32_t i = 0; i != n; ++i) found.largest = first[i] > found.largest ? first[i] : found.largest;
    });
    weft::GroupTask sum([&] {
        for (uint32_t i = 0; i != n; ++i) found.sum += first[i];
    });
    weft::TaskGroup group;  // behind its children: its end waits for them
    group.run(least);
    group.run(largest);
    group.run(sum);
    for (uint32_t i = 0; i != n; ++i) found.odd += first[i] % 2;  // a part of one's own meanwhile
    group.wait();
    return found;
}

int main() {
    for (uint32_t i = 0; i != count; ++i) numbers[i] = i * 1021 % count;  // each of 0..2047 once
    Summary found;
    pool.call([&] { found = summary_of(numbers, count); });
    pool.shutdown();
    if (pool.join() != weft::Status::ok) return 1;
    print("sum:", found.sum);
    print("odd:", found.odd);
    const bool good = found.least == 0 && found.largest == count - 1 &&
                      found.sum == count / 2 * (count - 1) && found.odd == count / 2;
    return good ? 0 : 1;
}
