// SPDX-License-Identifier: MIT OR Apache-2.0
// The body comes last.
// expect: weft: parallel_for(first, last, grain, body), or with a pool or a weft::Here before them
#include <weft/weft.hpp>

void loop(int last) {
    weft::parallel_for(
        0, last, [](int) {}, 8);
}
