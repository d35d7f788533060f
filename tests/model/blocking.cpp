// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: long tasks, on a limited number of cores (WEFT_BLOCKING=1). No more run than may, and none that may begin is
// left lying while a core that may take it sleeps, or could be started. Claims 17 and 18 in src/blocking.cpp; edge I1.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// The other scenarios have these, too, of another library: of WEFT_BLOCKING=0 (Makefile).
namespace blocking {
#include "sleepers.hpp"
}  // namespace blocking
using namespace blocking;

namespace {

using model::Arrival;
using weft::Batch;
using weft::Shutdown;
using weft::Status;

// Some of the tasks are blocking ones: not more at a time than `most`.
template <unsigned workers, unsigned tasks>
struct Limited : Sleepers<workers, tasks> {
    using Base = Sleepers<workers, tasks>;
    using Base::pool;
    using Base::task;
    static constexpr unsigned outside = workers;
    unsigned running = 0;  // what the model itself knows: no core decides by it
    unsigned most = 1;
    model::Callable body[tasks];

    void is_long(unsigned which) {
        task[which].prepare();
        task[which].body = model::Callable([this, which] {
            ++running;
            model::check(running <= most, "no more run than may");
            model::check(pool.blocking_cores() != 0, "it is counted itself");
            if (body[which]) body[which]();
            --running;
        });
    }
    void submit_long(unsigned which) {
        is_long(which);
        must(pool.submit_blocking(task[which]));
    }
    void submit_pinned(unsigned core, unsigned which) {
        task[which].prepare();
        must(pool.submit_on(core, task[which]));
    }
    void allows(unsigned cores) {
        most = cores;
        must(pool.limit_blocking(cores));
    }
};

// Result: Never. From outside, or by a handler, with one core that sleeps.
template <bool from_isr>
struct Outside : Limited<1, 1> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.core(outside, [this] {
            if (!from_isr) submit_long(0);
        });
        if (from_isr) {
            on.interrupt(outside, [this] {
                is_long(0);
                must(pool.submit_blocking_from_isr(task[0]));
            });
        }
    }
};
MODEL_SCENARIO(blocking_outside, Outside<false>).stale_reads(2).each_wake();
MODEL_SCENARIO(blocking_from_isr, Outside<true>).stale_reads(2);

// Result: Never. A handler of the very core, at any point of its way to sleep.
struct OwnHandler : Limited<1, 1> {
    void cores(model::Program& on) {
        worker<false>(on, 0);
        on.interrupt(0, [this] {
            is_long(0);
            must(pool.submit_blocking_from_isr(task[0]));
        });
    }
};
MODEL_SCENARIO(blocking_own_handler, OwnHandler).each_wake();

// Result: Never (both at once; or one is left). Two submitters, two cores, and one may run: the other one begins when
// that has ended.
template <bool rested>
struct OneAtATime : Limited<2, 2> {
    void cores(model::Program& on) {
        worker<rested>(on, 0);
        worker<true>(on, 1);
        for (unsigned i : {0, 1}) on.core(outside + i, [this, i] { submit_long(i); });
    }
};
MODEL_SCENARIO(blocking_one_at_a_time, OneAtATime<true>).preemptions(1).stale_reads(1);
MODEL_SCENARIO(blocking_one_at_a_time_beside_a_look, OneAtATime<false>).preemptions(1).stale_reads(1);

// Result: Never (a task waits for ever). Two that wait for each other, and two may run: both cores come.
template <bool by_two, bool rested>
struct BothCome : Limited<2, 2> {
    void cores(model::Program& on) {
        allows(2);
        for (unsigned i : {0, 1}) body[i] = model::Callable([this] { two.arrive(); });
        worker<rested>(on, 0);
        worker<true>(on, 1);
        on.core(outside, [this] {
            submit_long(0);
            if (!by_two) submit_long(1);
        });
        if (by_two) on.core(outside + 1, [this] { submit_long(1); });
    }
};
using Singles = BothCome<false, true>;
using OfTwo = BothCome<true, true>;
using BesideALook = BothCome<false, false>;
MODEL_SCENARIO(blocking_both_come, Singles).stale_reads(1).parked_at_end();
MODEL_SCENARIO(blocking_both_come_for_two_submitters, OfTwo).preemptions(1).stale_reads(1).parked_at_end();
MODEL_SCENARIO(blocking_both_come_beside_a_look, BesideALook).preemptions(1).stale_reads(1).parked_at_end();

