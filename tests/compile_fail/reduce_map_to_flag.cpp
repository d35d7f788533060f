// SPDX-License-Identifier: MIT OR Apache-2.0
// A number of things in a bool.
// expect: weft: parallel_reduce's result has the type of its identity, which does not hold what map returns
#include <weft/weft.hpp>

auto sum(int n) {
    return weft::parallel_reduce(
        0, n, 64, false, [](int i) { return i; }, [](bool a, bool b) { return a || b; });
}
