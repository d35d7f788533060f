// SPDX-License-Identifier: MIT OR Apache-2.0
// And for what a timer submits.
// expect: weft: levels of urgency are a setting: build the library and its users with
// flags: -DWEFT_TIMERS=1
#include <weft/weft.hpp>

weft::Pool<4> pool;

void work() {}
weft::Job job(&work);

weft::Timer timer(pool, job, weft::Urgency::urgent);
