// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: searches whose length adapts (WEFT_SEARCH_MOST=1): one round or two before a sleep, as the last one was long
// or short; more where samples have WEFT_SEARCH_ROUNDS. IDLE 1.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// The other scenarios have these, too, of another library: of WEFT_SEARCH_MOST=0 (Makefile).
namespace search {
#include "sleepers.hpp"
}  // namespace search
using namespace search;

namespace {

constexpr weft::Urgency normal = weft::Urgency::normal;

// Result: Never (sleeps for ever). One sleeper, one submitter: before, between and behind its rounds.
MODEL_SCENARIO(search_submit_outside, SubmitOutside<normal>).ticks_per_call(1).each_wake();

// Result: Never (sleeps for ever; searches for ever). Two sleeps, so a search of each length. Each call of now() is a
// tick, of any core: `pause` calls before a submit make a sleep that is longer than the search.
template <unsigned pause>
struct TwoPauses : Sleepers<1, 3> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.core(1, [this] {
            for (unsigned which : {0, 1, 2}) {
                const uint32_t before = left.load(weft::acquire);
                for (unsigned ticks = pause; ticks != 0; --ticks) static_cast<void>(weft::Port::now());
                submit(which);
                while (which != 2 && left.load(weft::acquire) == before) weft::Port::relax();
            }
        });
    }
};
MODEL_SCENARIO(search_short_pauses, TwoPauses<0>).ticks_per_call(1);
MODEL_SCENARIO(search_long_pauses, TwoPauses<3>).ticks_per_call(1);
MODEL_SCENARIO(search_long_pauses_pct, TwoPauses<3>)
    .clock_start(0xfffffff0u)
    .ticks_per_call(3)
    .mode(model::Mode::pct)
    .executions(20000);

// Result: Never. One batch, two tasks that do not end: the woken core must see to the rest before it runs its own.
MODEL_SCENARIO(search_batch_needs_two, BatchNeedsTwo<true, normal>).stale_reads(1).parked_at_end();

// Result: Never. An interrupt handler of the searching core submits, at any point of its way to sleep.
MODEL_SCENARIO(search_own_isr, OwnIsr<normal>).ticks_per_call(1);

}  // namespace
