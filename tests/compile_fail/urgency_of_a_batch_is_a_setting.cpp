// SPDX-License-Identifier: MIT OR Apache-2.0
// So it is for a batch.
// expect: weft: levels of urgency are a setting: build the library and its users with
#include <weft/weft.hpp>

weft::Pool<4> pool;

void work() {}
weft::Job job(&work);

weft::Batch batch;
weft::Status submit() { return pool.submit(batch, weft::Urgency::urgent); }
