// SPDX-License-Identifier: MIT OR Apache-2.0
// Nobody guesses how long a turn of the loop is.
// expect: weft: parallel_for(first, last, grain, body), or with a pool or a weft::Here before them
#include <weft/weft.hpp>

void loop(int last) {
    weft::parallel_for(0, last, [](int) {});
}
