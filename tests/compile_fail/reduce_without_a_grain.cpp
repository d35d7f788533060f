// SPDX-License-Identifier: MIT OR Apache-2.0
// An identity is no grain.
// expect: weft: parallel_reduce(first, last, grain, identity, map, combine), or with a pool or a weft::Here before them
#include <weft/weft.hpp>

int reduce(int last) {
    return weft::parallel_reduce(
        0, last, 0, [](int i) { return i; }, [](int a, int b) { return a + b; });
}
