// SPDX-License-Identifier: MIT OR Apache-2.0
// Blocking tasks are a setting.
// expect: weft: blocking tasks are a setting: build the library and its users with -DWEFT_BLOCKING=1
#include <weft/weft.hpp>

weft::Pool<2> pool;

weft::Job job([] {});
weft::Status ask() { return pool.submit_blocking(job); }
