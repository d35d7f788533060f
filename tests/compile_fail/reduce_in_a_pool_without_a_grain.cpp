// SPDX-License-Identifier: MIT OR Apache-2.0
// A pool is no end of a range.
// expect: weft: parallel_reduce(first, last, grain, identity, map, combine), or with a pool or a weft::Here before them
#include <weft/weft.hpp>

int reduce(weft::Scheduler& pool, int last) {
    return weft::parallel_reduce(
        pool, 0, last, 0, [](int i) { return i; }, [](int a, int b) { return a + b; });
}