// Result: Never (two tasks wait for ever). The core whose long task ends goes on with what is pinned to it, and that
// waits for the next long one. Another core takes that, which slept: nothing was to be had before.
template <bool by_two>
struct NextBegins : Limited<2, 3> {
    weft::Atomic<uint32_t> begun{0};
    void cores(model::Program& on) {
        worker<true>(on, 0);
        worker<true>(on, 1);
        body[0] = model::Callable([this] {
            begun.store(1, weft::release);
            weft::Port::unpark(outside);
            if (!by_two) submit_long(1);
            submit_pinned(weft::this_core(), 2);
        });
        body[1] = model::Callable([this] { two.arrive(); });
        task[2].body = model::Callable([this] { two.arrive(); });
        on.core(outside, [this] {
            submit_long(0);
            while (begun.load(weft::acquire) == 0) weft::Port::park();
            if (by_two) submit_long(1);
        });
    }
};
using NextOfOne = NextBegins<false>;
using NextOfTwo = NextBegins<true>;
MODEL_SCENARIO(blocking_next_begins, NextOfOne).preemptions(1).stale_reads(1).parked_at_end();
MODEL_SCENARIO(blocking_next_begins_beside_a_submit, NextOfTwo).preemptions(1).parked_at_end();

// Result: Never (two tasks wait for ever). Two wait for each other, and one may run until another core allows two.
struct Raised : Limited<2, 2> {
    void cores(model::Program& on) {
        most = 2;
        for (unsigned i : {0, 1}) body[i] = model::Callable([this] { two.arrive(); });
        worker<true>(on, 0);
        worker<true>(on, 1);
        on.core(outside, [this] { submit_long(0), submit_long(1); });
        on.core(outside + 1, [this] { allows(2); });
    }
};
MODEL_SCENARIO(blocking_limit_is_raised, Raised).preemptions(1).stale_reads(1).parked_at_end();

// Result: Never. Lowered while some run: one at a time from then on, when both have ended; nothing is left.
struct Lowered : Limited<2, 4> {
    weft::Atomic<uint32_t> begun{0};
    void cores(model::Program& on) {
        allows(2);
        worker<true>(on, 0);
        worker<true>(on, 1);
        for (unsigned i : {0, 1}) {
            body[i] = model::Callable([this] {
                two.arrive();
                begun.fetch_add(1, weft::release);
                weft::Port::unpark(outside);
                while (begun.load(weft::acquire) != 3) weft::Port::park();
            });
        }
        on.core(outside, [this] {
            submit_long(0), submit_long(1);
            while (begun.load(weft::acquire) != 2) weft::Port::park();
            must(pool.limit_blocking(1));
            submit_long(2), submit_long(3);
            begun.store(3, weft::release);
            for (unsigned core : {0, 1}) weft::Port::unpark(core);
        });
        for (unsigned i : {2, 3}) {
            body[i] = model::Callable([this] {
                ++late;
                model::check(late == 1, "of those that come later one at a time");
                model::check(pool.blocking_cores() == 1, "and none beside the earlier ones");
                --late;
            });
        }
    }
    unsigned late = 0;
};
MODEL_SCENARIO(blocking_limit_is_lowered, Lowered).preemptions(1);

