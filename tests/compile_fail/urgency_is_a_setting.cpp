// SPDX-License-Identifier: MIT OR Apache-2.0
// A submit at a level of urgency is a setting.
// expect: weft: levels of urgency are a setting: build the library and its users with
#include <weft/weft.hpp>

weft::Pool<4> pool;

void work() {}
weft::Job job(&work);

weft::Status submit() { return pool.submit(job, weft::Urgency::urgent); }
