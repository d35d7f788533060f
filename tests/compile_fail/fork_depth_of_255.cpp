// SPDX-License-Identifier: MIT OR Apache-2.0
// A setting out of its range: an offer names its slot in eight bits.
// expect: weft: WEFT_FORK_DEPTH must be 0..254
// most: 2
// flags: -DWEFT_FORK_DEPTH=255
#include <weft/weft.hpp>
