// SPDX-License-Identifier: MIT OR Apache-2.0
// The identity stands before map.
// expect: weft: parallel_reduce(first, last, grain, identity, map, combine): map is called with an index
#include <weft/weft.hpp>

void reduce(int last) {
    (void)weft::parallel_reduce(
        0, last, 8, [](int i) { return i; }, [](int a, int b) { return a + b; }, 0);
}
