// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: cores that stand on top of their tasks, where a level preempts: an interrupt brings them. Claim 24 of
// src/quiesce.cpp; edges U1 to U3.
#include <weft/weft.hpp>

#include "engine/scenario.hpp"

// Of a library with both settings, as in quiesce.cpp.
namespace preempt_quiesce {
#include "sleepers.hpp"
}  // namespace preempt_quiesce
using namespace preempt_quiesce;

namespace {

using weft::Status;

constexpr uint32_t long_time = 1u << 30;

template <unsigned cores, unsigned tasks>
struct Flash : Workers<cores> {
    using Workers<cores>::pool;
    weft::Plain<uint32_t> flash{};
    weft::Atomic<uint32_t> over{0};
    unsigned written = 0;
    unsigned refused = 0;
    Doing task[tasks];

    void submit_on(unsigned core, unsigned which) {
        task[which].prepare();
        must(pool.submit_on(core, task[which]));
    }
    void read() { static_cast<void>(flash.get()); }
    void write() {
        const Status status = pool.quiesce(long_time);
        if (status != Status::ok) {
            model::check(status == Status::busy, weft::describe(status));
            ++refused;
            return;
        }
        flash.set(flash.get() + 1);
        ++written;
        must(pool.resume());
    }
    // Core `core` runs the task of that number.
    void runs(model::Program& on, unsigned core) {
        on.core(core, [this, core] {
            submit_on(core, core);
            must(pool.poll(1).status);
        });
    }
    // Another core writes, and says so.
    void writes(model::Program& on, unsigned core) {
        on.core(core, [this] {
            write();
            over.store(1, weft::relaxed);
        });
    }
    void finish() { model::check(task[0].as_promised() && written == 1, "it is written, and the task runs"); }
};

// Result: Never (it waits for ever; a task reads while it is written). The worker is in a task that does not end before
// it is written.
struct OnTop : Flash<1, 1> {
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] {
            read();
            while (over.load(weft::relaxed) == 0) weft::Port::relax();
            read();
        });
        runs(on, 0);
        writes(on, 1);
    }
};
MODEL_SCENARIO(quiesce_on_top, OnTop).interrupts().preemptions(1).stale_reads(1);

// Result: Never (it waits for ever). The core that is interrupted may be in the middle of a start.
struct OnTopOfAStart : Flash<2, 2> {
    void cores(model::Program& on) {
        on.late_core(1);
        task[0].body = model::Callable([this] {
            task[1].prepare();
            must(pool.submit(task[1]));
            read();
        });
        task[1].body = model::Callable([this] { pool.shutdown(); });
        runs(on, 0);
        on.core(2, [this] { write(); });
    }
};
MODEL_SCENARIO(quiesce_on_top_of_a_start, OnTopOfAStart)
    .interrupts()
    .preemptions(0)
    .stale_reads(0)
    .parked_at_end();

// Result: Never (a core waits for its own request). Two tasks at once.
struct TwoOnTop : Flash<2, 2> {
    void cores(model::Program& on) {
        for (Doing& one : task) one.body = model::Callable([this] { write(); });
        for (unsigned core : {0, 1}) runs(on, core);
    }
    void finish() { model::check(written != 0 && written + refused == 2, "each has written, or was told"); }
};
MODEL_SCENARIO(quiesce_two_on_top, TwoOnTop).interrupts().preemptions(1).stale_reads(0);

// Result: Never (both wait for ever). A task of each of two pools has the cores of the other one stand: each owner
// works for the other's pool, and is interrupted for it before its own request is granted.
struct TwoPoolsOnTop {
    weft::Pool<2, 2> pool[2];
    Doing task[2];
    unsigned answers = 0;
    void write(weft::Scheduler& other) {
        const Status status = other.quiesce(100);
        if (status == Status::ok) must(other.resume());
        model::check(status == Status::ok || status == Status::timed_out, weft::describe(status));
        ++answers;
    }
    void cores(model::Program& on) {
        for (unsigned core = 0; core != 2; ++core) {
            task[core].body = model::Callable([this, core] { write(pool[1 - core]); });
            on.core(core, [this, core] {
                task[core].prepare();
                must(pool[core].submit_on(core, task[core]));
                must(pool[core].poll(1).status);
            });
        }
    }
    void finish() { model::check(answers == 2, "each is told"); }
};
MODEL_SCENARIO(quiesce_two_pools_on_top, TwoPoolsOnTop)
    .interrupts()
    .mode(model::Mode::pct)
    .executions(5000)
    .time_jumps(2, 1000);

// Result: Never (it waits for ever). The core is interrupted while it starts one for another pool, and its task goes on
// until it is written.
struct OnTopOfAStartElsewhere : Flash<1, 1> {
    weft::Pool<2, 2> other;
    Doing more;
    void cores(model::Program& on) {
        on.late_core(1);
        more.body = model::Callable([this] { other.shutdown(); });
        task[0].body = model::Callable([this] {
            more.prepare();
            must(other.submit(more));
            while (over.load(weft::relaxed) == 0) weft::Port::relax();
        });
        runs(on, 0);
        writes(on, 2);
    }
};
MODEL_SCENARIO(quiesce_on_top_of_a_start_elsewhere, OnTopOfAStartElsewhere)
    .interrupts()
    .mode(model::Mode::pct)
    .executions(4000)
    .parked_at_end();

}  // namespace
