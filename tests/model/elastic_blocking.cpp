// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: long tasks on cores that leave, and come back (WEFT_BLOCKING=1 with WEFT_ELASTIC=1). BLOCKING 3.1.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

namespace elastic_blocking {
#include "sleepers.hpp"
}  // namespace elastic_blocking
using namespace elastic_blocking;

namespace {

// Core `outside` submits tasks that tell it when they have run.
template <unsigned cores, unsigned tasks>
struct Crew : Workers<cores> {
    using Workers<cores>::pool;
    static constexpr unsigned outside = cores;
    weft::Atomic<uint32_t> ran{0};
    unsigned running = 0;
    Doing task[tasks];
    model::Callable body[tasks];

    void prepare(unsigned which, bool is_long) {
        task[which].prepare();
        task[which].body = model::Callable([this, which, is_long] {
            if (is_long) model::check(++running == 1, "no more run than may");
            if (body[which]) body[which]();
            if (is_long) --running;
            ran.fetch_add(1, weft::release);
            weft::Port::unpark(outside);
        });
    }
    void submit_long(unsigned which) {
        prepare(which, true);
        must(pool.submit_blocking(task[which]));
    }
    void submit(unsigned which) {
        prepare(which, false);
        must(pool.submit(task[which]));
    }
    void submit_from_isr(unsigned which) {
        prepare(which, false);
        must(pool.submit_from_isr(task[which]));
    }
    void await(uint32_t count) {
        while (ran.load(weft::acquire) < count) weft::Port::park();
    }
    void end() {
        pool.shutdown();
        must(pool.join());
        model::end_of_life(pool);
    }
    void finish() {
        for (Doing& one : task) model::check(one.as_promised(), "every task runs exactly once");
    }
};

// Result: Never (waits for ever). Core 1 has come for a task, and leaves as soon as it finds nothing. Whenever that is,
// it is here for the long task, or is started for it.
struct ComesAgain : Crew<2, 3> {
    weft::Atomic<uint32_t> goes_on{0};
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        body[0] = model::Callable([this] {
            while (goes_on.load(weft::acquire) == 0) weft::Port::park();
        });
        body[2] = model::Callable([this] {
            goes_on.store(1, weft::release);
            for (unsigned core : {0, 1}) weft::Port::unpark(core);
        });
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            submit(0), submit(1);
            await(1);
            submit_long(2);
            await(3);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_blocking_comes_again, ComesAgain).preemptions(1).stale_reads(0);

// Result: Never (waits for ever). At a limit of two, core 1 is retired. Core 0 waits for a long task, for which core 2
// is refused, as long as core 1 is here. Then it comes in its place.
struct InPlaceOfWhoLeaves : Crew<3, 3> {
    Flag runs, leaves, goes_on;
    void runs_until(const Flag& flag) {
        runs.set(outside);
        flag.await();
    }
    void submit_on(uint32_t core, unsigned which) {
        prepare(which, false);
        must(pool.submit_on(core, task[which]));
    }
    void cores(model::Program& on) {
        must(pool.limit_cores(2));
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.late_core(2);
        body[0] = model::Callable([this] { runs_until(goes_on); });
        body[1] = model::Callable([this] {
            must(pool.retire(1));
            runs_until(leaves);
        });
        body[2] = model::Callable([this] { goes_on.set(0); });
        on.core(outside, [this] {
            submit_on(0, 0), submit_on(1, 1);
            runs.await(2);
            submit_long(2);
            leaves.set(1);
            await(3);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_blocking_in_place_of_who_leaves, InPlaceOfWhoLeaves).preemptions(0).stale_reads(0);

// Core 0 takes task 0, which waits for task 1.
template <unsigned tasks>
struct WaitsForAnother : Crew<2, tasks> {
    using Base = Crew<2, tasks>;
    using Base::body, Base::outside;
    weft::Atomic<uint32_t> runs{0};
    weft::Atomic<uint32_t> goes_on{0};
    void begin(model::Program& on) {
        on.core_at_rest(0, [this] { this->work(); });
        on.late_core(1);
        body[0] = model::Callable([this] {
            runs.store(1, weft::release);
            weft::Port::unpark(outside);
            while (goes_on.load(weft::acquire) == 0) weft::Port::park();
        });
        body[1] = model::Callable([this] {
            goes_on.store(1, weft::release);
            for (unsigned core : {0, 1}) weft::Port::unpark(core);
        });
    }
    void await_first() {
        while (runs.load(weft::acquire) == 0) weft::Port::park();
    }
    // Task 0 is long, and a handler submits task 1.
    void submit_long_and_handler() {
        this->submit_long(0);
        await_first();
        this->submit_from_isr(1);
    }
};

// Result: Never (waits for ever). Core 0 takes a long task, and core 1 has nothing to do: it does not leave by its
// keep-alive, for it is the one that is here for what a handler submits, which can start nobody.
struct StaysForHandlers : WaitsForAnother<2> {
    void cores(model::Program& on) {
        begin(on);
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            submit_long_and_handler();
            await(2);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_blocking_one_stays_for_handlers, StaysForHandlers).preemptions(1).stale_reads(1);

// Result: Never (waits for ever). The same, and core 1 is here before, on its way out perhaps as core 0 takes the long
// task: either it sees that, or it is seen off, and started again.
struct ComesBackForHandlers : WaitsForAnother<3> {
    void cores(model::Program& on) {
        begin(on);
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            prepare(2, false);
            must(pool.submit_on(1, task[2]));
            await(1);
            submit_long_and_handler();
            await(3);
        });
    }
};
MODEL_SCENARIO(elastic_blocking_one_comes_back, ComesBackForHandlers)
    .preemptions(1)
    .stale_reads(1)
    .parked_at_end();

// Result: Never (waits for ever). The same in as few steps as it takes: core 1 goes when it has run task 2, and core 0
// meanwhile submits the long task, takes it and looks at who is here. Then a handler of its own submits. So this is for
// two fences (I1): between the count and that look, and between the power state and the look at the count.
struct LeavesBesideTheLook : WaitsForAnother<4> {
    void cores(model::Program& on) {
        begin(on);
        body[0] = model::Callable([this] {
            this->submit_from_isr(1);
            while (goes_on.load(weft::acquire) == 0) weft::Port::park();
        });
        body[3] = model::Callable([this] { this->submit_long(0); });
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            for (unsigned core : {1, 0}) {
                prepare(2 + (core ^ 1), false);
                must(pool.submit_on(core, task[2 + (core ^ 1)]));
            }
        });
    }
};
MODEL_SCENARIO(elastic_blocking_leaves_beside_the_look, LeavesBesideTheLook)
    .preemptions(2)
    .stale_reads(1)
    .parked_at_end();

// Result: Never (goes round for ever). The long task does not end: core 1, which has to stay, sleeps meanwhile.
struct SleepsOn : Crew<2, 1> {
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        body[0] = model::Callable([] {
            for (;;) weft::Port::park();
        });
        on.core(outside, [this] {
            must(pool.keep_alive(0));
            submit_long(0);
        });
    }
    void finish() { model::check(running == 1, "the long task runs"); }
};
MODEL_SCENARIO(elastic_blocking_sleeps_on, SleepsOn).preemptions(1).parked_at_end();

