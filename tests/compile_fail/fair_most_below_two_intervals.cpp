// SPDX-License-Identifier: MIT OR Apache-2.0
// A setting that would mean nothing: an interval that may not grow.
// expect: weft: WEFT_FAIR_MOST must be 0, or 2 * WEFT_FAIR_INTERVAL..65535
// most: 2
// flags: -DWEFT_FAIR_INTERVAL=8 -DWEFT_FAIR_MOST=15
#include <weft/weft.hpp>
