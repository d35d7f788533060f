// SPDX-License-Identifier: MIT OR Apache-2.0
// Where would -1 go?
// expect: weft: parallel_reduce's result has the type of its identity, which does not hold what map returns
#include <weft/weft.hpp>

auto sum(int n) {
    return weft::parallel_reduce(
        0, n, 64, uint64_t(0), [](int i) { return -i; }, [](uint64_t a, uint64_t b) { return a + b; });
}
