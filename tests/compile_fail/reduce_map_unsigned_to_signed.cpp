// SPDX-License-Identifier: MIT OR Apache-2.0
// Half of all numbers are not in an int.
// expect: weft: parallel_reduce's result has the type of its identity, which does not hold what map returns
#include <weft/weft.hpp>

auto sum(int n) {
    return weft::parallel_reduce(
        0, n, 64, 0, [](int i) { return static_cast<unsigned>(i); }, [](int a, int b) { return a + b; });
}
