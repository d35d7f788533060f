// SPDX-License-Identifier: MIT OR Apache-2.0
// The core stands before the task.
// expect: weft: the core comes first: pool.submit_on(core, job);
#include <weft/weft.hpp>

weft::Job job([] {});

void submit(weft::Scheduler& pool) { pool.submit_on(job, 1); }