// Result: Never (a task waits for ever; or it runs on core 0). Core 0 is in the wait of a task, and may sleep there: it
// must not take the long one, and is not the one to wake, though it is the lowest.
enum class Other { asleep, awake, off };
template <Other other>
struct InAWait : Limited<2, 2> {
    weft::Completion part{pool};
    weft::Atomic<uint32_t> waits{0};
    void cores(model::Program& on) {
        body[1] = model::Callable([this] {
            model::check(weft::this_core() == 1, "not in a wait of core 0");
            must(pool.submit(part));
        });
        task[0].body = model::Callable([this] {
            waits.store(1, weft::release);
            weft::Port::unpark(outside);
            must(part.wait());
        });
        worker<true>(on, 0);
        if (other == Other::off) {
            on.late_core(1);
        } else {
            worker<other == Other::asleep>(on, 1);
        }
        on.core(outside, [this] {
            submit_pinned(0, 0);
            while (waits.load(weft::acquire) == 0) weft::Port::park();
            submit_long(1);
        });
    }
};
using WaitBesideASleeper = InAWait<Other::asleep>;
using WaitBesideALook = InAWait<Other::awake>;
using WaitBesideAStart = InAWait<Other::off>;
MODEL_SCENARIO(blocking_not_in_a_wait, WaitBesideASleeper).preemptions(1).stale_reads(1);
MODEL_SCENARIO(blocking_not_in_a_wait_beside_a_look, WaitBesideALook).preemptions(1);
MODEL_SCENARIO(blocking_not_in_a_wait_but_started, WaitBesideAStart).preemptions(1);

// Result: Never (runs in a poll; or is left). A core that only polls does not take it; it is on the way to be the one
// that is started for it, and another one is.
struct NotInAPoll : Limited<2, 1> {
    void cores(model::Program& on) {
        body[0] = model::Callable([] { model::check(weft::this_core() == 1, "not in a poll"); });
        on.core(0, [this] {
            for (unsigned i : {0, 1}) {
                static_cast<void>(i);
                model::check(pool.poll(1).tasks == 0, "nothing that it may run");
            }
        });
        on.late_core(1);
        on.core(outside, [this] { submit_long(0); });
    }
};
MODEL_SCENARIO(blocking_not_in_a_poll, NotInAPoll).preemptions(2).stale_reads(1);

// Result: Never (two tasks wait for ever). The core that was unparked for the long task takes another one, which waits
// for it.
struct TakesAnother : Limited<2, 2> {
    void cores(model::Program& on) {
        body[1] = model::Callable([this] { two.arrive(); });
        task[0].body = model::Callable([this] { two.arrive(); });
        worker<true>(on, 0);
        worker<true>(on, 1);
        on.core(outside, [this] { submit(0); });
        on.core(outside + 1, [this] { submit_long(1); });
    }
};
MODEL_SCENARIO(blocking_taker_takes_another, TakesAnother).preemptions(1).stale_reads(1).parked_at_end();

// Result: Never (two tasks wait for ever). Of two cores that go for one task, the slower one was counted for a moment.
// Meanwhile another long one came, found no room, and told nobody. That core then waits for it in a task of its own.
struct CountedInVain : Limited<3, 3> {
    weft::Atomic<uint32_t> has_run{0};
    void await() {
        while (has_run.load(weft::acquire) == 0) weft::Port::park();
    }
    void cores(model::Program& on) {
        allows(2);
        for (unsigned core : {0, 1, 2}) worker<true>(on, core);
        body[0] = model::Callable([this] {
            if (weft::this_core() != 1) await();
        });
        body[1] = model::Callable([this] {
            has_run.store(1, weft::release);
            for (unsigned core : {0, 1, 2}) weft::Port::unpark(core);
        });
        task[2].body = model::Callable([this] { await(); });
        on.core(outside, [this] { submit_long(0), submit_pinned(1, 2); });
        on.core(outside + 1, [this] { submit_long(1); });
    }
};
MODEL_SCENARIO(blocking_counted_in_vain, CountedInVain).preemptions(1).stale_reads(0).parked_at_end();

// Result: Never (waits for ever). The only core that is here takes a long task: another one is here from then on, for
// what a handler submits, who can start none.
struct LeavesOneForHandlers : Limited<2, 2> {
    weft::Atomic<uint32_t> runs{0};
    void cores(model::Program& on) {
        body[0] = model::Callable([this] {
            runs.store(1, weft::release);
            weft::Port::unpark(outside);
            two.arrive();
        });
        task[1].body = model::Callable([this] { two.arrive(); });
        worker<true>(on, 0);
        on.late_core(1);
        on.core(outside, [this] {
            submit_long(0);
            while (runs.load(weft::acquire) == 0) weft::Port::park();
            submit_from_isr(1);
        });
    }
};
MODEL_SCENARIO(blocking_leaves_one_for_handlers, LeavesOneForHandlers).preemptions(1).parked_at_end();

