// SPDX-License-Identifier: MIT OR Apache-2.0
// traced: a pool of two cores in states of the settings that this build has, for a debugger that stops it there.
//
//     stopped_called      core 0 does a call from outside
//     stopped_running     core 1 runs a task, for a while, a hundred calls deep
//     stopped_preempting  on top of that, core 1 runs a task that preempts (WEFT_PREEMPTION=1)
//     stopped_standing    core 1 stands still for core 0, and a task is queued (WEFT_QUIESCE=1)
//     stopped_followed    core 1 runs a task, is to leave then, and a follower waits for that (WEFT_ELASTIC=1)
//     stopped_retired     core 1 was asked to leave, and is the last one here (WEFT_ELASTIC=1)
//     stopped_blocking    core 1 runs a blocking task, and another one is queued (WEFT_BLOCKING=1)
//     stopped_mandatory   core 1 runs a task, and a mandatory one is queued (WEFT_MANDATORY=1)
//     stopped_grouped     core 1 sleeps in TaskGroup::wait(), for the child that core 0 runs
//     stopped_foreign     core 1 runs a call of a thread that is no core of the pool
//     stopped_resting     core 0 is in wait_idle(), and core 1 runs a task (WEFT_REST=1)
//     stopped_ended       the pool is closed, and all have left
#include <thread>

#include <weft/weft.hpp>

#include "reveal.hpp"

namespace tap {
namespace portrait {

struct Waiters {
    friend constexpr auto reveal(Waiters);
};
template struct Reveal<Waiters, &weft::Scheduler::waiters_>;
#if WEFT_REST
struct Rest {
    friend constexpr auto reveal(Rest);
};
template struct Reveal<Rest, &weft::Scheduler::rest_>;
#endif

}  // namespace portrait
}  // namespace tap

extern "C" {
[[gnu::noinline]] void stopped_called();
[[gnu::noinline]] void stopped_running();
[[gnu::noinline]] void stopped_preempting();
[[gnu::noinline]] void stopped_standing();
[[gnu::noinline]] void stopped_followed();
[[gnu::noinline]] void stopped_retired();
[[gnu::noinline]] void stopped_blocking();
[[gnu::noinline]] void stopped_mandatory();
[[gnu::noinline]] void stopped_grouped();
[[gnu::noinline]] void stopped_foreign();
[[gnu::noinline]] void stopped_resting();
[[gnu::noinline]] void stopped_ended();
}
void stopped_called() { asm volatile("" ::: "memory"); }
void stopped_running() { asm volatile("" ::: "memory"); }
void stopped_preempting() { asm volatile("" ::: "memory"); }
void stopped_standing() { asm volatile("" ::: "memory"); }
void stopped_followed() { asm volatile("" ::: "memory"); }
void stopped_retired() { asm volatile("" ::: "memory"); }
void stopped_blocking() { asm volatile("" ::: "memory"); }
void stopped_grouped() { asm volatile("" ::: "memory"); }
void stopped_foreign() { asm volatile("" ::: "memory"); }
void stopped_resting() { asm volatile("" ::: "memory"); }
void stopped_ended() { asm volatile("" ::: "memory"); }
void stopped_mandatory() { asm volatile("" ::: "memory"); }

namespace stopped {

using weft::Port;

WEFT_CONSTINIT weft::Pool<2> pool{};
weft::Atomic<uint32_t> begun{0};
weft::Atomic<uint32_t> may_end{0};
uint32_t wrong = 0;

void must(weft::Status status) { wrong += status == weft::Status::ok ? 0u : 1u; }

// A debugger that looks at the newest frames only does not find the task.
[[gnu::noinline]] void wait_deep(uint32_t levels) {
    if (levels == 0) {
        begun.store(1, weft::release);
        while (may_end.load(weft::acquire) == 0) Port::relax();
        return;
    }
    wait_deep(levels - 1);
    asm volatile("" ::: "memory");  // no jump
}
struct Long : weft::TaskOf<Long> {
    void run() {
        wait_deep(100);
        asm volatile("" ::: "memory");  // no jump, either
    }
} long_task;
#if WEFT_PREEMPTION
weft::Atomic<uint32_t> preempted{0};
struct OnTop : weft::TaskOf<OnTop> {
    void run() {
        stopped_preempting();
        preempted.store(1, weft::release);
    }
} on_top;
#endif
#if WEFT_BLOCKING
struct Slow : weft::TaskOf<Slow> {
    void run() {
        begun.store(2, weft::release);
        while (may_end.load(weft::acquire) != 2) Port::relax();
    }
} blocking_task;
#endif
struct Short : weft::TaskOf<Short> {
    void run() {}
} short_task, mandatory_task, blocked_task;
#if WEFT_ELASTIC
weft::Work follower{pool, [] {}};
#endif
weft::Atomic<uint32_t> children{0};
struct Grouping : weft::TaskOf<Grouping> {
    void run() {
        weft::GroupTask child([] {
            children.store(1, weft::release);
            const weft::detail::IdleBits core1(weft::detail::IdleBits::bit(1));
            while ((pool.*reveal(tap::portrait::Waiters())).load(weft::acquire) != core1.word())
                Port::relax();
            stopped_grouped();
            children.store(2, weft::release);
        });
        weft::TaskGroup group;
        group.run(child);
        while (children.load(weft::acquire) == 0) Port::relax();  // core 0 takes it
        group.wait();
    }
} grouping_task;
#if WEFT_REST
struct Unrest : weft::TaskOf<Unrest> {
    void run() {
        while ((pool.*reveal(tap::portrait::Rest())).sleepers() == 0) Port::relax();
        stopped_resting();
        asm volatile("" ::: "memory");  // no jump
    }
} unrest_task;
#endif

}  // namespace stopped

using namespace stopped;

int main() {
    pool.call([] {
        stopped_called();
        asm volatile("" ::: "memory");
    });
    must(pool.submit_on(1, grouping_task));
    while (children.load(weft::acquire) != 2) static_cast<void>(pool.poll(1));
    std::thread foreign([] {
        pool.call([] {
            stopped_foreign();
            asm volatile("" ::: "memory");
        });
    });
    foreign.join();
#if WEFT_REST
    must(pool.submit_on(1, unrest_task));
    must(pool.wait_idle());
#endif
    must(pool.submit_on(1, long_task));
    while (begun.load(weft::acquire) == 0) Port::relax();
    stopped_running();
#if WEFT_PREEMPTION
    must(pool.submit(on_top, weft::Urgency{WEFT_URGENCY_LEVELS - 1}));
    while (preempted.load(weft::acquire) == 0) Port::relax();
#endif
#if WEFT_MANDATORY
    must(pool.submit_mandatory(mandatory_task));
    stopped_mandatory();
#endif
#if WEFT_ELASTIC
    must(pool.retire(1, follower));
    stopped_followed();
#endif
    may_end.store(1, weft::release);
#if WEFT_QUIESCE
    while (pool.quiesce(1000 * Port::ticks_per_ms()) != weft::Status::ok) Port::relax();
    must(pool.submit(short_task));
    stopped_standing();
    must(pool.resume());
#endif
#if WEFT_ELASTIC
    must(pool.retire(1));
    stopped_retired();
    must(pool.admit(1));
#endif
#if WEFT_BLOCKING
    must(pool.submit_blocking(blocking_task));
    while (begun.load(weft::acquire) != 2) Port::relax();
    must(pool.submit_blocking(blocked_task));
    stopped_blocking();
    may_end.store(2, weft::release);
#endif
    pool.shutdown();
    must(pool.join());
    stopped_ended();
    return wrong == 0 ? 0 : 1;
}
