// SPDX-License-Identifier: MIT OR Apache-2.0
// Off by default, with the timers.
// expect: weft: timers are a setting: build the library and all that uses it with -DWEFT_TIMERS=1
#include <weft/weft.hpp>

uint32_t delay() { return weft::milliseconds(5); }
