// SPDX-License-Identifier: MIT OR Apache-2.0
// Nobody would keep it alive.
// expect: weft: a task stays where it is until it has begun: give it a name, and no const
#include <weft/weft.hpp>

void submit(weft::Scheduler& pool) {
    pool.submit_on(1, weft::Job([] {}));
}
