// SPDX-License-Identifier: MIT OR Apache-2.0
// A sum of 64-bit numbers in an int.
// expect: weft: parallel_reduce's result has the type of its identity, which does not hold what map returns
#include <weft/weft.hpp>

auto sum(int n) {
    return weft::parallel_reduce(
        0, n, 64, 0, [](int i) { return static_cast<uint64_t>(i); }, [](int a, int b) { return a + b; });
}