// Result: Never. All cores are off, and the first one does not come: the next submit tries the other one.
struct Starts : Limited<2, 2> {
    void cores(model::Program& on) {
        on.late_core(0);
        on.late_core(1, {Arrival::never});
        on.core(outside, [this] {
            submit_long(0);
            model::advance_clock(1000000);
            submit_long(1);
        });
    }
};
MODEL_SCENARIO(blocking_starts, Starts).stale_reads(1).parked_at_end();

// Result: Never (a task waits for ever). The other core was refused once, before. A task that waits for a long one has
// it tried again: unlike an ordinary task, the core that submits it cannot run it itself.
struct WaitBesideARefusal : Limited<2, 3> {
    weft::Completion part{pool};
    weft::Atomic<uint32_t> submitted{0};  // no start is under way any more: see BLOCKING 2.2
    void cores(model::Program& on) {
        body[2] = model::Callable([this] { must(pool.submit(part)); });
        task[0].body = model::Callable([this] {
            while (submitted.load(weft::acquire) == 0) weft::Port::park();
            submit(1);
            submit_long(2);
            must(part.wait());
        });
        worker<true>(on, 0);
        on.late_core(1, {Arrival::refused, Arrival::normal});
        on.core(outside, [this] {
            submit(0);
            submitted.store(1, weft::release);
            weft::Port::unpark(0);
        });
    }
};
MODEL_SCENARIO(blocking_waited_for_beside_a_refusal, WaitBesideARefusal).preemptions(1);

// Result: Never (waits for ever). As blocking_leaves_one_for_handlers; but the core that is to come was refused once,
// when the task before began. The next one that begins tries again.
struct LeavesOneThatWasRefused : Limited<2, 3> {
    weft::Atomic<uint32_t> runs{0};
    void cores(model::Program& on) {
        body[0] = model::Callable([this] {
            runs.store(1, weft::release);
            weft::Port::unpark(outside);
        });
        body[1] = model::Callable([this] {
            runs.store(2, weft::release);
            weft::Port::unpark(outside);
            two.arrive();
        });
        task[2].body = model::Callable([this] { two.arrive(); });
        worker<true>(on, 0);
        on.late_core(1, {Arrival::refused, Arrival::normal});
        on.core(outside, [this] {
            submit_long(0);
            while (runs.load(weft::acquire) != 1) weft::Port::park();
            submit_long(1);
            while (runs.load(weft::acquire) != 2) weft::Port::park();
            submit_from_isr(2);
        });
    }
};
MODEL_SCENARIO(blocking_leaves_one_that_was_refused, LeavesOneThatWasRefused).preemptions(1).parked_at_end();

// Result: Never (two tasks wait for ever). The core that was unparked for the long task takes another one, which waits
// for it. It passes the news on as a submit from outside would: a core that was refused is tried again.
struct TakesAnotherBesideARefusal : Limited<2, 4> {
    weft::Atomic<uint32_t> refused{0};
    void cores(model::Program& on) {
        body[2] = model::Callable([this] { two.arrive(); });
        task[3].body = model::Callable([this] { two.arrive(); });
        task[0].body = model::Callable([this] {
            submit(1);
            refused.store(1, weft::release);
            weft::Port::unpark(outside);
        });
        worker<true>(on, 0);
        on.late_core(1, {Arrival::refused, Arrival::normal});
        on.core(outside, [this] {
            submit(0);
            while (refused.load(weft::acquire) == 0) weft::Port::park();
            submit_long(2);
            submit_from_isr(3);
        });
    }
};
MODEL_SCENARIO(blocking_taker_takes_another_beside_a_refusal, TakesAnotherBesideARefusal)
    .preemptions(1)
    .stale_reads(0)
    .parked_at_end();

// ---- The end of the pool

