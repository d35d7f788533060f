// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: notify against the last look, in every combination of who submits and who sleeps. Edge I1.
// Every park is without a time-out: a lost wake-up is a deadlock, which is a counterexample. Where tasks meet, a
// wake-up that merely comes too late (after a long task) is one too.
#include "sleepers.hpp"

namespace {

constexpr weft::Urgency normal = weft::Urgency::normal;

// Result: Never (sleeps for ever). oven-sh/bun#28907, tokio#1788: one sleeper, one submitter from outside.
MODEL_SCENARIO(sleep_submit_outside, SubmitOutside<normal>).preemptions(4).stale_reads(4).each_wake();

// Result: Never. Two submitters from outside, one sleeper: the second may find the first's wake under way.
struct TwoOutside : Sleepers<1, 2> {
    void cores(model::Program& on) {
        on.core(0, [this] { work(); });
        on.core(1, [this] { submit(0); });
        on.core(2, [this] { submit(1); });
    }
};
MODEL_SCENARIO(sleep_two_outside, TwoOutside).each_wake();

// Result: Never (another one, or two). Three cores sleep: a wake takes the lowest of them, and that one alone.
struct WakesTheLowest : Sleepers<3, 1> {
    void cores(model::Program& on) {
        for (unsigned core = 0; core != 3; ++core) worker<true>(on, core);
        task[0].body = model::Callable([this] {
            model::check(weft::Port::core_id() == 0, "the lowest core that sleeps");
            model::check(pool.total().wakes == 1, "nobody else");
        });
        on.core(3, [this] { submit(0); });
    }
};
MODEL_SCENARIO(sleep_wakes_the_lowest, WakesTheLowest).wake(model::Wake::targeted);

// Result: Never. A task submits to its own ring and waits for what it submitted: an idle core must take it.
struct SubmitFromTask : Sleepers<2, 2> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            task[0].body = model::Callable([this] { submit(1), two.arrive(); });
            task[1].body = model::Callable([this] { two.arrive(); });
            submit(0), work();
        });
        on.core(1, [this] { work(); });
    }
};
MODEL_SCENARIO(sleep_submit_from_task, SubmitFromTask).each_wake();

// Result: Never. One batch, two tasks that do not end: the woken core must see to the rest before it runs its own.
MODEL_SCENARIO(sleep_batch_needs_two, BatchNeedsTwo<false, normal>).stale_reads(1).parked_at_end();
MODEL_SCENARIO(sleep_batch_needs_two_rested, BatchNeedsTwo<true, normal>)
    .preemptions(4)
    .stale_reads(4)
    .parked_at_end()
    .each_wake();

// Result: Never. Two submits, two tasks that need two cores: a notify swallowed while another wake is under way must
// be made good by the waking core (claim 3 of docs/DESIGN.md), also when it finds the injector held (claim 4).
struct SwallowedNotify : Sleepers<2, 2> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        worker<true>(on, 1);
        for (One& one : task) one.body = model::Callable([this] { two.arrive(); });
        on.core(2, [this] { submit(0), submit(1); });
    }
};
MODEL_SCENARIO(sleep_swallowed_notify, SwallowedNotify).each_wake();

// Result: Never (waits for ever). The same with two submitters; the tasks do not end. `rested`: both workers sleep.
template <bool rested>
struct SwallowedByTheOther : Sleepers<2, 2> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        worker<rested>(on, 1);
        for (One& one : task) one.body = model::Callable([this] { goes_on(); });
        on.core(2, [this] { submit(0); });
        on.core(3, [this] { submit(1); });
    }
    void finish() { model::check(going_on == 2, "each worker runs one of the long tasks"); }
};
MODEL_SCENARIO(sleep_swallowed_by_the_other, SwallowedByTheOther<true>).parked_at_end().each_wake();
MODEL_SCENARIO(sleep_swallowed_by_the_other_awake, SwallowedByTheOther<false>).stale_reads(1).parked_at_end();

// Result: Never. The same with two submitters, and from the beginning: too large to be exhausted.
struct SwallowedByAnother : Sleepers<2, 2> {
    void cores(model::Program& on) {
        worker<false>(on, 0);
        worker<false>(on, 1);
        for (One& one : task) one.body = model::Callable([this] { two.arrive(); });
        on.core(2, [this] { submit(0); });
        on.core(3, [this] { submit(1); });
    }
};
MODEL_SCENARIO(sleep_swallowed_by_another_random, SwallowedByAnother)
    .mode(model::Mode::random)
    .executions(50000)
    .each_wake();
MODEL_SCENARIO(sleep_swallowed_by_another_pct, SwallowedByAnother)
    .mode(model::Mode::pct)
    .executions(50000)
    .each_wake();

// Result: Never. A ring of two overflows; what went to the overflow is stolen or run, nothing is left behind.
struct OverflowWhileIdle : Sleepers<2, 4> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            task[0].body = model::Callable([this] { submit(1), submit(2), submit(3); });
            submit_here(0), work();
        });
        on.core(1, [this] { work(); });
    }
};
MODEL_SCENARIO(sleep_overflow_while_idle, OverflowWhileIdle);

// Result: Never (waits for ever). The ring overflows, and is empty when the overflow becomes visible: a thief took what
// was left in it, ran it, and looked for more too early. It is anywhere on its way to sleep, and nobody else comes for
// the rest.
struct OverflowNeedsTheThief : Sleepers<2, 4> {
    weft::Atomic<uint32_t> ran{0};
    void cores(model::Program& on) {
        on.core(0, [this] {
            task[0].body = model::Callable([this] {
                submit(1), submit(2), submit(3);
                while (ran.load(weft::relaxed) != 3) weft::Port::park();
            });
            for (unsigned which : {1, 2, 3}) {
                task[which].body =
                    model::Callable([this] { ran.fetch_add(1, weft::relaxed), weft::Port::unpark(0); });
            }
            submit_here(0), work();
        });
        worker<true>(on, 1);
    }
};
MODEL_SCENARIO(sleep_overflow_needs_the_thief, OverflowNeedsTheThief);

