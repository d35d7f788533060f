// SPDX-License-Identifier: MIT OR Apache-2.0
// A setting out of its range: each search looks at all of them.
// expect: weft: WEFT_CORE_SETS must be 0..8
// most: 2
// flags: -DWEFT_CORE_SETS=9
#include <weft/weft.hpp>