// Result: Never (waits for ever). A core is retired while it runs a long task, with another one behind that: it leaves
// when its task ends, and the other core takes the next one.
struct RetiredMeanwhile : Crew<2, 2> {
    weft::Atomic<uint32_t> where{0};
    weft::Atomic<uint32_t> goes_on{0};
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.core_at_rest(1, [this] { work(); });
        body[0] = model::Callable([this] {
            where.store(weft::this_core() + 1, weft::release);
            weft::Port::unpark(outside);
            while (goes_on.load(weft::acquire) == 0) weft::Port::park();
        });
        on.core(outside, [this] {
            submit_long(0);
            while (where.load(weft::acquire) == 0) weft::Port::park();
            submit_long(1);
            must(pool.retire(where.load(weft::acquire) - 1));
            goes_on.store(1, weft::release);
            for (unsigned core : {0, 1}) weft::Port::unpark(core);
            await(2);
            end();
        });
    }
    void work() {
        const weft::Status status = pool.run();
        model::check(status == weft::Status::ok || status == weft::Status::retired, "to the end, or retired");
    }
};
MODEL_SCENARIO(elastic_blocking_retired_meanwhile, RetiredMeanwhile).preemptions(1).stale_reads(0);

// Result: Never (waits for ever). Core 0 is in a task that waits for the long one, and core 1 may not come: it is
// retired, or one core is the limit. Nothing else is queued when that ends.
template <bool by_limit>
struct AllowedForIt : WaitsForAnother<2> {
    void cores(model::Program& on) {
        begin(on);
        on.core(outside, [this] {
            must(by_limit ? pool.limit_cores(1) : pool.retire(1));
            submit(0);
            await_first();
            submit_long(1);
            must(by_limit ? pool.limit_cores(2) : pool.admit(1));
            await(2);
            end();
        });
    }
};
MODEL_SCENARIO(elastic_blocking_admitted_for_it, AllowedForIt<false>).preemptions(1).stale_reads(0);
MODEL_SCENARIO(elastic_blocking_limit_raised_for_it, AllowedForIt<true>).preemptions(1).stale_reads(0);

