// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the image's function, which is called when all cores sleep, and cores that leave. Claim 9; edge L3.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// The other scenarios have these, too, of another library: of WEFT_ELASTIC=0 (Makefile).
namespace elastic_rest {
#include "sleepers.hpp"
}  // namespace elastic_rest
using namespace elastic_rest;

namespace {

// Result: Never (nobody is told). Core 0 sleeps. Core 1 has done what it was started for, and leaves: at once, or at
// the end of a sleep. It was the last one that was awake, and nobody is behind it.
template <uint32_t keep_alive, uint32_t last_call>
struct TellsWhoLeaves {
    weft::Pool<2, 2> pool;
    weft::Atomic<uint32_t> calls{0};
    Doing task;
    TellsWhoLeaves() { must(pool.on_all_asleep(&TellsWhoLeaves::on_call, this)); }
    static void on_call(void* argument) {
        static_cast<TellsWhoLeaves*>(argument)->calls.fetch_add(1, weft::release);
    }
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.late_core(1);
        on.core(2, [this] {
            must(pool.keep_alive(keep_alive));
            task.prepare();
            must(pool.submit_on(1, task));
            while (calls.load(weft::acquire) < last_call) weft::Port::relax();
            pool.shutdown();
            must(pool.join());
        });
    }
    void finish() { model::check(task.as_promised(), "the task runs exactly once"); }
};
// The first call is when core 0 has come to rest, the last one when core 1 is gone.
using TellsAtOnce = TellsWhoLeaves<0, 2>;
using TellsBehindASleep = TellsWhoLeaves<10, 3>;
MODEL_SCENARIO(elastic_rest_tells_who_leaves, TellsAtOnce).preemptions(1).stale_reads(1);
MODEL_SCENARIO(elastic_rest_tells_behind_a_sleep, TellsBehindASleep).alarms().preemptions(1).stale_reads(0);

}  // namespace
