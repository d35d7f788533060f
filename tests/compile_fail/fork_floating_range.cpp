// SPDX-License-Identifier: MIT OR Apache-2.0
// How often is that?
// expect: weft: a range's ends are integers of at most 64 bits
#include <weft/weft.hpp>

void loop() {
    weft::parallel_for(0.5, 3.25, 1, [](double) {});
}
