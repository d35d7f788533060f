// SPDX-License-Identifier: MIT OR Apache-2.0
// A callable is no task yet.
// expect: weft: this is no task: weft::Job job([&] { ... }); pool.submit(job);
#include <weft/weft.hpp>

void submit(weft::Scheduler& pool) {
    pool.submit_on(1, [] {});
}
