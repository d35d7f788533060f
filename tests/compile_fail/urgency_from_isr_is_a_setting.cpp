// SPDX-License-Identifier: MIT OR Apache-2.0
// And from a handler.
// expect: weft: levels of urgency are a setting: build the library and its users with
#include <weft/weft.hpp>

weft::Pool<4> pool;

void work() {}
weft::Job job(&work);

weft::Status submit() { return pool.submit_from_isr(job, weft::Urgency::urgent); }
