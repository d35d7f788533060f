// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: tasks that run whatever becomes of their pool (WEFT_MANDATORY=1). None comes back from a join, none is left
// lying while a core sleeps, and each runs once. Claims 19 and 20 in src/mandatory.cpp; edges D1 and I1.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// The other scenarios have these, too, of another library: of WEFT_MANDATORY=0 (Makefile).
namespace mandatory {
#include "sleepers.hpp"
}  // namespace mandatory
using namespace mandatory;

namespace {

using model::Arrival;
using weft::Batch;
using weft::Shutdown;
using weft::Status;

// Tasks that are mandatory, and others, in a pool that is told to end. Each that is accepted runs once, or, if it is of
// the others, comes back.
template <unsigned workers, unsigned must_run, unsigned others = 0>
struct Ending : Workers<workers> {
    using Workers<workers>::pool;
    static constexpr unsigned outside = workers;
    static constexpr unsigned all = must_run + others;
    Doing task[all];  // the mandatory ones first
    bool accepted[all] = {};
    bool back[all] = {};
    bool joined = false;

    static constexpr bool is_mandatory(unsigned which) { return which < must_run; }
    Status hand_in(unsigned which, bool in_handler = false) {
        task[which].prepare();
        Status status = Status::ok;
        if (!is_mandatory(which)) {
            status = in_handler ? pool.submit_from_isr(task[which]) : pool.submit(task[which]);
        } else {
            status =
                in_handler ? pool.submit_mandatory_from_isr(task[which]) : pool.submit_mandatory(task[which]);
        }
        accepted[which] = status == Status::ok;
        model::check(accepted[which] || status == Status::closed, "accepted, or refused");
        if (!accepted[which]) task[which].given = false;
        return status;
    }
    void submits(unsigned which) { must(hand_in(which)); }
    void join() {
        Batch left_over;
        must(pool.join(left_over));
        for (unsigned which = 0; which != must_run; ++which) {
            // With edge J1 comes what the workers did. A submit that races may have been refused.
            if (known[which]) model::check(task[which].runs == 1, "it has run when join() returns");
        }
        while (weft::Task* const one = left_over.pop()) {
            for (unsigned which = 0; which != all; ++which) {
                if (one == &task[which]) back[which] = true;
            }
            static_cast<Mark*>(one)->given = false;
        }
        joined = true;
    }
    // The core that joins has submitted it.
    bool known[all] = {};
    void submits_and_joins(unsigned which) {
        submits(which);
        known[which] = true;
    }
    void finish() {
        for (unsigned which = 0; which != all; ++which) {
            const int due = accepted[which] && !back[which] ? 1 : 0;
            model::check(task[which].runs == due, "who is accepted runs once, or comes back");
            model::check(!is_mandatory(which) || !back[which], "a mandatory one does not come back");
        }
    }
};

// ---- Before the end

// Result: Never (it lies there while the core sleeps). From outside, or by a handler.
template <bool from_isr>
struct Outside : Sleepers<1, 1> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        if (from_isr) {
            on.interrupt(0, [this] {
                task[0].prepare();
                must(pool.submit_mandatory_from_isr(task[0]));
            });
        } else {
            on.core(1, [this] {
                task[0].prepare();
                must(pool.submit_mandatory(task[0]));
            });
        }
    }
};
MODEL_SCENARIO(mandatory_outside, Outside<false>).stale_reads(2).each_wake();
MODEL_SCENARIO(mandatory_from_isr, Outside<true>).stale_reads(2).each_wake();

// Result: Never (a handler of the very core, at any point of its way to sleep, is missed).
struct OwnHandler : Sleepers<1, 1> {
    void cores(model::Program& on) {
        worker<false>(on, 0);
        on.interrupt(0, [this] {
            task[0].prepare();
            must(pool.submit_mandatory_from_isr(task[0]));
        });
    }
};
MODEL_SCENARIO(mandatory_own_handler, OwnHandler).each_wake();

