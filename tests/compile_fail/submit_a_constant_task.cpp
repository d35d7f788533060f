// SPDX-License-Identifier: MIT OR Apache-2.0
// A queue writes into its tasks.
// expect: weft: a task stays where it is until it has begun: give it a name, and no const
#include <weft/weft.hpp>

const weft::Job job([] {});
weft::Status submit(weft::Scheduler& pool) { return pool.submit(job); }