// Result: Never (waits for ever). Core 0 blocks. Core 1, which was here for what a handler submits, or on its way, is
// retired; core 2 comes in its place. (A review.)
template <bool on_its_way>
struct ForHandlers : Crew<3, 3> {
    Flag runs, leaves, goes_on;
    weft::Pool<4, 2> other;
    weft::Completion left{other};
    void runs_until(const Flag& flag) {
        runs.set(outside);
        flag.await();
    }
    void cores(model::Program& on) {
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1, {on_its_way ? model::Arrival::never : model::Arrival::normal});
        on.late_core(2);
        body[0] = model::Callable([this] { runs_until(goes_on); });
        body[1] = model::Callable([this] { goes_on.set(0); });
        body[2] = model::Callable([this] { runs_until(leaves); });
        on.core(outside, [this] {
            if (!on_its_way) {
                prepare(2, false);
                must(pool.submit_on(1, task[2]));
                runs.await(1);
            }
            submit_long(0);
            runs.await(on_its_way ? 1 : 2);
            must(pool.retire(1, left));
            leaves.set(1);
            must(left.wait());
            submit_from_isr(1);
            await(on_its_way ? 2 : 3);
        });
    }
    void finish() { model::check(task[1].runs == 1, "a short task never waits behind a long one"); }
};
MODEL_SCENARIO(elastic_blocking_for_handlers_leaves, ForHandlers<false>)
    .parked_at_end()
    .preemptions(0)
    .stale_reads(0)
    .within_bounds();
MODEL_SCENARIO(elastic_blocking_for_handlers_taken_back, ForHandlers<true>)
    .parked_at_end()
    .preemptions(0)
    .stale_reads(0);

// Result: Never (waits for ever). Core 1 is retired, and leaves beside core 0, which takes a long task. Core 2 comes
// for what a handler submits. (A review.)
struct BlocksBesideALeaving : Crew<3, 3> {
    Flag runs, goes_on;
    weft::Pool<4, 2> other;
    weft::Completion left{other};
    void cores(model::Program& on) {
        for (unsigned core : {0, 1, 2}) must(other.retire(core));
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1);
        on.late_core(2);
        body[0] = model::Callable([this] {
            runs.set(outside);
            if (weft::this_core() == 0) goes_on.await();  // core 1 may have taken it: then it leaves after it
        });
        body[1] = model::Callable([this] { goes_on.set(0); });
        on.core(outside, [this] {
            prepare(2, false);
            must(pool.submit_on(1, task[2]));
            await(1);
            must(pool.retire(1, left));
            submit_long(0);
            runs.await();
            must(left.wait());
            submit_from_isr(1);
            await(3);
        });
    }
    void finish() { model::check(task[1].runs == 1, "a short task never waits behind a long one"); }
};
MODEL_SCENARIO(elastic_blocking_beside_a_leaving, BlocksBesideALeaving)
    .mode(model::Mode::pct)
    .executions(20000)
    .parked_at_end();

// Result: Never. All who are here block in a pool that is closing, and the limit is raised: nobody is started any more.
struct RaisedAtTheEnd : Crew<2, 1> {
    Flag runs, goes_on;
    void cores(model::Program& on) {
        must(pool.limit_cores(1));
        on.core_at_rest(0, [this] { work(); });
        on.late_core(1, {model::Arrival::never});
        body[0] = model::Callable([this] {
            runs.set(outside);
            goes_on.await();
        });
        on.core(outside, [this] {
            submit_long(0);
            runs.await();
            pool.shutdown();
            must(pool.limit_cores(2));
            model::check(pool.live_cores() == 1, "no core is started in a pool that is closing");
            goes_on.set(0);
            must(pool.join());
        });
    }
};
MODEL_SCENARIO(elastic_blocking_raised_at_the_end, RaisedAtTheEnd).preemptions(0).stale_reads(0);

}  // namespace