// Result: Never (the second one is left). Two that do not end: who takes one tells of the other, also a core that was
// looking anyway, while the one that was woken for it finds the list held.
template <bool rested>
struct NeedsTwo : Sleepers<2, 2> {
    void cores(model::Program& on) {
        worker<rested>(on, 0);
        worker<true>(on, 1);
        on.core(2, [this] {
            for (One& one : task) {
                one.body = model::Callable([this] { goes_on(); });
                one.prepare();
                must(pool.submit_mandatory(one));
            }
        });
    }
    void finish() { model::check(going_on == 2, "each core runs one of the tasks"); }
};
MODEL_SCENARIO(mandatory_needs_two, NeedsTwo<true>).preemptions(2).stale_reads(1).parked_at_end();
MODEL_SCENARIO(mandatory_needs_two_beside_a_look, NeedsTwo<false>)
    .preemptions(2)
    .stale_reads(1)
    .parked_at_end();

// Result: Never (it waits behind tasks that submit each other). One that never runs dry looks here in its turn.
struct InItsTurn : Sleepers<1, 1> {
    Doing chain[2];
    unsigned links = 0;
    bool ended = false;
    void next(unsigned which) {
        if (ended || ++links == 4 * WEFT_FAIR_INTERVAL + 8) return;
        chain[which].prepare();
        must(pool.submit(chain[which]));
    }
    void cores(model::Program& on) {
        on.core(0, [this] {
            for (unsigned i : {0u, 1u}) chain[i].body = model::Callable([this, i] { next(1 - i); });
            task[0].body = model::Callable([this] { ended = true; });
            next(0);
            task[0].prepare();
            must(pool.submit_mandatory(task[0]));
            work();
        });
    }
    void finish() {
        Sleepers::finish();
        model::check(ended && links != 4 * WEFT_FAIR_INTERVAL + 8, "it has its turn");
    }
};
MODEL_SCENARIO(mandatory_in_its_turn, InItsTurn).preemptions(0).stale_reads(0);

// ---- The end

// Result: Never (it comes back, or never runs). Cores that sleep, or look; one mandatory task among others; the end
// beside another submit.
template <Shutdown mode, bool rested>
struct Ends : Ending<2, 2, 1> {
    void cores(model::Program& on) {
        if (rested) {
            worker<true>(on, 0);
        } else {
            on.core(0, [this] {
                const Status status = pool.run();
                model::check(status == Status::ok || status == Status::closed, "it may come behind the end");
            });
        }
        worker<true>(on, 1);
        on.core(outside, [this] {
            submits(2);
            submits_and_joins(0);
            pool.shutdown(mode);
            join();
        });
        on.core(outside + 1, [this] { static_cast<void>(hand_in(1)); });
    }
};
using Drained = Ends<Shutdown::drain, true>;
using Abandoned = Ends<Shutdown::abandon, true>;
using AbandonedBesideALook = Ends<Shutdown::abandon, false>;
MODEL_SCENARIO(mandatory_drained, Drained).preemptions(1).stale_reads(1);
MODEL_SCENARIO(mandatory_abandoned, Abandoned).preemptions(1).stale_reads(1);
MODEL_SCENARIO(mandatory_abandoned_beside_a_look, AbandonedBesideALook).preemptions(1).stale_reads(1);

// Result: Never. No core has ever come, or the only one is late: the joiner runs what is mandatory, and hands back the
// rest. What it runs is refused what it submits.
template <Arrival arrival>
struct OnlyTheJoiner : Ending<1, 2, 2> {
    void cores(model::Program& on) {
        on.late_core(0, {arrival});
        on.core(outside, [this] {
            task[0].body = model::Callable([this] {
                model::check(pool.is_closing(), "it can know");
                model::check(hand_in(1) == Status::closed && hand_in(3) == Status::closed,
                             "the door is closed");
            });
            submits_and_joins(0);
            submits(2);
            model::check(!pool.is_closing(), "not yet");
            pool.shutdown(Shutdown::abandon);
            join();
        });
    }
    void finish() {
        Ending::finish();
        model::check(joined && task[0].runs == 1 && back[2], "it ran, and the other one came back");
    }
};
MODEL_SCENARIO(mandatory_only_the_joiner, OnlyTheJoiner<Arrival::absent>).stale_reads(1);
MODEL_SCENARIO(mandatory_nobody_comes, OnlyTheJoiner<Arrival::never>).stale_reads(1);

