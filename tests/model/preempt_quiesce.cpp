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

// Result: Never (a data race). A core comes while another one writes. Before it looks at the door, it is interrupted
// for a task that preempts: that one reads. (A generated program.)
struct ComesMeanwhile : Flash<1, 1> {
    void cores(model::Program& on) {
        task[0].body = model::Callable([this] {
            read();
            pool.shutdown();
        });
        on.core(0, [this] { this->work(); });
        on.core(1, [this] {
            must(pool.quiesce(long_time));
            flash.set(1);
            task[0].prepare();
            must(pool.submit_from_isr(task[0], weft::Urgency{WEFT_URGENCY_LEVELS - 1}));
            flash.set(2);
            ++written;
            must(pool.resume());
        });
    }
};
MODEL_SCENARIO(quiesce_on_top_of_who_comes, ComesMeanwhile)
    .interrupts()
    .stale_reads(0)
    .mode(model::Mode::pct)
    .depth(5)
    .executions(40000);

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

// ---- A call that others wait for, on top of a task: the core that is in it must not stand still.

constexpr weft::Urgency at_once{WEFT_URGENCY_LEVELS - 1};

struct CallOnTop {
    weft::Pool<1, 2> pool;
    weft::Strand strand{pool};
    Doing task, on_top, early, brought;
    bool granted = false;
    // Core 0's task submits one on top of itself, which makes the call.
    template <class Call>
    void begins(model::Program& on, Call call) {
        on_top.body = model::Callable(call);
        task.body = model::Callable([this] {
            on_top.prepare();
            must(pool.submit(on_top, at_once));
        });
        on.core_at_rest(0, [this] { must(pool.run()); });
    }
};

// Result: Never (waits for ever). Core 0 is in such a call when it is asked to stand. The owner makes one that meets
// it.
template <bool of_an_event>
struct OwnerMeetsACall : CallOnTop {
    weft::Event event{pool};
    void call(Doing& one) {
        one.prepare();
        must(of_an_event ? event.wait(one) : strand.submit(one));
    }
    void cores(model::Program& on) {
        begins(on, [this] { call(early); });
        on.core(1, [this] {
            task.prepare();
            must(pool.submit(task));
            must(pool.quiesce(long_time));
            granted = true;
            call(brought);
            if (of_an_event) must(event.set());
            must(pool.resume());
        });
    }
    void finish() {
        model::check(granted && brought.as_promised() && early.as_promised(), "it is granted, and all run");
    }
};
MODEL_SCENARIO(quiesce_owner_meets_a_strands_call, OwnerMeetsACall<false>)
    .interrupts()
    .parked_at_end()
    .stale_reads(0)
    .mode(model::Mode::pct)
    .executions(10000);
MODEL_SCENARIO(quiesce_owner_meets_an_events_call, OwnerMeetsACall<true>)
    .interrupts()
    .parked_at_end()
    .stale_reads(0)
    .mode(model::Mode::pct)
    .executions(10000);

// Result: Never (waits for ever). Core 1, in a task of another pool, meets the call; the owner waits for core 1.
template <bool of_a_timer>
struct AnotherMeetsACall : CallOnTop {
    weft::Pool<2, 2> other;
    Doing elsewhere, follower;
    weft::Timer timer{pool, follower};
    void call(Doing& one, uint32_t delay) {
        if (of_a_timer) return must(timer.start_after(delay));
        one.prepare();
        must(strand.submit(one));
    }
    void cores(model::Program& on) {
        follower.prepare();
        begins(on, [this] { call(early, 1000); });
        elsewhere.body = model::Callable([this] {
            call(brought, 2000);
            other.shutdown();
        });
        on.late_core(1);
        on.core(2, [this] {
            task.prepare(), elsewhere.prepare();
            must(pool.submit(task));
            must(other.submit(elsewhere));
            must(pool.quiesce(long_time));
            granted = true;
            must(pool.resume());
        });
    }
    void finish() { model::check(granted, "it is granted"); }
};
MODEL_SCENARIO(quiesce_another_meets_a_strands_call, AnotherMeetsACall<false>)
    .interrupts()
    .parked_at_end()
    .stale_reads(0)
    .clock_start(1000)
    .mode(model::Mode::pct)
    .executions(10000);
MODEL_SCENARIO(quiesce_another_meets_a_timers_call, AnotherMeetsACall<true>)
    .interrupts()
    .alarms()
    .parked_at_end()
    .stale_reads(0)
    .clock_start(1000)
    .mode(model::Mode::pct)
    .executions(10000);

// Result: Never (waits for ever). A task of pool `asked` holds another pool's timers when it is asked to stand. The
// owner starts, or cancels, the timer that it holds.
template <bool cancels>
struct OwnerMeetsAHolder {
    weft::Pool<1, 2> asked, other;
    Doing task, follower;
    weft::Timer timer{other, follower};
    bool done = false;
    void cores(model::Program& on) {
        follower.prepare();
        task.body = model::Callable([this] { must(timer.start_after(1000)); });
        on.core_at_rest(0, [this] { must(asked.run()); });
        on.core(1, [this] {
            task.prepare();
            must(asked.submit(task));
            must(asked.quiesce(long_time));
            if (cancels) {
                static_cast<void>(timer.cancel());
            } else {
                must(timer.start_after(2000));
            }
            must(asked.resume());
            done = true;
        });
    }
    void finish() { model::check(done && task.as_promised(), "it goes on"); }
};
MODEL_SCENARIO(quiesce_owner_starts_what_is_held, OwnerMeetsAHolder<false>)
    .interrupts()
    .parked_at_end()
    .stale_reads(0)
    .clock_start(1000)
    .mode(model::Mode::pct)
    .executions(10000);
MODEL_SCENARIO(quiesce_owner_cancels_what_is_held, OwnerMeetsAHolder<true>)
    .interrupts()
    .parked_at_end()
    .stale_reads(0)
    .clock_start(1000)
    .mode(model::Mode::pct)
    .executions(10000);

}  // namespace
