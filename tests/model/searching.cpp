// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: at most half of the cores search at once, and nothing is left lying by that (WEFT_FEW_SEARCHERS=1).
// SEARCHERS 1.2 to 1.4; claims 22 and 23 in searching.cpp.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// The other scenarios have these, too, of another library: of WEFT_FEW_SEARCHERS=0 (Makefile).
namespace searching {
#include "sleepers.hpp"
}  // namespace searching
using namespace searching;

namespace {

// Result: Never (a core sleeps beside a task). Three cores, of which one may search. A task submits two more, and none
// of the three ends: one is stolen, and who steals it sees to the other one.
struct NeedsThree : Sleepers<3, 3> {
    void cores(model::Program& on) {
        task[0].body = [this] { submit(1), submit(2), goes_on(); };
        task[1].body = task[2].body = [this] { goes_on(); };
        on.core(0, [this] { submit_here(0), work(); });
        on.core(1, [this] { work(); });
        on.core(2, [this] { work(); });
    }
    void finish() { model::check(going_on == 3, "each core runs one of the tasks"); }
};
MODEL_SCENARIO(searching_needs_three, NeedsThree).parked_at_end().stale_reads(1).deep(3, 2);

// Result: Never. The same from outside: the second task comes while the first one is taken.
template <unsigned workers>
struct TwoFromOutside : Sleepers<workers, 2> {
    using Base = Sleepers<workers, 2>;
    void cores(model::Program& on) {
        for (auto& one : Base::task) one.body = [this] { Base::goes_on(); };
        for (unsigned id = 0; id != workers; ++id) Base::template worker<false>(on, id);
        on.core(workers, [this] { Base::submit(0), Base::submit(1); });
    }
    void finish() { model::check(Base::going_on == 2, "each of two cores runs one of the tasks"); }
};
MODEL_SCENARIO(searching_two_from_outside, TwoFromOutside<2>).parked_at_end().stale_reads(1);
MODEL_SCENARIO(searching_two_of_three, TwoFromOutside<3>)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(1)
    .deep(2, 2);

// Result: Never. The woken core must see to the rest, whether it may search or not.
MODEL_SCENARIO(searching_batch_from_rest, BatchNeedsTwo<true, weft::Urgency::normal>)
    .parked_at_end()
    .stale_reads(2);
MODEL_SCENARIO(searching_batch, BatchNeedsTwo<false, weft::Urgency::normal>).parked_at_end().stale_reads(2);

// Result: Never (a core goes round for ever). What is pinned to a core that may not search ends its sleep, and is run.
struct Pinned : Sleepers<2, 2> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        worker<true>(on, 1);
        on.core(2, [this] {
            for (uint32_t core = 0; core != 2; ++core) {
                task[core].prepare();
                must(pool.submit_on(core, task[core]));
            }
        });
    }
};
MODEL_SCENARIO(searching_pinned, Pinned).stale_reads(1);

// Result: Never (more than one of two or three searches; one is counted when all have left).
template <unsigned workers>
struct Limit : Sleepers<workers, 2> {
    using Base = Sleepers<workers, 2>;
    using Base::pool;
    void look() { model::check(pool.searching_cores() <= 1, "half of them at most, and one at least"); }
    void cores(model::Program& on) {
        Base::task[0].body = [this] { Base::submit(1), look(); };
        for (unsigned id = 0; id != workers; ++id) Base::template worker<false>(on, id);
        on.core(workers, [this] { look(), Base::submit(0), look(); });
    }
    void finish() {
        Base::finish();
        model::check(pool.searching_cores() == 0, "nobody searches");
    }
};
MODEL_SCENARIO(searching_limit_of_two, Limit<2>).stale_reads(1);
MODEL_SCENARIO(searching_limit_of_three, Limit<3>).preemptions(1).stale_reads(0).deep(1, 1);

}  // namespace