// Result: Never (a third outcome). A submit, of a core or of a handler, races the end of a pool without a worker.
template <bool in_handler>
struct SubmitRace : Ending<1, 1> {
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::refused});
        if (in_handler) {
            on.interrupt(outside, [this] { static_cast<void>(hand_in(0, true)); });
        } else {
            on.core(outside + 1, [this] { static_cast<void>(hand_in(0)); });
        }
        on.core(outside, [this] {
            pool.shutdown(Shutdown::abandon);
            join();
        });
    }
};
MODEL_SCENARIO(mandatory_submit_race, SubmitRace<false>).each_wake();
MODEL_SCENARIO(mandatory_handler_race, SubmitRace<true>).each_wake();

// Result: Never (one is left lying). Nobody joins: the cores that are here run what was submitted before the shutdown,
// also where one holds the list as the other looks.
template <unsigned workers>
struct NobodyJoins : Ending<workers, 2, 1> {
    using Base = Ending<workers, 2, 1>;
    using Base::pool;
    void cores(model::Program& on) {
        for (unsigned i = 0; i != workers; ++i) this->template worker<true>(on, i);
        on.core(Base::outside, [this] {
            this->submits(0);
            this->submits(1);
            pool.shutdown(Shutdown::abandon);
        });
    }
    void finish() { model::check(this->task[0].runs == 1 && this->task[1].runs == 1, "both have run"); }
};
MODEL_SCENARIO(mandatory_nobody_joins, NobodyJoins<1>).preemptions(2).stale_reads(2);
MODEL_SCENARIO(mandatory_nobody_joins_two, NobodyJoins<2>).preemptions(1).stale_reads(1);

// Result: Never (it comes back). A foreign core waits for its call as the pool is abandoned: the worker that answers
// it, before it leaves, finds what is mandatory, too.
struct BesideACall : Ending<1, 1, 1> {
    unsigned calls = 0;
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.core(outside, [this] {
            pool.call([this] { ++calls; });
            model::check(calls == 1, "a call is done");
        });
        on.core(outside + 1, [this] {
            static_cast<void>(hand_in(1));
            pool.shutdown(Shutdown::abandon);
            join();
        });
        on.core(outside + 2, [this] { static_cast<void>(hand_in(0)); });
    }
};
MODEL_SCENARIO(mandatory_beside_a_call, BesideACall).preemptions(1).stale_reads(1);

// Result: Never (it comes back). The pool is drained, by its joiner alone, and abandoned meanwhile.
struct AbandonedMeanwhile : Ending<1, 2, 2> {
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::absent});
        on.core(outside, [this] {
            submits_and_joins(0);
            submits(2);
            submits_and_joins(1);
            submits(3);
            pool.shutdown();
            join();
        });
        on.core(outside + 1, [this] {
            if (pool.is_closing()) pool.shutdown(Shutdown::abandon);
        });
    }
};
MODEL_SCENARIO(mandatory_abandoned_meanwhile, AbandonedMeanwhile).preemptions(2).stale_reads(1);

// Result: Never. A poll runs so many as it may, of a pool that is abandoned, too; then it says closed.
struct Polls : Ending<1, 3, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            for (unsigned i : {0u, 1u, 2u, 3u}) submits(i);
            pool.shutdown(Shutdown::abandon);
            weft::Polled polled = pool.poll(2);
            model::check(polled.status == Status::ok && polled.tasks == 2, "two of three");
            polled = pool.poll(2);
            model::check(polled.status == Status::ok && polled.tasks == 1, "the third");
            model::check(pool.poll(2).status == Status::closed, "and no more");
            join();
        });
    }
    void finish() {
        Ending::finish();
        model::check(back[3], "what is not mandatory comes back");
    }
};
MODEL_SCENARIO(mandatory_in_polls, Polls);

}  // namespace
