// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: what a task submits last is run first, and is not left behind (WEFT_NEWEST_FIRST=1). DESIGN 4.8; edge R3.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// The other scenarios have these, too, of another library: of WEFT_NEWEST_FIRST=0 (Makefile).
namespace newest {
#include "sleepers.hpp"
}  // namespace newest
using namespace newest;

namespace {

constexpr weft::Urgency normal = weft::Urgency::normal;

// Result: Never (a core sleeps beside a task; a core goes round for ever). A task submits another one and does not end:
// that stands in front of the ring, and a core that sleeps, or is about to, has to take it there.
template <bool rested>
struct BehindALongTask : Sleepers<2, 2> {
    void cores(model::Program& on) {
        task[0].body = [this] { submit(1), goes_on(); };
        task[1].body = [this] { goes_on(); };
        on.core(0, [this] { submit_here(0), work(); });
        worker<rested>(on, 1);
    }
    void finish() { model::check(going_on == 2, "each core runs one of the tasks"); }
};
MODEL_SCENARIO(newest_wakes_a_core, BehindALongTask<true>).parked_at_end().stale_reads(3).each_wake();
MODEL_SCENARIO(newest_meets_a_last_look, BehindALongTask<false>).parked_at_end().preemptions(3).each_wake();

// Result: Never. Two of them: the older one goes to the ring. Three cores are needed.
struct NeedsThree : Sleepers<3, 3> {
    void cores(model::Program& on) {
        task[0].body = [this] { submit(1), submit(2), goes_on(); };
        task[1].body = task[2].body = [this] { goes_on(); };
        on.core(0, [this] { submit_here(0), work(); });
        worker<true>(on, 1);
        worker<true>(on, 2);
    }
    void finish() { model::check(going_on == 3, "each core runs one of the tasks"); }
};
MODEL_SCENARIO(newest_needs_three, NeedsThree).parked_at_end().stale_reads(1).deep(3, 2);

// Result: Never (lost, or run twice; run without what was written before). Its core takes it or puts another one in its
// place, while a thief takes it.
template <unsigned more>
struct TakenAtOnce : Sleepers<2, more + 1> {
    using Base = Sleepers<2, more + 1>;
    void cores(model::Program& on) {
        Base::task[0].body = [this] {
            for (unsigned which = 1; which <= more; ++which) Base::submit(which);
        };
        on.core(0, [this] { Base::submit_here(0), Base::work(); });
        Base::template worker<false>(on, 1);
    }
};
MODEL_SCENARIO(newest_taken_by_two, TakenAtOnce<1>).stale_reads(3).deep(3, 3);
MODEL_SCENARIO(newest_replaced_and_taken, TakenAtOnce<2>).stale_reads(2);
// The ring is full: the one that was newest goes to the overflow.
MODEL_SCENARIO(newest_spills, TakenAtOnce<4>).preemptions(1).stale_reads(1).deep(2, 2);

// Result: Never (run without what was written before). Who polls has no fence on its way to it.
struct TakenByAPoller : Sleepers<2, 2> {
    void cores(model::Program& on) {
        task[0].body = [this] { submit(1); };
        on.core(0, [this] { submit_here(0), work(); });
        on.core(1, [this] {
            for (weft::Polled seen; seen = pool.poll(1), seen.tasks == 0 && seen.status == weft::Status::ok;)
                weft::Port::relax();
        });
    }
};
MODEL_SCENARIO(newest_taken_by_a_poller, TakenByAPoller).spin_returns(1);

// Result: Never. Who polls goes, and leaves it behind.
struct PollerGoes : Sleepers<2, 2> {
    void cores(model::Program& on) {
        task[0].body = [this] { submit(1); };
        on.core(0, [this] {
            submit_here(0);
            model::check(pool.poll(1).tasks == 1, "one task");
        });
        worker<true>(on, 1);
    }
};
MODEL_SCENARIO(newest_of_a_poller, PollerGoes).stale_reads(2);

// Result: Never (a task of the ring waits longer). A task that submits itself again, before one that is in the ring.
struct InARow : Sleepers<1, 2> {
    static constexpr unsigned rounds =
        2 + 2 * weft::detail::Newest::most_in_a_row;  // a row, and more than a row
    unsigned runs = 0;
    void cores(model::Program& on) {
        task[0].body = [this] {
            if (++runs == 1) submit(1);  // goes to the ring by the next submit
            model::check(runs <= 1 + weft::detail::Newest::most_in_a_row || task[1].runs == 1,
                         "three in a row");
            if (runs == rounds) return;
            left.fetch_add(1, weft::relaxed);
            submit(0);
        };
        on.core(0, [this] { submit_here(0), work(); });
    }
    void finish() { model::check(runs == rounds && task[1].runs == 1, "both have run"); }
};
MODEL_SCENARIO(newest_three_in_a_row, InARow);

// Result: Never. The pool ends before it was run: with drain it still is, and else it is handed back.
template <weft::Shutdown mode>
struct AtTheEnd {
    weft::Pool<2, 2> pool;
    struct First : Mark {
        First() : Mark(&First::run) {}
        static void run(weft::Task& self) {
            AtTheEnd& all = *static_cast<First&>(self).all;
            Mark::run(self);
            all.newest.prepare();
            must(all.pool.submit(all.newest));
            all.pool.shutdown(mode);
        }
        AtTheEnd* all = nullptr;
    } first;
    Mark newest;
    void cores(model::Program& on) {
        first.all = this;
        on.late_core(1);
        on.core(0, [this] {
            first.prepare();
            must(pool.submit_on(0, first));
            must(pool.run());
            weft::Batch left;
            must(pool.join(left));
            model::end_of_life(pool);
            while (left.pop() != nullptr) newest.given = false;
        });
    }
    void finish() {
        model::check(first.as_promised() && newest.as_promised(), "it runs once, or is handed back");
        if (mode == weft::Shutdown::drain) model::check(newest.runs == 1, "drain");
    }
};
MODEL_SCENARIO(newest_drained, AtTheEnd<weft::Shutdown::drain>).each_wake();
MODEL_SCENARIO(newest_abandoned, AtTheEnd<weft::Shutdown::abandon>).each_wake();

// Result: Never. What all submits rely on, with it.
MODEL_SCENARIO(newest_batch_needs_two, BatchNeedsTwo<true, normal>).stale_reads(1).parked_at_end();
MODEL_SCENARIO(newest_own_isr, OwnIsr<normal>);

}  // namespace
