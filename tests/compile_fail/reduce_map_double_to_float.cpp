// SPDX-License-Identifier: MIT OR Apache-2.0
// A sum of doubles in a float.
// expect: weft: parallel_reduce's result has the type of its identity, which does not hold what map returns
#include <weft/weft.hpp>

auto sum(int n) {
    return weft::parallel_reduce(
        0, n, 64, 0.0f, [](int i) { return 0.5 * i; }, [](float a, float b) { return a + b; });
}
