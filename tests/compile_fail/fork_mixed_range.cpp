// SPDX-License-Identifier: MIT OR Apache-2.0
// The ends of a range have one type.
// expect: weft: first and last of a range must have the same type; cast one
#include <weft/weft.hpp>

void loop(unsigned last) {
    weft::parallel_for(-1, last, 1, [](int) {});
}