// Who is accepted runs once, with drain; or runs or is handed back; who is refused does not.
template <unsigned workers, unsigned tasks>
struct AtTheEnd : Workers<workers> {
    using Workers<workers>::pool;
    static constexpr unsigned outside = workers;
    struct One : Doing {
    } task[tasks];
    bool accepted[tasks] = {};
    bool handed_back[tasks] = {};
    unsigned running = 0;

    bool submit_long(unsigned which) {
        task[which].prepare();
        task[which].body = model::Callable([this] {
            model::check(++running == 1, "no more run than may");
            model::check(running-- == 1, "and none besides");
        });
        const Status status = pool.submit_blocking(task[which]);
        accepted[which] = status == Status::ok;
        model::check(accepted[which] || status == Status::closed, "accepted, or refused");
        return accepted[which];
    }
    void end(Shutdown mode) {
        pool.shutdown(mode);
        Batch left_over;
        must(pool.join(left_over));
        while (weft::Task* const back = left_over.pop()) {
            for (unsigned which = 0; which != tasks; ++which) {
                if (back == &task[which]) handed_back[which] = true;
            }
        }
    }
    void finish() {
        for (unsigned which = 0; which != tasks; ++which) {
            const int due = accepted[which] && !handed_back[which] ? 1 : 0;
            model::check(task[which].runs == due, "who is accepted runs once, or is handed back");
        }
    }
};

// Result: Never. The end beside a submit, and beside the end of a long task that had let the others wait.
template <Shutdown mode>
struct Ends : AtTheEnd<2, 3> {
    void cores(model::Program& on) {
        this->worker<true>(on, 0);
        this->worker<true>(on, 1);
        on.core(outside, [this] {
            submit_long(0);
            submit_long(1);
            end(mode);
        });
        on.core(outside + 1, [this] { submit_long(2); });
    }
    void finish() {
        AtTheEnd::finish();
        if (mode == Shutdown::drain) {
            for (bool back : handed_back) model::check(!back, "a drain hands none back");
        }
    }
};
MODEL_SCENARIO(blocking_drained, Ends<Shutdown::drain>).preemptions(1).stale_reads(1);
MODEL_SCENARIO(blocking_abandoned, Ends<Shutdown::abandon>).preemptions(1).stale_reads(1);

// Result: Never (two tasks wait for ever). They wait for each other, when the pool ends: a core that looks while the
// other one holds the queue does not leave.
struct BothRunAtTheEnd : Limited<2, 2> {
    void cores(model::Program& on) {
        allows(2);
        left.store(tasks_do_not_end_it, weft::relaxed);
        for (unsigned i : {0, 1}) body[i] = model::Callable([this] { two.arrive(); });
        worker<true>(on, 0);
        worker<true>(on, 1);
        on.core(outside, [this] {
            submit_long(0), submit_long(1);
            pool.shutdown();
        });
    }
    static constexpr uint32_t tasks_do_not_end_it = 3;
};
MODEL_SCENARIO(blocking_both_run_at_the_end, BothRunAtTheEnd).preemptions(1).stale_reads(0);

// Result: Never. Nobody has ever come: the joiner runs them, one after the other.
struct OnlyTheJoiner : AtTheEnd<1, 2> {
    void cores(model::Program& on) {
        on.late_core(0, {Arrival::absent});
        on.core(outside, [this] { submit_long(0), submit_long(1), end(Shutdown::drain); });
    }
    void finish() {
        AtTheEnd::finish();
        model::check(task[0].runs == 1 && task[1].runs == 1, "both ran");
    }
};
MODEL_SCENARIO(blocking_only_the_joiner, OnlyTheJoiner).stale_reads(1);

