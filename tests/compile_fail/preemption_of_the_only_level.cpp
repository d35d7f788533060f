// SPDX-License-Identifier: MIT OR Apache-2.0
// A level that preempts needs one below it.
// expect: weft: WEFT_PREEMPTION=1 makes the most urgent level preempt: WEFT_URGENCY_LEVELS must be 2..4
// most: 2
// flags: -DWEFT_PREEMPTION=1
#include <weft/weft.hpp>
