// SPDX-License-Identifier: MIT OR Apache-2.0
// A setting out of its range.
// expect: weft: WEFT_PREEMPTION must be 0 or 1
// most: 2
// flags: -DWEFT_PREEMPTION=2 -DWEFT_URGENCY_LEVELS=2
#include <weft/weft.hpp>
