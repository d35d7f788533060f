// SPDX-License-Identifier: MIT OR Apache-2.0
// A pool is no end of a range.
// expect: weft: parallel_for(first, last, grain, body), or with a pool or a weft::Here before them
#include <weft/weft.hpp>

void loop(weft::Scheduler& pool, unsigned last) {
    weft::parallel_for(pool, 0u, last, [](unsigned) {});
}
