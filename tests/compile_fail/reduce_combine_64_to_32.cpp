// SPDX-License-Identifier: MIT OR Apache-2.0
// What combine returns is kept as an int.
// expect: weft: parallel_reduce's result has the type of its identity, which does not hold what combine returns
#include <weft/weft.hpp>

auto sum(int n) {
    return weft::parallel_reduce(
        0, n, 64, 0, [](int i) { return i; }, [](int64_t a, int64_t b) { return a + b; });
}
