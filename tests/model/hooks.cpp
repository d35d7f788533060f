// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: what the image does around a sleep (WEFT_SLEEP_HOOKS=1). IDLE 2; claims 1 to 3, with the sleeper as the
// submitter, too.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// The other scenarios have these, too, of another library: of WEFT_SLEEP_HOOKS=0 (Makefile).
namespace hooks {
#include "sleepers.hpp"
}  // namespace hooks
using namespace hooks;

namespace {

// A pool whose cores keep account of their sleeps. Bodies are called in the first sleep of all.
template <unsigned cores_, unsigned tasks>
struct Hooked : Sleepers<cores_, tasks> {
    using Sleepers<cores_, tasks>::pool;
    bool sleeps[cores_] = {};
    weft::Atomic<uint32_t> first{0};
    model::Callable before;
    model::Callable after;

    Hooked() { must(pool.on_sleep(&Hooked::begin, &Hooked::end, this)); }
    static void begin(uint32_t core, uint32_t, void* self) {
        Hooked& all = *static_cast<Hooked*>(self);
        model::check(core == weft::Port::core_id() && !all.sleeps[core], "each begin has had its end");
        all.sleeps[core] = true;
        if (all.before && all.first.fetch_add(1, weft::relaxed) == 0) all.before();
    }
    static void end(uint32_t core, uint32_t, void* self) {
        Hooked& all = *static_cast<Hooked*>(self);
        model::check(core == weft::Port::core_id() && all.sleeps[core], "it ends what has begun");
        all.sleeps[core] = false;
        if (all.after && all.first.fetch_add(1, weft::relaxed) == 0) all.after();
    }
    void finish() {
        Sleepers<cores_, tasks>::finish();
        for (const bool one : sleeps) model::check(!one, "each begin has had its end");
    }
};

// Result: Never (sleeps for ever). Somebody submits while the function runs, before it, behind it.
struct BesideASubmit : Hooked<1, 1> {
    void cores(model::Program& on) {
        before = model::Callable([] { weft::Port::relax(); });
        on.core(0, [this] { work(); });
        on.core(1, [this] { submit(0); });
    }
};
MODEL_SCENARIO(hooks_beside_a_submit, BesideASubmit).each_wake();

// Result: Never (sleeps for ever). The function submits what it has promised: its own core takes it, or another one.
template <unsigned cores_, bool behind>
struct Submits : Hooked<cores_, 1> {
    void cores(model::Program& on) {
        model::Callable& hook = behind ? this->after : this->before;
        hook = model::Callable([this] { this->submit(0); });
        for (unsigned id = 0; id != cores_; ++id) on.core(id, [this] { this->work(); });
    }
};
MODEL_SCENARIO(hooks_submit_before_a_sleep, Submits<1, false>).each_wake();
MODEL_SCENARIO(hooks_submit_beside_another, Submits<2, false>).each_wake();

// The same behind a sleep, which an event that means nothing has ended.
struct SubmitsBehind : Submits<1, true> {
    void cores(model::Program& on) {
        Submits<1, true>::cores(on);
        on.core(1, [] { weft::Port::unpark(0); });
    }
};
MODEL_SCENARIO(hooks_submit_behind_a_sleep, SubmitsBehind).each_wake();

// Result: Never. An interrupt handler on top of the functions submits, at any point.
struct UnderAHandler : Hooked<1, 1> {
    void cores(model::Program& on) {
        before = model::Callable([] { weft::Port::relax(); });
        on.core(0, [this] { work(); });
        on.interrupt(0, [this] { submit_from_isr(0); });
    }
};
MODEL_SCENARIO(hooks_under_a_handler, UnderAHandler);

// Result: Never. A join that sleeps: the thief's last step ends it, whatever the function does meanwhile.
struct OfAJoin : Hooked<2, 1> {
    void cores(model::Program& on) {
        before = model::Callable([] { weft::Port::relax(); });
        on.core(0, [this] {
            task[0].body = model::Callable([] { weft::fork_join([] {}, [] { weft::Port::relax(); }); });
            submit_here(0), work();
        });
        on.core(1, [this] { work(); });
    }
};
MODEL_SCENARIO(hooks_of_a_join, OfAJoin).preemptions(1).each_wake();

// Result: Never (a begin within a begin; sleeps for ever). The function forks: it does so serially. A join of its own
// would sleep, and take the event that ends the sleep behind it.
struct Forks : Hooked<2, 1> {
    void cores(model::Program& on) {
        before = model::Callable([] {
            const uint32_t core = weft::Port::core_id();
            const auto is_here = [core] {
                model::check(core == weft::Port::core_id(), "what the function forks stays on its core");
            };
            weft::fork_join(is_here, is_here);
        });
        for (unsigned id = 0; id != 2; ++id) on.core(id, [this] { work(); });
        on.core(2, [this] { submit(0); });
    }
};
MODEL_SCENARIO(hooks_fork, Forks).preemptions(1).each_wake();

// Result: Never (sleeps for ever). The function calls another pool that its core belongs to, or waits there: it does
// neither. A join or a wait would sleep, and take the event that ends the sleep behind it.
template <int how>
struct AtAnother : Hooked<1, 1> {
    weft::Pool<2, 2> other;
    Doing there;
    void cores(model::Program& on) {
        before = model::Callable([this] {
            if constexpr (how == 0) {
                uint32_t called_on = ~0u;
                other.call([&] { weft::fork_join([&] { called_on = weft::this_core(); }, [] {}); });
                model::check(called_on == 0, "it is called at once, on this core");
            } else if constexpr (how == 1) {
                model::check(other.poll(1).status == weft::Status::wrong_context, "no poll");
            } else {
                other.shutdown();
                model::check(other.join() == weft::Status::wrong_context, "no join");
            }
        });
        on.core(0, [this] { work(); });
        if (how != 2) on.core_at_rest(1, [this] { must(other.run()); });
        on.core(2, [this] { submit(0); });
    }
};
MODEL_SCENARIO(hooks_call_another_pool, AtAnother<0>).parked_at_end();
MODEL_SCENARIO(hooks_poll_another_pool, AtAnother<1>).parked_at_end();
MODEL_SCENARIO(hooks_join_another_pool, AtAnother<2>).parked_at_end();

// Result: Never (waits beside a sleep; sleeps for ever). Core 0 works for `own`, and waits in `other`, as a guest. The
// function of `other` waits in `own`: it would run tasks there; or sleep, and take the event that ends the sleep behind
// it.
template <bool sleeps>
struct WaitsInItsOwn {
    weft::Pool<3, 4> own;
    weft::Pool<2, 2> other;
    Doing task;
    weft::Completion there{other}, of_own{own};
    bool called = false;
    WaitsInItsOwn() { must(other.on_sleep(&WaitsInItsOwn::begin, &WaitsInItsOwn::end, this)); }
    static void begin(uint32_t core, uint32_t, void* self) {
        WaitsInItsOwn& all = *static_cast<WaitsInItsOwn*>(self);
        if (core != 0 || all.called) return;
        all.called = true;
        if (!sleeps) must(all.own.submit(all.of_own));
        const weft::Status status = all.of_own.wait();
        model::check(status == weft::Status::wrong_context, "no wait beside a sleep");
    }
    static void end(uint32_t, uint32_t, void*) {}
    void cores(model::Program& on) {
        task.body = model::Callable([this] {
            must(other.submit_on(1, there));
            must(there.wait());
        });
        on.core(0, [this] {
            task.prepare();
            must(own.submit_on(0, task));
            must(own.run());
        });
        on.core_at_rest(1, [this] { must(other.run()); });
        if (!sleeps) return;
        on.core_at_rest(2, [this] { must(own.run()); });
        on.core(3, [this] { must(own.submit_on(2, of_own)); });
    }
    void finish() { model::check(task.as_promised(), "what it waits for has come"); }
};
MODEL_SCENARIO(hooks_wait_for_what_is_queued, WaitsInItsOwn<false>)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);
MODEL_SCENARIO(hooks_wait_for_what_another_runs, WaitsInItsOwn<true>)
    .parked_at_end()
    .preemptions(1)
    .stale_reads(0);

