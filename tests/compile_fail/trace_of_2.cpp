// SPDX-License-Identifier: MIT OR Apache-2.0
// A setting out of its range.
// expect: weft: WEFT_TRACE must be 0 or 1
// most: 2
// flags: -DWEFT_TRACE=2
#include <weft/weft.hpp>
