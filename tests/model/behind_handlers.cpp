// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: what a call from outside leaves to somebody else who starts no core: to a handler's call of the same strand,
// event or timer queue, which has not handed it in yet; or, timers, to a core on its way to something else.
#include "../kit/reveal.hpp"
#include "sleepers.hpp"

#include "visits.hpp"

namespace tap {
namespace portrait {

struct Pushed {
    friend constexpr auto reveal(Pushed);
};
struct EventCalls {
    friend constexpr auto reveal(EventCalls);
};
struct Injected {
    friend constexpr auto reveal(Injected);
};
template struct Reveal<Pushed, &weft::Strand::pushed_>;
template struct Reveal<EventCalls, &weft::Event::calls_>;
template struct Reveal<Injected, &weft::Scheduler::injector_>;

}  // namespace portrait
}  // namespace tap

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
MODEL_SCENARIO(event_meets_a_handler, OfAnEvent)
    .parked_at_end()
    .stale_reads(0)
    .mode(model::Mode::pct)
    .executions(20000);

// Both cores are off, and a start is begun: for a task that waits for the one that is brought.
struct AtAStart {
    weft::Pool<2, 2> pool;
    Doing early, brought, waiting;
    Flag has_run;
    void begins(model::Program& on) {
        on.late_core(0);
        on.late_core(1);
        brought.body = model::Callable([this] { has_run.set(0), has_run.set(1); });
        waiting.body = model::Callable([this] { has_run.await(); });
    }
    void finish() {
        for (Doing* one : {&brought, &waiting}) model::check(one->as_promised(), "both run");
    }
};

// The start is begun before the strand's submit, for `waiting`; or by it, and the core takes `waiting`.
template <bool before>
struct OfAStrandAtAStart : AtAStart {
    weft::Strand strand{pool};
    void cores(model::Program& on) {
        begins(on);
        on.core(2, [this] {
            waiting.prepare(), brought.prepare();
            if (before) must(pool.submit(waiting));
            must(strand.submit(brought));
            if (!before) must(pool.submit_from_isr(waiting));
        });
        on.core(3, [this] {
            early.prepare();
            must(strand.submit_from_isr(early));
        });
    }
};
MODEL_SCENARIO(strand_meets_a_handler_behind_a_start, OfAStrandAtAStart<true>)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);
MODEL_SCENARIO(strand_meets_a_handler_at_a_start, OfAStrandAtAStart<false>).parked_at_end().stale_reads(0);

// The handler sees to its own signal, and then to the second call, too.
struct OfAnEventTwice : AtAStart {
    weft::Event event{pool};
    void cores(model::Program& on) {
        begins(on);
        on.core(2, [this] {
            brought.prepare(), waiting.prepare();
            must(event.wait(brought));
            must(pool.submit_from_isr(waiting));
            must(event.signal());
        });
        on.core(3, [this] { must(event.signal_from_isr()); });
    }
};
MODEL_SCENARIO(event_meets_a_handler_twice, OfAnEventTwice)
    .parked_at_end()
    .stale_reads(0)
    .preemptions(6)
    .mode(model::Mode::pct)
    .executions(20000);

// Between two steps of a start no core seems to be there that could be started.
struct OfTheTimersAtAStart : AtAStart {
    weft::Timer timer{pool, brought}, other{pool, early};
    void cores(model::Program& on) {
        begins(on);
        on.core(2, [this] {
            waiting.prepare();
            must(pool.submit(waiting));
        });
        on.core(3, [this] {
            brought.prepare();
            must(timer.start_after(60));
        });
        on.core(4, [this] {
            early.prepare();
            must(other.start_after_from_isr(50));
        });
    }
};
MODEL_SCENARIO(timer_meets_a_handler_at_a_start, OfTheTimersAtAStart)
    .parked_at_end()
    .stale_reads(0)
    .alarms()
    .clock_start(start)
    .mode(model::Mode::pct)
    .executions(20000);

// `watches`: core 0 has the watch when it sleeps, although no timer is armed.
template <bool watches>
struct MeetsAStart : MeetsAHandler {
    weft::Timer timer{pool, brought}, other{pool, early};
    void begins(model::Program& on) {
        MeetsAHandler::begins(on);
        before_it_runs = model::Callable([this] {
            if (!watches) return;
            must(other.start_after_from_isr(1000));  // starts no core
            model::check(other.cancel() == weft::CancelResult::cancelled, "it is not due");
        });
    }
};