// Result: Never (waits for ever). The function starts a timer, and a handler starts the same one. The task that waits
// for it takes the core. (A review.)
struct MeetsATimersHandler {
    weft::Pool<2, 2> pool;
    Doing brought, waiting;
    weft::Timer timer{pool, brought};
    weft::Atomic<uint32_t> calls{0};
    Flag has_run;
    MeetsATimersHandler() { must(pool.on_sleep(&MeetsATimersHandler::begin, nullptr, this)); }
    static void begin(uint32_t, uint32_t, void* self) {
        MeetsATimersHandler& all = *static_cast<MeetsATimersHandler*>(self);
        if (all.calls.fetch_add(1, weft::relaxed) != 0) return;
        must(all.pool.submit_from_isr(all.waiting));
        must(all.timer.start_after(60));
    }
    void cores(model::Program& on) {
        brought.body = model::Callable([this] { has_run.set(0), has_run.set(1); });
        waiting.body = model::Callable([this] { has_run.await(); });
        brought.prepare(), waiting.prepare();
        on.core(0, [this] { must(pool.run()); });
        on.late_core(1);
        on.core(2, [this] { must(timer.start_after_from_isr(50)); });
    }
    void finish() {
        model::check(brought.runs >= 1, "the timer has fired");
        model::check(waiting.as_promised(), "who waits for it runs");
    }
};
MODEL_SCENARIO(hooks_meet_a_timers_handler, MeetsATimersHandler)
    .parked_at_end()
    .alarms()
    .clock_start(1000)
    .mode(model::Mode::pct)
    .executions(100000);

}  // namespace
