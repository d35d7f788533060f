// SPDX-License-Identifier: MIT OR Apache-2.0
// A Here is no end of a range.
// expect: weft: parallel_for(first, last, grain, body), or with a pool or a weft::Here before them
#include <weft/weft.hpp>

void loop(weft::Here here, int last) {
    weft::parallel_for(here, 0, last, [](int) {});
}
