// SPDX-License-Identifier: MIT OR Apache-2.0
// Tasks for some of the cores are a setting.
// expect: weft: sets of cores are a setting: build all with -DWEFT_CORE_SETS=
#include <weft/weft.hpp>

weft::Pool<4> pool;

void work() {}
weft::Job job(&work);

weft::Status submit() { return pool.submit_on(weft::CoreSet::of(1, 3), job); }
