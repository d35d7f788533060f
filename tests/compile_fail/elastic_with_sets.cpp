// SPDX-License-Identifier: MIT OR Apache-2.0
// Two settings that do not go together.
// expect: weft: WEFT_ELASTIC=1 does not go together with WEFT_PREEMPTION or WEFT_CORE_SETS yet
// most: 2
// flags: -DWEFT_ELASTIC=1 -DWEFT_CORE_SETS=1
#include <weft/weft.hpp>
