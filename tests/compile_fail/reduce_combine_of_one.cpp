// SPDX-License-Identifier: MIT OR Apache-2.0
// Two values become one.
// expect: weft: parallel_reduce(first, last, grain, identity, map, combine): combine is called with two values
#include <weft/weft.hpp>

int reduce(int last) {
    return weft::parallel_reduce(
        0, last, 8, 0, [](int i) { return i; }, [](int i) { return i; });
}
