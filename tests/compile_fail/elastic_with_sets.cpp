// SPDX-License-Identifier: MIT OR Apache-2.0
// Two settings that do not go together.
// expect: weft: WEFT_ELASTIC=1 goes without WEFT_PREEMPTION and WEFT_CORE_SETS as yet (make run: VARIANT=elastic)
// most: 2
// flags: -DWEFT_ELASTIC=1 -DWEFT_CORE_SETS=1
#include <weft/weft.hpp>