template <bool watches>
struct OfTheTimers : MeetsAStart<watches> {
    using MeetsAStart<watches>::brought, MeetsAStart<watches>::early;
    using MeetsAStart<watches>::timer, MeetsAStart<watches>::other;
    void cores(model::Program& on) {
        this->begins(on);
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
template <bool watches>
struct OfOneTimer : MeetsAStart<watches> {
    using MeetsAStart<watches>::brought, MeetsAStart<watches>::timer;
    void cores(model::Program& on) {
        this->begins(on);
        brought.prepare();
        on.core(2, [this] { must(timer.start_after(60)); });
        on.core(3, [this] { must(timer.start_after_from_isr(50)); });
    }
    void finish() {
        model::check(brought.runs >= 1, "the timer has fired");
        model::check(this->waiting.as_promised(), "who waits for it runs");
    }
};
MODEL_SCENARIO(timer_is_a_handlers_too, OfOneTimer<false>)
    .parked_at_end()
    .stale_reads(0)
    .alarms()
    .clock_start(start)
    .mode(model::Mode::pct)
    .depth(5)
    .executions(40000);
MODEL_SCENARIO(timer_is_a_handlers_beside_who_watches, OfOneTimer<true>)
    .parked_at_end()
    .stale_reads(0)
    .alarms()
    .clock_start(start)
    .mode(model::Mode::pct)
    .depth(5)
    .executions(40000);

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

// The call leaves its task to a worker's submit to the strand, in the middle. That allows no retry; core 2 sleeps, and
// is chosen for `another`.
struct RetriedForAStrand : RefusedBefore<3> {
    weft::Strand strand{second};
    Doing by_a_task, brought, another, submits, sleeps;
    Flag has_run, goes_on;
    void cores(model::Program& on) {
        begins(on);
        sleeps.body = model::Callable([this] { goes_on.await(); });
        on.core_at_rest(2, [this] {
            sleeps.prepare();
            must(second.submit_on(2, sleeps));
            must(second.run());
        });
        brought.body = model::Callable([this] {
            for (unsigned core = 0; core != 3; ++core) has_run.set(core);
        });
        submits.body = model::Callable([this] {
            by_a_task.prepare();
            must(strand.submit(by_a_task));
            has_run.await();
        });
        another.body = model::Callable([this] { has_run.await(); });
        on.core(3, [this] {
            is_refused();
            goes_on.set(2);
            for (unsigned time = 0; time != 4; ++time) weft::Port::relax();
            submits.prepare(), brought.prepare(), another.prepare();
            must(second.submit_from_isr(submits));
            must(strand.submit(brought));
            must(second.submit_from_isr(another));
        });
    }
    void finish() {
        for (Doing* one : {&by_a_task, &brought, &another, &submits})
            model::check(one->as_promised(), "all run");
    }
};
MODEL_SCENARIO(start_retried_for_a_strand, RetriedForAStrand)
    .parked_at_end()
    .stale_reads(0)
    .mode(model::Mode::pct)
    .executions(20000);

// Result: Never. Edge Q3 alone: who has met a handler's call finds what it has handed in. (No core comes.)
template <bool of_an_event>
struct WaitsForAHandler {
    weft::Pool<1, 2> pool;
    weft::Strand strand{pool};
    weft::Event event{pool};
    Doing task[3];
    void cores(model::Program& on) {
        on.late_core(0, {model::Arrival::absent});
        for (Doing& one : task) one.prepare();
        if (of_an_event) must(event.wait(task[0]));
        on.core(1, [this] { must(of_an_event ? event.signal_from_isr() : strand.submit_from_isr(task[0])); });
        on.core(2, [this] {
            const bool meets = of_an_event
                                   ? (event.*reveal(tap::portrait::EventCalls())).load(weft::relaxed) != 0
                                   : (strand.*reveal(tap::portrait::Pushed())).load(weft::relaxed) != 0;
            must(of_an_event ? event.wait(task[1]) : strand.submit(task[1]));
            const bool finds = (pool.*reveal(tap::portrait::Injected())).looks_nonempty();
            model::check(finds || !meets, "what the handler has handed in is there");
        });
    }
};
MODEL_SCENARIO(strand_waits_for_a_handler, WaitsForAHandler<false>).stale_reads(2);
MODEL_SCENARIO(event_waits_for_a_handler, WaitsForAHandler<true>).stale_reads(2);

}  // namespace
