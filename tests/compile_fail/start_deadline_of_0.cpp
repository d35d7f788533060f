// SPDX-License-Identifier: MIT OR Apache-2.0
// A setting out of its range.
// expect: weft: WEFT_START_DEADLINE_MS must be 1..4000
// most: 2
// flags: -DWEFT_START_DEADLINE_MS=0
#include <weft/weft.hpp>
