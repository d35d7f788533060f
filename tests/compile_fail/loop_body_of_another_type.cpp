// SPDX-License-Identifier: MIT OR Apache-2.0
// A number is no text.
// expect: weft: the body of a loop is called with an index: parallel_for(first, last, grain, [&](int i) { ... })
#include <weft/weft.hpp>

void loop(weft::Scheduler& pool, int last) {
    weft::parallel_for(pool, 0, last, 8, [](const char*) {});
}
