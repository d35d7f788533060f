// SPDX-License-Identifier: MIT OR Apache-2.0
// A setting out of its range.
// expect: weft: WEFT_FAIR_INTERVAL must be 2..65535
// most: 2
// flags: -DWEFT_FAIR_INTERVAL=1
#include <weft/weft.hpp>
