// SPDX-License-Identifier: MIT OR Apache-2.0
// Each turn has its number.
// expect: weft: the body of a loop is called with an index: parallel_for(first, last, grain, [&](int i) { ... })
#include <weft/weft.hpp>

void loop(int last) {
    weft::parallel_for(0, last, 8, [] {});
}
