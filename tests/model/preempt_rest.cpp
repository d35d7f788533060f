// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: a level that preempts, and a pool at rest (claim 8): what runs on top of a sleep keeps the pool from its rest.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// Of a library with a level that preempts, as in rest.cpp.
namespace preempt_rest {
#include "sleepers.hpp"
}  // namespace preempt_rest
using namespace preempt_rest;

namespace {

constexpr weft::Urgency at_once{WEFT_URGENCY_LEVELS - 1};

// Result: Never. Who has submitted, and waits until the pool is idle, finds that it has run, with what it submitted.
// `waiter`: a core of the pool, or a foreign one (2).
template <unsigned waiter>
struct Seen {
    weft::Pool<2, 2> pool;
    struct First : Mark {
        First() : Mark(&First::run) {}
        static void run(weft::Task& self) {
            First& me = static_cast<First&>(self);
            must(me.all->pool.submit(me.all->second));
            Mark::run(self);
        }
        Seen* all = nullptr;
    } first;
    Mark second;
    void cores(model::Program& on) {
        first.all = this;
        first.prepare();
        second.prepare();
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(waiter, [this] {
            must(pool.submit(first, at_once));
            must(pool.wait_idle());
            model::check(first.runs == 1 && second.runs == 1, "all that was submitted has run");
            pool.shutdown();
        });
    }
};
MODEL_SCENARIO(preempt_is_no_rest, Seen<1>).interrupts().preemptions(1).stale_reads(1);
MODEL_SCENARIO(preempt_is_no_rest_from_afar, Seen<2>).interrupts().preemptions(1).stale_reads(1);

}  // namespace
