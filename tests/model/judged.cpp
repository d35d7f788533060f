// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the end of a pool while others are still about: a pin, as a start is withdrawn; a call. And the end of a
// stolen child. Edges J1, T1.
#include "forks.hpp"

namespace {

// Result: Never. Core 1 finds core 0 off, and is overtaken: core 2 calls the pool from outside and starts it, its
// handler abandons the pool, and core 2 withdraws the start, as it waits for that core no more. Nothing has failed, so
// the answer is that the pool is closed, although no joiner has sealed it.
struct AbandonedCall {
    weft::Pool<1, 2> pool;
    Mark task;
    bool called = false;

    void cores(model::Program& on) {
        on.late_core(0);
        on.core(1, [this] {
            task.prepare();
            const weft::Status status = pool.submit_on(0, task);
            task.given = status == weft::Status::ok;
            model::check(status == weft::Status::ok || status == weft::Status::closed,
                         "nothing keeps the core from being started");
        });
        on.core(2, [this] {
            forget_pools();
            pool.call([this] { called = true; });
        });
        on.interrupt(
            2, [this] { pool.shutdown(weft::Shutdown::abandon); }, 1, model::Occurs::may);
    }
    void finish() {
        model::check(called, "who calls is served");
        model::check(task.runs == 0 || task.given, "what was refused does not run");
    }
};
MODEL_SCENARIO(pinned_while_a_call_is_abandoned, AbandonedCall)
    .stale_reads(0)
    .spin_returns(1)
    .parked_at_end();

// Result: Never. Who has called touches the pool no more when it has counted itself out: it may be gone then.
struct CalledAndGone {
    weft::Pool<1, 2> pool;
    weft::Atomic<uint32_t> called{0};

    void cores(model::Program& on) {
        on.core(0, [this] {
            forget_pools();
            pool.call([this] { called.store(1, weft::relaxed); });
            model::check(weft::detail::ForkDeque::current() == nullptr, "the core is in no pool then");
        });
        on.core(1, [this] {
            while (called.load(weft::relaxed) == 0) weft::Port::relax();
            pool.shutdown();
            must(pool.join());
            model::end_of_life(pool);
        });
    }
};
MODEL_SCENARIO(call_returns_from_what_is_gone, CalledAndGone).each_wake();

// Result: Never. Where a thief's own forks begin has nothing to do with whose child it ran. (Core 0's number is that
// depth, so here the owner is another.)
struct DepthIsNoCore {
    weft::Pool<2, 2> pool;
    weft::Atomic<uint32_t> stolen{0};
    Root root;
    bool as_before = false;

    void cores(model::Program& on) {
        on.core_at_rest(0, [this] {
            forget_pools();
            must(pool.run());
            as_before = depth_of_first_slot(pool, 0) == 0;
        });
        on.core(1, [this] {
            forget_pools();
            root.submit_to(pool, [this] {
                weft::fork_join(
                    [this] {
                        while (stolen.load(weft::acquire) == 0) weft::Port::relax();
                    },
                    [this] { stolen.store(1, weft::release); });
            });
            must(pool.run());
        });
    }
    void finish() { model::check(as_before, "the depth of the first fork is as before"); }
};
MODEL_SCENARIO(fork_base_is_no_core, DepthIsNoCore).preemptions(1).stale_reads(1);

// Result: Never. A start is overdue when its deadline is over, to the tick.
struct OverdueToTheTick {
    static constexpr uint32_t deadline = WEFT_START_DEADLINE_MS;  // a tick is a millisecond here
    weft::Pool<1, 2> pool;
    Mark task[3];

    void hand_in(unsigned number, uint32_t failures) {
        task[number].prepare();
        must(pool.submit(task[number]));
        model::check(pool.start_failures() == failures, "the start has its time, and no more");
    }
    void cores(model::Program& on) {
        on.late_core(0, {model::Arrival::never});
        on.core(1, [this] {
            model::check(weft::Port::ticks_per_ms() == 1, "a tick is a millisecond");
            hand_in(0, 0);
            model::advance_clock(deadline - 1);
            hand_in(1, 0);
            model::advance_clock(1);
            hand_in(2, 1);
        });
    }
};
MODEL_SCENARIO(start_overdue_to_the_tick, OverdueToTheTick).parked_at_end();

// Result: Never (waits for ever). One start is overdue, a later one of a core with a smaller number is not: the joiner
// looks until that one is, too.
struct LaterStart {
    weft::Pool<2, 2> pool;
    Mark task[2];
    unsigned left = 0;

    void cores(model::Program& on) {
        for (unsigned id : {0, 1}) on.late_core(id, {model::Arrival::never});
        on.core(2, [this] {
            for (unsigned id : {1, 0}) {
                task[id].prepare();
                must(pool.submit_on(id, task[id]));
                model::advance_clock(WEFT_START_DEADLINE_MS / 2 + 1);
            }
            pool.shutdown();
            weft::Batch left_over;
            must(pool.join(left_over));
            left = left_over.size();
        });
    }
    void finish() {
        model::check(left == 2, "what has not run is handed back");
        model::check(pool.start_failures() == 2, "both starts were withdrawn");
    }
};
MODEL_SCENARIO(start_join_waits_for_the_later, LaterStart).time_jumps(8, WEFT_START_DEADLINE_MS / 4);

}  // namespace
