// SPDX-License-Identifier: MIT OR Apache-2.0
// First map, then combine.
// expect: weft: parallel_reduce(first, last, grain, identity, map, combine): map is called with an index
#include <weft/weft.hpp>

int reduce(int last) {
    return weft::parallel_reduce(
        0, last, 8, 0, [](int a, int b) { return a + b; }, [](int i) { return i; });
}
