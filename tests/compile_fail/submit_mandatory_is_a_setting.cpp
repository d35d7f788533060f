// SPDX-License-Identifier: MIT OR Apache-2.0
// Mandatory tasks are a setting.
// expect: weft: mandatory tasks are a setting: build the library and its users with -DWEFT_MANDATORY=1
#include <weft/weft.hpp>

weft::Pool<2> pool;

weft::Job job([] {});
weft::Status ask() { return pool.submit_mandatory(job); }