// Result: Never (an ordinary task is left behind it). A long task does not end, whoever ends the pool: all else runs,
// and the joiner waits.
template <Shutdown mode>
struct NeverEnds : Limited<2, 3> {
    weft::Atomic<uint32_t> begun{0};
    bool joined = false;
    void cores(model::Program& on) {
        worker<true>(on, 0);
        worker<true>(on, 1);
        on.core(outside, [this] {
            is_long(0);
            body[0] = model::Callable([this] {
                begun.store(1, weft::release);
                weft::Port::unpark(outside);
                goes_on();
            });
            must(pool.submit_blocking(task[0]));
            while (begun.load(weft::acquire) == 0) weft::Port::park();
            submit_long(1);
            submit(2);
            pool.shutdown(mode);
            static_cast<void>(pool.join());
            joined = true;
        });
    }
    void finish() {
        model::check(!joined && going_on == 1, "the joiner waits for it");
        model::check(task[1].runs == 0, "no other one beside it");
        if (mode == Shutdown::drain) model::check(task[2].runs == 1, "and nothing else does");
    }
};
MODEL_SCENARIO(blocking_never_ends, NeverEnds<Shutdown::drain>).preemptions(1).parked_at_end();
MODEL_SCENARIO(blocking_never_ends_abandoned, NeverEnds<Shutdown::abandon>).preemptions(1).parked_at_end();

// Result: Never (goes on for ever). A task waits for another one, which lies in its own core's ring. The other core's
// ring never runs dry.
struct BehindALongOne : Limited<2, 2> {
    Chain chain{pool};
    weft::Atomic<uint32_t> over{0};
    void cores(model::Program& on) {
        worker<true>(on, 0);
        worker<true>(on, 1);
        task[0].body = model::Callable([this] {
            must(pool.submit_on(0, chain));
            submit(1);
            while (over.load(weft::acquire) == 0) weft::Port::park();
        });
        task[1].body = model::Callable([this] {
            chain.stop();
            over.store(1, weft::release);
            for (unsigned core : {0, 1}) weft::Port::unpark(core);
        });
        on.core(outside, [this] { submit_pinned(1, 0); });
    }
};
MODEL_SCENARIO(blocking_behind_a_long_one, BehindALongOne).preemptions(2).stale_reads(1);

// Result: Never (a drain hangs). A long task begins on a core that has what it waits for in its ring, while the other
// one looks whether anything is left.
struct RingAtTheEnd : Limited<2, 6> {
    weft::Atomic<uint32_t> done{0};
    void cores(model::Program& on) {
        left.store(100, weft::relaxed);  // relaxed: before the cores; no task ends the pool
        worker<true>(on, 0);
        worker<true>(on, 1);
        on.core(outside, [this] {
            is_long(0);
            body[0] = model::Callable([this] {
                while (done.load(weft::acquire) != 4) weft::Port::park();
            });
            task[1].body = model::Callable([this] {
                for (unsigned i = 2; i != 6; ++i) {
                    task[i].body = model::Callable([this] {
                        done.fetch_add(1, weft::acq_rel);
                        for (unsigned core : {0, 1}) weft::Port::unpark(core);
                    });
                    submit(i);
                }
                must(pool.submit_blocking(task[0]));
                pool.shutdown();
            });
            submit_pinned(0, 1);
        });
    }
};
MODEL_SCENARIO(blocking_ring_at_the_end, RingAtTheEnd).preemptions(2).stale_reads(0);

