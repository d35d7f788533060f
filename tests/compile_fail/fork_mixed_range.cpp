// SPDX-License-Identifier: MIT OR Apache-2.0
// The ends of a range have one type: which one would -1 be here?
// expect: weft: a range's ends have the same type; which one would -1 be in 0u..n?
#include <weft/weft.hpp>

void loop(unsigned last) {
    weft::parallel_for(-1, last, 1, [](int) {});
}
