// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: searches whose length adapts (WEFT_SEARCH_MOST=1): one round or two before a sleep, as the last one was long
// or short; more where samples have WEFT_SEARCH_ROUNDS. IDLE 1. The interval of fair turns adapts, too
// (WEFT_FAIR_MOST=16), and rounds of victims begin at random (WEFT_RANDOM_VICTIMS=7). DESIGN 4.5, 4.6.
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

// Result: Never (the shared queues have their turn too late, or too early). Tasks of `length` ticks, of which a
// millisecond has 60, on a ring that never runs dry. Each turn takes one task from the injector: so many of the ring
// are between two of them.
template <uint32_t length, uint32_t interval>
struct FairTurns : Sleepers<1, 2> {
    static constexpr unsigned turns = 8;
    uint32_t runs = 0, before = 0;
    uint32_t gap[turns] = {};
    unsigned had = 0;
    void inject() {
        left.fetch_add(1, weft::relaxed);
        task[1].prepare();
        must(pool.submit_from_isr(task[1]));
    }
    void cores(model::Program& on) {
        on.core(0, [this] {
            task[0].body = model::Callable([this] {
                model::advance_clock(length);
                if (++runs == 1) inject();
                if (had == turns) return;
                left.fetch_add(1, weft::relaxed);
                submit(0);
            });
            task[1].body = model::Callable([this] {
                model::advance_clock(length);
                gap[had++] = runs - before;
                before = runs;
                if (had != turns) inject();
            });
            left.fetch_sub(1, weft::relaxed);  // the second one is handed in by the first
            submit_here(0), work();
        });
    }
    void finish() {
        // A turn's own task counts, so the ring's are one less. The core has come from a search: the first interval
        // that is measured is the second one.
        for (unsigned turn = 1; turn != turns; ++turn) {
            const uint32_t tasks = turn == 1 ? WEFT_FAIR_INTERVAL : interval;
            model::check(gap[turn] == tasks - 1, "the interval is as long as tasks are short");
        }
    }
};
MODEL_SCENARIO(search_fair_turns_of_short_tasks, FairTurns<3, WEFT_FAIR_MOST>).ticks_per_ms(60);
MODEL_SCENARIO(search_fair_turns_of_medium_tasks, FairTurns<5, 2 * WEFT_FAIR_INTERVAL>).ticks_per_ms(60);
MODEL_SCENARIO(search_fair_turns_of_long_tasks, FairTurns<8, WEFT_FAIR_INTERVAL>).ticks_per_ms(60);

// Result: Never (one of a core's queues hides the other). The core is in a task that submits each small one again as
// soon as it has run. The ring has room for two: with one of two that comes behind them in the overflow, or with four,
// which keep the overflow full, and one before them in the ring. The thief comes to that one all the same.
template <unsigned count>
struct TurnsOfTheQueues : Sleepers<2, 1> {
    struct Small : weft::Task {
        Small() : Task(&Small::run) {}
        static void run(weft::Task& self) {
            weft::Port::relax();  // the other core's turn
            static_cast<Small&>(self).done.store(1, weft::release);
        }
        weft::Atomic<uint32_t> done{0};
    } one, others[count];
    void hand_in(Small& small) {
        small.done.store(0, weft::relaxed);  // relaxed: submitted behind it
        must(pool.submit(small));
    }
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] {
            if (count != 2) hand_in(one);
            for (Small& other : others) hand_in(other);
            if (count == 2) hand_in(one);
            unsigned rounds = 0;
            for (; rounds != 64 && one.done.load(weft::acquire) == 0; ++rounds) {
                weft::Port::relax();
                for (Small& other : others) {
                    if (other.done.load(weft::acquire) != 0) hand_in(other);
                }
            }
            model::check(rounds != 64, "the thief comes to the other queue, too");
        });
        on.core(0, [this] { submit_here(0), work(); });
        worker<true>(on, 1);
    }
};
MODEL_SCENARIO(search_turn_of_the_overflow, TurnsOfTheQueues<2>).preemptions(0).stale_reads(0);
MODEL_SCENARIO(search_turn_of_the_ring, TurnsOfTheQueues<4>).preemptions(0).stale_reads(0);

}  // namespace
