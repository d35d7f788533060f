// SPDX-License-Identifier: MIT OR Apache-2.0
// A setting out of its range (B9).
// expect: weft: WEFT_SEARCH_ROUNDS must be 0..65535
// most: 2
// flags: -DWEFT_SEARCH_ROUNDS=65536
#include <weft/weft.hpp>
