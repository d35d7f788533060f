// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: calls that meet, of which one overtakes another between two of its steps. SOURCES 2.2, TIMERS 2.2, claim 25.
// (All by a review.)
#include <new>
#include <string.h>

#include "sleepers.hpp"

#include "visits.hpp"

namespace {

constexpr uint32_t start = 1000;

// ---- An event

// Result: Never (waits for ever). A core was refused and can be started by now. The signal from outside is seen to by a
// worker's call, which may not try that core again. Then the worker waits for what the signal has let go.
struct RetriedForAnEvent : RefusedBefore<> {
    weft::Event event{second};
    Doing other, brought, submits;
    Flag has_run;
    void cores(model::Program& on) {
        begins(on);
        brought.body = model::Callable([this] { has_run.set(0), has_run.set(1); });
        submits.body = model::Callable([this] {
            other.prepare();
            must(event.wait(other));
            has_run.await();
        });
        on.core(2, [this] {
            is_refused();
            submits.prepare(), brought.prepare();
            must(event.wait(brought));
            must(second.submit_from_isr(submits));
            must(event.signal());
        });
    }
    void finish() {
        for (Doing* one : {&brought, &submits}) model::check(one->as_promised(), "both run");
    }
};
MODEL_SCENARIO(start_retried_for_an_event, RetriedForAnEvent)
    .parked_at_end()
    .stale_reads(0)
    .mode(model::Mode::pct)
    .executions(40000);

// Result: Never (waits for ever). The same; a handler's call sees to the signal, and a worker that slept takes both
// tasks that it lets go. The first one waits for the other.
struct RetriedBehindAHandler : RefusedBefore<> {
    weft::Event event{second};
    Doing waiting, brought, other;
    Flag has_run;
    weft::Atomic<uint32_t> ready{0};
    void cores(model::Program& on) {
        begins(on);
        brought.body = model::Callable([this] { has_run.set(0), has_run.set(1); });
        waiting.body = model::Callable([this] { has_run.await(); });
        on.core(2, [this] {
            is_refused();
            waiting.prepare(), brought.prepare(), other.prepare();
            must(event.wait(waiting));
            must(event.wait(brought));
            ready.store(1, weft::release);
            must(event.set());
        });
        on.core(3, [this] {
            while (ready.load(weft::acquire) == 0) weft::Port::relax();
            must(event.wait_from_isr(other));
        });
    }
    void finish() {
        for (Doing* one : {&brought, &waiting}) model::check(one->as_promised(), "both run");
    }
};
MODEL_SCENARIO(start_retried_behind_a_handlers_event, RetriedBehindAHandler)
    .parked_at_end()
    .stale_reads(0)
    .mode(model::Mode::pct)
    .executions(40000);

// ---- Timers

// A task `waiting` waits for a timer's follower. The pool's last core is off.
template <unsigned cores = 2>
struct AwaitsATimer {
    weft::Pool<cores, 2> pool;
    Doing brought, waiting, early;
    Flag has_run;
    weft::Timer timer{pool, brought}, other{pool, early};
    void begins(model::Program& on) {
        brought.prepare();
        brought.body = model::Callable([this] {
            for (unsigned core = 0; core != cores; ++core) has_run.set(core);
        });
        waiting.body = model::Callable([this] { has_run.await(); });
        on.late_core(cores - 1);
    }
    void submit_waiting() {
        waiting.prepare();
        must(pool.submit_from_isr(waiting));
    }
    void finish() {
        model::check(brought.runs >= 1, "the timer has fired");
        model::check(waiting.as_promised(), "who waits for it runs");
    }
};

// A timer whose owner uses its memory for something else as soon as it may.
struct EndingTimer {
    weft::Pool<1, 2> pool;
    Doing follower;
    alignas(weft::Timer) unsigned char room[sizeof(weft::Timer)];
    weft::Timer* timer = nullptr;
    weft::Atomic<uint32_t> started{0};
    EndingTimer() { timer = new (room) weft::Timer(pool, follower); }
    void begins(model::Program& on) {
        follower.prepare();
        on.core_at_rest(0, [this] { must(pool.run()); });
    }
    void ends() {
        model::end_of_life(*timer);
        memset(room, 0, sizeof room);
    }
};

// Result: Never (touches memory that is free). A task's cancel() says that the timer may end. The handler's call that
// has started it holds the queue yet, for another timer, and tells the sleepers behind that. `beside_a_cancel`: so does
// one that has cancelled it.
template <bool beside_a_cancel>
struct EndsAtOnce : EndingTimer {
    Doing follower_of_other;
    weft::Timer other{pool, follower_of_other};
    void cores(model::Program& on) {
        begins(on);
        follower_of_other.prepare();
        on.core(1, [this] {
            must(timer->start_after_from_isr(50));
            if (!beside_a_cancel) return;
            started.store(1, weft::release);
            static_cast<void>(timer->cancel_from_isr());
        });
        on.core(2, [this] {
            if (beside_a_cancel) {
                while (timer->is_armed() || started.load(weft::acquire) == 0) weft::Port::relax();
                if (timer->cancel() != weft::CancelResult::not_armed) return;
            } else if (timer->cancel() != weft::CancelResult::cancelled) {
                return;
            }
            ends();
        });
        on.core(3, [this] { must(other.start_after_from_isr(40)); });
    }
    void finish() { model::check(follower_of_other.runs == 1, "the other timer has fired"); }
};
MODEL_SCENARIO(timer_ends_at_once, EndsAtOnce<false>)
    .parked_at_end()
    .stale_reads(0)
    .alarms()
    .clock_start(start)
    .mode(model::Mode::pct)
    .executions(20000);
MODEL_SCENARIO(timer_ends_at_once_beside_a_cancel, EndsAtOnce<true>)
    .parked_at_end()
    .stale_reads(0)
    .alarms()
    .clock_start(start)
    .mode(model::Mode::pct)
    .executions(60000);

// Result: Never (waits for ever). A handler's start of a timer takes a task's start of it out of force, just when that
// one is seen to, and goes on behind it. So nothing is armed when core 0 goes to work, and the handler's starts no
// core. `watches`: core 0 is the watcher.
template <bool watches>
struct OvertakenByAHandlersStart : AwaitsATimer<> {
    void cores(model::Program& on) {
        begins(on);
        on.core_at_rest(0, [this] {
            if (watches) {
                must(other.start_after_from_isr(1000));  // starts no core
                model::check(other.cancel() == weft::CancelResult::cancelled, "it is not due");
            }
            must(pool.run());
        });
        on.core(2, [this] {
            must(timer.start_after(60));
            submit_waiting();
        });
        on.core(3, [this] { must(timer.start_after_from_isr(50)); });
    }
};
MODEL_SCENARIO(timer_overtaken_by_a_handlers, OvertakenByAHandlersStart<false>)
    .parked_at_end()
    .stale_reads(0)
    .preemptions(2)
    .alarms()
    .clock_start(start);
MODEL_SCENARIO(timer_overtaken_beside_who_watches, OvertakenByAHandlersStart<true>)
    .parked_at_end()
    .stale_reads(0)
    .preemptions(2)
    .seconds(60)
    .alarms()
    .clock_start(start);

// Result: Never (waits for ever). A handler's start finds its timer listed by a task's cancel(), leaves it to that one
// and returns. The former time has come, so the queue is free and empty when core 0 goes to work; and the cancel starts
// none.
struct BesideACancel : AwaitsATimer<> {
    void cores(model::Program& on) {
        begins(on);
        on.core_at_rest(0, [this] {
            must(timer.start_after_from_isr(40));
            must(pool.run());
        });
        on.core(2, [this] { static_cast<void>(timer.cancel()); });
        on.core(3, [this] {
            while (timer.is_armed()) weft::Port::relax();
            model::advance_clock(45);
            for (unsigned i = 0; i != 6; ++i) weft::Port::relax();
            must(timer.start_after_from_isr(50));
            submit_waiting();
        });
    }
    void finish() {
        model::check(!timer.is_armed(), "it has fired, or is cancelled");
        if (brought.runs == 0) return;  // the cancel came behind
        model::check(waiting.as_promised(), "who waits for it runs");
    }
};
MODEL_SCENARIO(timer_started_beside_a_cancel, BesideACancel)
    .parked_at_end()
    .stale_reads(0)
    .alarms()
    .clock_start(start)
    .mode(model::Mode::pct)
    .depth(5)
    .executions(40000);

// Result: Never (waits for ever). A handler's start leaves its timer to another handler's call, which holds the queue
// and has told nobody yet. `another`: without that one, the handler's start tells by itself.
template <bool another>
struct TwoHandlers : AwaitsATimer<> {
    void cores(model::Program& on) {
        begins(on);
        on.core_at_rest(0, [this] { must(pool.run()); });
        on.core(2, [this] {
            must(timer.start_after_from_isr(60));
            submit_waiting();
        });
        if (another) {
            on.core(3, [this] {
                early.prepare();
                must(other.start_after_from_isr(50));
            });
        }
    }
};
MODEL_SCENARIO(timer_a_handler_starts, TwoHandlers<false>)
    .parked_at_end()
    .stale_reads(0)
    .preemptions(2)
    .alarms()
    .clock_start(start);
MODEL_SCENARIO(timer_two_handlers_start, TwoHandlers<true>)
    .parked_at_end()
    .stale_reads(0)
    .preemptions(2)
    .alarms()
    .clock_start(start);

// Result: Never (touches memory that is free). A task's start has found the timer listed by another call. Then all
// starts are cancelled, so the timer ends.
struct EndsUnderAStart : EndingTimer {
    void cores(model::Program& on) {
        begins(on);
        on.core(1, [this] {
            while (started.load(weft::acquire) == 0) weft::Port::relax();
            must(timer->start_after(50));
        });
        on.core(2, [this] {
            must(timer->start_after_from_isr(40));
            started.store(1, weft::release);
            // The first one of two starts is cancelled, then the second one: both have been made.
            if (timer->cancel_from_isr() != weft::CancelResult::cancelled) return;
            if (timer->cancel() != weft::CancelResult::cancelled) return;
            ends();
        });
    }
    void finish() {}
};
MODEL_SCENARIO(timer_ends_under_a_start, EndsUnderAStart)
    .parked_at_end()
    .stale_reads(0)
    .alarms()
    .clock_start(start)
    .mode(model::Mode::pct)
    .executions(60000);

// Result: Never (waits for ever). The watcher goes to a task that waits for its timer, whose time has come. Meanwhile a
// handler's start takes the former one out of force; a poll takes the timer out of the heap; and the handler's call
// arms it again, and starts no core. At each moment there is one that is armed, or about to be.
struct TakenOutByAPoll : AwaitsATimer<3> {
    weft::Atomic<uint32_t> is_due{0};
    void cores(model::Program& on) {
        begins(on);
        on.core_at_rest(0, [this] {
            must(timer.start_after_from_isr(50));
            must(pool.run());
        });
        on.core(1, [this] {
            while (is_due.load(weft::acquire) == 0) weft::Port::relax();
            static_cast<void>(pool.poll(1));
        });
        on.core(3, [this] {
            waiting.prepare();
            must(pool.submit_on(0, waiting));
            model::advance_clock(60);
            is_due.store(1, weft::release);
        });
        on.core(4, [this] {
            while (is_due.load(weft::acquire) == 0) weft::Port::relax();
            must(timer.start_after_from_isr(500));
        });
    }
};
MODEL_SCENARIO(timer_overtaken_by_a_poll, TakenOutByAPoll)
    .parked_at_end()
    .stale_reads(0)
    .alarms()
    .clock_start(start)
    .mode(model::Mode::pct)
    .executions(60000);

// Result: Never (a wrong answer). A cancel comes between the two steps of a start of what is armed already.
struct CancelsBetweenTheSteps {
    weft::Pool<1, 2> pool;
    Doing follower;
    weft::Timer timer{pool, follower};
    weft::Atomic<uint32_t> is_armed{0};
    void cores(model::Program& on) {
        follower.prepare();
        on.core_at_rest(0, [this] {
            must(timer.start_after_from_isr(50));
            is_armed.store(1, weft::release);
            must(pool.run());
        });
        on.core(1, [this] { must(timer.start_after_from_isr(70)); });
        on.core(2, [this] {
            if (is_armed.load(weft::acquire) == 0) return;  // it does not know of the start
            const weft::CancelResult result = timer.cancel();
            model::check(result == weft::CancelResult::cancelled || follower.runs != 0,
                         "it is armed all the time");
        });
    }
    void finish() {}
};
MODEL_SCENARIO(timer_cancelled_between_two_steps, CancelsBetweenTheSteps)
    .parked_at_end()
    .stale_reads(0)
    .alarms()
    .clock_start(start);

}  // namespace
