// SPDX-License-Identifier: MIT OR Apache-2.0
// An address is neither a task nor a callable.
// expect: weft: the task itself, not its address: pool.submit(job);
#include <weft/weft.hpp>

void submit(weft::Scheduler& pool, weft::Task& task) { pool.submit(&task); }
