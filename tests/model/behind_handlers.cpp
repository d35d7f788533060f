// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: what a call from outside leaves to somebody else who starts no core: to a handler's call of the same strand,
// event or timer queue, which has not handed it in yet; or, timers, to a core on its way to something else.
#include "sleepers.hpp"

#include "visits.hpp"

namespace {

constexpr uint32_t start = 1000;

// Result: Never (waits for ever). One core runs, the other is off. A call brings the task that another task waits for.
// It meets a handler's call, which sees to it. What that core meets on its way, or is chosen for meanwhile, keeps it.
struct MeetsAHandler {
    weft::Pool<2, 2> pool;
    Doing early, brought, waiting;
    Flag has_run;
    model::Callable before_it_runs{[] {}};
    void begins(model::Program& on) {
        on.core_at_rest(0, [this] {
            before_it_runs();
            must(pool.run());
        });
        on.late_core(1);
        brought.body = model::Callable([this] { has_run.set(0); });
        waiting.body = model::Callable([this] { has_run.await(); });
        on.interrupt(2, [this] {
            waiting.prepare();
            must(pool.submit_from_isr(waiting));
        });
    }
    void finish() {
        for (Doing* one : {&brought, &waiting}) model::check(one->as_promised(), "both run");
    }
};

struct OfAStrand : MeetsAHandler {
    weft::Strand strand{pool};
    void cores(model::Program& on) {
        begins(on);
        on.core(2, [this] {
            brought.prepare();
            must(strand.submit(brought));
        });
        on.core(3, [this] {
            early.prepare();
            must(strand.submit_from_isr(early));
        });
    }
    void finish() {
        MeetsAHandler::finish();
        model::check(early.as_promised(), "the handler's runs");
    }
};
MODEL_SCENARIO(strand_meets_a_handler, OfAStrand)
    .parked_at_end()
    .stale_reads(0)
    .mode(model::Mode::pct)
    .executions(20000);

struct OfAnEvent : MeetsAHandler {
    weft::Event event{pool};
    void cores(model::Program& on) {
        begins(on);
        on.core(2, [this] {
            brought.prepare();
            must(event.wait(brought));
            must(event.signal());
        });
        on.core(3, [this] { must(event.signal_from_isr()); });
    }
};
MODEL_SCENARIO(event_meets_a_handler, OfAnEvent).parked_at_end().stale_reads(0);

// `watches`: core 0 has the watch, although no timer is armed.
template <bool watches>
struct OfTheTimers : MeetsAHandler {
    weft::Timer timer{pool, brought}, other{pool, early};
    void cores(model::Program& on) {
        begins(on);
        before_it_runs = model::Callable([this] {
            if (!watches) return;
            must(other.start_after(1000));
            model::check(other.cancel() == weft::CancelResult::cancelled, "it is not due");
        });
        on.core(2, [this] {
            brought.prepare();
            must(timer.start_after(60));
        });
        on.core(3, [this] {
            early.prepare();
            must(other.start_after_from_isr(50));
        });
    }
};
MODEL_SCENARIO(timer_meets_a_handler, OfTheTimers<false>)
    .parked_at_end()
    .stale_reads(0)
    .alarms()
    .clock_start(start)
    .mode(model::Mode::pct)
    .executions(20000);
MODEL_SCENARIO(timer_meets_a_handler_beside_who_watches, OfTheTimers<true>)
    .parked_at_end()
    .stale_reads(0)
    .alarms()
    .clock_start(start)
    .mode(model::Mode::pct)
    .executions(20000);

// The same timer: a handler's start is at it.
struct OfOneTimer : MeetsAHandler {
    weft::Timer timer{pool, brought};
    void cores(model::Program& on) {
        begins(on);
        brought.prepare();
        on.core(2, [this] { must(timer.start_after(60)); });
        on.core(3, [this] { must(timer.start_after_from_isr(50)); });
    }
    void finish() {
        model::check(brought.runs >= 1, "the timer has fired");
        model::check(waiting.as_promised(), "who waits for it runs");
    }
};
MODEL_SCENARIO(timer_is_a_handlers_too, OfOneTimer)
    .parked_at_end()
    .stale_reads(0)
    .alarms()
    .clock_start(start)
    .mode(model::Mode::pct)
    .executions(20000);

// Result: Never (waits for ever). A core was refused, and can be started by now. A handler's task is brought to the
// core that sleeps, and waits for a timer, which is started from outside before or behind that; or is the second one.
enum class Order { behind, before, second };
template <Order order>
struct RetriedForATimer : RefusedBefore<> {
    Doing follower, of_a_handler;
    Flag fired;
    weft::Timer timer{second, follower}, earlier{second, of_a_handler};
    void cores(model::Program& on) {
        begins(on);
        follower.body = model::Callable([this] { fired.set(0); });
        task[0].body = model::Callable([this] { fired.await(); });
        on.core(2, [this] {
            is_refused();
            task[0].prepare(), follower.prepare();
            if (order == Order::second) {
                of_a_handler.prepare();
                must(earlier.start_after_from_isr(40));
            }
            if (order != Order::behind) must(timer.start_after(50));
            must(second.submit_from_isr(task[0]));
            if (order == Order::behind) must(timer.start_after(50));
        });
    }
    void finish() { model::check(task[0].as_promised() && follower.as_promised(), "both run"); }
};
MODEL_SCENARIO(start_retried_for_a_timer, RetriedForATimer<Order::behind>)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0)
    .alarms()
    .clock_start(start);
MODEL_SCENARIO(start_retried_for_a_timer_before, RetriedForATimer<Order::before>)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0)
    .alarms()
    .clock_start(start);
MODEL_SCENARIO(start_retried_for_a_second_timer, RetriedForATimer<Order::second>)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0)
    .alarms()
    .clock_start(start);

}  // namespace
