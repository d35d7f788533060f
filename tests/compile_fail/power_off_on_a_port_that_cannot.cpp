// SPDX-License-Identifier: MIT OR Apache-2.0
// A port whose cores sleep between two entries.
// expect: weft: WEFT_POWER_OFF=1 needs a port that switches its cores off, as port/aarch64 does
// flags: -DWEFT_POWER_OFF=1
#include <weft/weft.hpp>