// Result: Never (waits for the others). Urgent tasks never end, nor blocking ones, nor what is pinned. After a row of
// urgent tasks the shared queues have the first turn and the core's own ring the second one (URGENCY 1.2).
struct UrgentRow {
    weft::Pool<1, 4> pool;
    static constexpr uint32_t most = 40;
    weft::Atomic<uint32_t> over{0};
    struct Linked : weft::Task {
        explicit Linked(Run function) : Task(function) {}
        UrgentRow* all = nullptr;
        uint32_t links = 0;
    };
    static UrgentRow& all(weft::Task& self) { return *static_cast<Linked&>(self).all; }
    static void goes_on(Status status) {
        if (status != Status::closed) must(status);
    }
    void ends() {
        over.store(1, weft::release);
        weft::Port::unpark(1);
    }
    Linked rush{[](weft::Task& self) {
        UrgentRow& row = all(self);
        if (++row.rush.links >= most) row.ends();
        if (row.over.load(weft::relaxed) == 0) goes_on(row.pool.submit(self, weft::Urgency::urgent));
    }};
    Linked pinned{[](weft::Task& self) {
        UrgentRow& row = all(self);
        if (++row.pinned.links == 3) {
            row.since = row.rush.links;
            goes_on(row.pool.submit(row.own));
        }
        if (row.over.load(weft::relaxed) == 0) goes_on(row.pool.submit_on(0, self));
    }};
    Linked blocks{[](weft::Task& self) {
        UrgentRow& row = all(self);
        if (row.over.load(weft::relaxed) == 0) goes_on(row.pool.submit_blocking(self));
    }};
    Linked own{[](weft::Task& self) {
        UrgentRow& row = all(self);
        model::check(row.rush.links < most && row.rush.links - row.since <= 2 * WEFT_FAIR_INTERVAL + 2,
                     "the own ring has its turn");
        row.ends();
    }};
    uint32_t since = 0;
    UrgentRow() {
        for (Linked* one : {&rush, &pinned, &blocks, &own}) one->all = this;
    }
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(1, [this] {
            must(pool.submit(rush, weft::Urgency::urgent));
            must(pool.submit_on(0, pinned));
            must(pool.submit_blocking(blocks));
            while (over.load(weft::acquire) == 0) weft::Port::park();
            pool.shutdown();
            must(pool.join());
        });
    }
};
MODEL_SCENARIO(blocking_urgent_row, UrgentRow).preemptions(0).stale_reads(0).within_bounds();

// Result: Never (goes on for ever). An urgent task waits for another one each time that it runs. What runs in its wait
// takes turns of the shared queues, and ends each row of urgent tasks. A blocking task begins all the same.
struct UrgentThatWaits {
    weft::Pool<1, 4> pool;
    struct Linked : weft::Task {
        explicit Linked(Run function) : Task(function) {}
        UrgentThatWaits* all = nullptr;
    };
    static UrgentThatWaits& all(weft::Task& self) { return *static_cast<Linked&>(self).all; }
    static constexpr unsigned most = 8 * WEFT_FAIR_INTERVAL;
    unsigned links = 0;
    bool has_turn = false;
    Linked rush{[](weft::Task& self) {
        UrgentThatWaits& row = all(self);
        if (row.has_turn || ++row.links == most) return row.pool.shutdown();
        weft::Completion done(row.pool);
        must(row.pool.submit(done));
        must(done.wait());
        must(row.pool.submit(self, weft::Urgency::urgent));
    }};
    Linked blocks{[](weft::Task& self) { all(self).has_turn = true; }};
    UrgentThatWaits() { rush.all = blocks.all = this; }
    void cores(model::Program& on) {
        on.core(0, [this] {
            must(pool.submit(rush, weft::Urgency::urgent));
            must(pool.submit_blocking(blocks));
            must(pool.run());
            model::check(links != most, "the blocking task has its turn");
            must(pool.join());
        });
    }
};
MODEL_SCENARIO(blocking_beside_who_waits, UrgentThatWaits);

// Result: Never (goes on for ever). A long task comes again and again, on a core whose ring never runs dry. What was
// submitted from outside has its turn all the same.
struct SharedBesideThem : Limited<1, 1> {
    Chain chain{pool};
    struct Again : weft::Task {
        explicit Again(weft::Scheduler& its) : Task(&Again::run), pool(its) {}
        static void run(weft::Task& self) {
            Again& one = static_cast<Again&>(self);
            if (one.over.load(weft::relaxed) == 0) static_cast<void>(one.pool.submit_blocking(one));
        }
        weft::Scheduler& pool;
        weft::Atomic<uint32_t> over{0};
    } again{pool};
    void cores(model::Program& on) {
        worker<true>(on, 0);
        task[0].body = model::Callable([this] {
            chain.stop();
            again.over.store(1, weft::relaxed);  // relaxed: its own core
        });
        on.core(outside, [this] {
            must(pool.submit_on(0, chain));
            must(pool.submit_blocking(again));
            submit(0);
        });
    }
};
MODEL_SCENARIO(blocking_shared_beside_them, SharedBesideThem).preemptions(1).stale_reads(0);

}  // namespace
