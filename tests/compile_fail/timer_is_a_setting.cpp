// SPDX-License-Identifier: MIT OR Apache-2.0
// Off by default.
// expect: weft: timers are a setting: build the library and all that uses it with -DWEFT_TIMERS=1
#include <weft/weft.hpp>

weft::Pool<2> pool;
weft::Job job([] {});
weft::Timer timer{pool, job};