// Result: Never (waits for ever). The same with two sleepers, who are needed both, as three tasks do not end: the thief
// runs what was left in the ring, and must have seen to it that another core comes for the overflow.
template <bool rested>
struct OverflowNeedsThree : Sleepers<3, 4> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            task[0].body = model::Callable([this] { submit(1), submit(2), submit(3), goes_on(); });
            task[2].body = model::Callable([this] { goes_on(); });
            task[3].body = model::Callable([this] { goes_on(); });
            submit_here(0), work();
        });
        worker<true>(on, 1);
        worker<rested>(on, 2);
    }
    void finish() { model::check(going_on == 3, "each core runs one of the long tasks"); }
};
MODEL_SCENARIO(sleep_overflow_needs_three, OverflowNeedsThree<true>).parked_at_end();
MODEL_SCENARIO(sleep_overflow_needs_three_pct, OverflowNeedsThree<false>)
    .mode(model::Mode::pct)
    .executions(50000)
    .parked_at_end();

// Result: Never. An ISR of the sleeping core itself submits, at any point of its way to sleep.
MODEL_SCENARIO(sleep_own_isr, OwnIsr<normal>).preemptions(4).stale_reads(4).each_wake();

// Result: Never. The ISR interrupts a core that runs a long task; the other core, anywhere on its way to sleep, must
// come for what the ISR submits. `rested`: the task runs already.
template <bool rested>
struct IsrBehindLongTask : Sleepers<2, 2> {
    void cores(model::Program& on) {
        for (One& one : task) one.body = model::Callable([this] { goes_on(); });
        const auto first = [this] { submit_here(0), work(); };
        if (rested) {
            on.core_at_rest(0, first);
        } else {
            on.core(0, first);
        }
        on.interrupt(0, [this] { submit_from_isr(1); });
        worker<false>(on, 1);
    }
    void finish() { model::check(going_on == 2, "each core runs one of the tasks"); }
};
MODEL_SCENARIO(sleep_isr_behind_long_task, IsrBehindLongTask<true>)
    .preemptions(4)
    .stale_reads(4)
    .parked_at_end();
MODEL_SCENARIO(sleep_isr_behind_long_task_awake, IsrBehindLongTask<false>).parked_at_end();

// Result: Never. Spurious returns of park() and events meant for others change nothing (P4).
struct SpuriousEvents : Sleepers<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] { work(); });
        on.core(1, [this] {
            weft::Port::unpark(0);
            submit(0);
            weft::Port::unpark(0);
        });
    }
};
MODEL_SCENARIO(sleep_spurious_events, SpuriousEvents)
    .preemptions(3)
    .stale_reads(3)
    .spurious_parks(2)
    .each_wake();

// Result: Never (a counter is wrong). Each time that a worker was asleep counts once: as a wake, or as one for nothing.
// One task, and at most one event that means nothing.
template <bool events>
struct SleepsCount : Sleepers<1, 1> {
    void cores(model::Program& on) {
        worker<true>(on, 0);
        on.core(1, [this] {
            if (events) weft::Port::unpark(0);
            submit(0);
        });
    }
    void finish() {
        const weft::CoreStats stats = pool.stats(0);
        const bool slept = WEFT_SEARCH_ROUNDS == 0;  // otherwise it may still be looking around
        model::check(stats.wakes == 1 || !slept, "it was woken for a task");
        model::check(stats.spurious_wakes <= (events ? 1 : 0), "and for nothing at most by the event");
        model::check(stats.parks == stats.wakes + stats.spurious_wakes, "it slept as often");
        model::check(stats.executed == 1, "and ran one task");
        const weft::CoreStats total = pool.total();
        model::check(total.parks == stats.parks && total.spurious_wakes == stats.spurious_wakes,
                     "sums of one");
        if (events) model::outcome(stats.spurious_wakes != 0 ? "both" : "one");
    }
};
MODEL_SCENARIO(sleep_counts, SleepsCount<false>).each_wake();
MODEL_SCENARIO(sleep_counts_events, SleepsCount<true>).allows({"both", "one"}).each_wake();

// Result: Never (a counter is wrong). A worker that finds its task without having slept has not slept.
struct NeverSlept : Sleepers<1, 1> {
    void cores(model::Program& on) {
        on.core(0, [this] { submit_here(0), work(); });
    }
    void finish() {
        const weft::CoreStats stats = pool.stats(0);
        model::check(stats.parks + stats.wakes + stats.spurious_wakes == 0, "it has not slept");
        model::check(stats.steal_attempts + stats.stolen + stats.overflows == 0, "nor stolen, nor run over");
        model::check(stats.executed == 1 && stats.submitted == 0, "it ran what came from outside");
    }
};
MODEL_SCENARIO(sleep_is_not_counted_without, NeverSlept);

// Result: Never. A worker and a super-loop that polls share two tasks that need both.
struct PollAndRun : Sleepers<2, 2> {
    void cores(model::Program& on) {
        on.core(0, [this] {
            for (One& one : task) {
                one.body = model::Callable([this] { two.arrive(); });
            }
            submit(0), submit(1);
            while (pool.poll(1).tasks == 0 && left.load(weft::relaxed) != 0) weft::Port::relax();
        });
        on.core(1, [this] { work(); });
    }
};
MODEL_SCENARIO(sleep_poll_and_run, PollAndRun).each_wake();

}  // namespace
