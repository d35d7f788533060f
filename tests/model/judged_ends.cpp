// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the end of a pool while others are still about: a pin, as a start is withdrawn; a call. Edges J1, T1.
#include "tasks.hpp"

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
            weft::detail::ForkDeque::leave(nullptr);
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
            weft::detail::ForkDeque::leave(nullptr);
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

}  // namespace
