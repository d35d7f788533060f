// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: long tasks while all are to stand still (BLOCKING 1.4, QUIESCE 2.1).
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// The other scenarios have these, too, of other libraries (Makefile).
namespace blocking_quiesce {
#include "sleepers.hpp"
}  // namespace blocking_quiesce
using namespace blocking_quiesce;

namespace {

// Result: Never (waits for ever). Core 0 takes a long task before it has seen that it is to stand, and no core may be
// started then. The owner gives up, and lets go: now core 1 is started, for what a handler submits. (A review.)
struct TakenMeanwhile : Workers<2> {
    Doing long_one, short_one;
    Flag runs, goes_on;
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        long_one.body = model::Callable([this] {
            runs.set(2);
            goes_on.await();
        });
        short_one.body = model::Callable([this] { goes_on.set(0); });
        on.core(2, [this] {
            long_one.prepare();
            must(pool.submit_blocking(long_one));
            if (pool.quiesce(10) == weft::Status::ok) must(pool.resume());
            runs.await();
            short_one.prepare();
            must(pool.submit_from_isr(short_one));
        });
    }
    void finish() {
        model::check(long_one.as_promised() && short_one.as_promised(),
                     "a short task never waits behind a long one");
    }
};
MODEL_SCENARIO(blocking_taken_while_all_are_to_stand, TakenMeanwhile)
    .pens()
    .ticks_per_call(5)
    .parked_at_end()
    .preemptions(2)
    .stale_reads(0);

}  // namespace
