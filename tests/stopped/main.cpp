// SPDX-License-Identifier: MIT OR Apache-2.0
// A pool of two cores in known states, for a debugger that stops it there: tools/check_gdb has a breakpoint on each
// function stopped_*(). By itself it runs through, and returns 0.
//
//     stopped_asleep    core 1 is parked and watches two timers; core 0 is in none of the pool's functions
//     stopped_busy      core 1 sleeps in a join, for the child that core 0 runs; tasks are in every queue
//     stopped_waiting   core 1 waits for a Work that core 0 runs, and is parked
#include <weft/weft.hpp>

#include "board.hpp"
#include "reveal.hpp"

namespace tap {
namespace portrait {

struct Idle {
    friend constexpr auto reveal(Idle);
};
template struct Reveal<Idle, &weft::Scheduler::idle_>;
struct Waiters {
    friend constexpr auto reveal(Waiters);
};
template struct Reveal<Waiters, &weft::Scheduler::waiters_>;

}  // namespace portrait
}  // namespace tap

extern "C" {
[[gnu::noinline]] void stopped_asleep();
[[gnu::noinline]] void stopped_busy();
[[gnu::noinline]] void stopped_waiting();
}
void stopped_asleep() { asm volatile("" ::: "memory"); }
void stopped_busy() { asm volatile("" ::: "memory"); }
void stopped_waiting() { asm volatile("" ::: "memory"); }

namespace stopped {

using weft::acquire;
using weft::Atomic;
using weft::Port;
using weft::release;
using weft::Status;

constexpr uint32_t ring = 4;
constexpr uint32_t ring_tasks = 6;  // more than fit
// Before the clock has gone so far, the program is over; and it is less than half a turn.
constexpr uint32_t long_delay = 1u << 30;

WEFT_CONSTINIT weft::Pool<2, ring> pool{};
// Nobody works for it. It has three cores, so that two of them are a set.
WEFT_CONSTINIT weft::Pool<3, ring> other_pool{};

uint32_t failures;
Atomic<uint32_t> runs;
Atomic<uint32_t> left_runs;
Atomic<uint32_t> child_runs;
Atomic<uint32_t> work_runs;

void expect(bool good) { failures += good ? 0 : 1; }
void expect(Status status) { expect(status == Status::ok); }

template <class Condition>
void await(Condition condition) {
    while (!condition()) Port::relax();
}

// Core 0, as a super-loop.
template <class Condition>
void work_until(Condition condition) {
    while (!condition()) {
        expect(pool.poll(1).status);
        Port::relax();
    }
}

weft::detail::IdleBits idle_bits() { return (pool.*reveal(tap::portrait::Idle())).look(); }

struct Named : weft::TaskOf<Named> {
    void run() { runs.fetch_add(1, release); }
};
Named first;
Named in_ring[ring_tasks];
Named pinned_task;
Named injected_task;
Named urgent_task;
Named set_task;
Named strand_task[2];
Named gate_task;
Named event_task;
Named once_task;
Named periodic_task;

weft::Strand driver{pool};
weft::Gate gate{pool, gate_task, 3};
weft::Event signal{pool};
weft::Timer once{pool, once_task};
weft::Timer periodic{pool, periodic_task};

// What core 0 runs of core 1's fork. Then core 1 sleeps in the join.
void child() {
    child_runs.store(1, release);
    const weft::detail::IdleBits core1(weft::detail::IdleBits::bit(1));
    await([&] { return (pool.*reveal(tap::portrait::Waiters())).load(acquire) == core1.word(); });
    expect(pool.submit_from_isr(injected_task));
    expect(pool.submit(urgent_task, weft::Urgency::urgent));
    expect(pool.submit_on(1, pinned_task));
    for (Named& task : strand_task) expect(driver.submit(task));
    expect(gate.arrive());
    expect(signal.wait(event_task));
    stopped_busy();
    expect(gate.arrive());
    expect(gate.arrive());
    expect(signal.set());
}

struct Forker : weft::TaskOf<Forker> {
    void run() {
        for (Named& task : in_ring) expect(pool.submit(task));
        weft::fork_join(
            [] {
                left_runs.store(1, release);
                await([] { return child_runs.load(acquire) != 0; });
            },
            [] { child(); });
    }
};
Forker forker;

struct Working {
    void operator()() const {
        await([] { return idle_bits().is_parked(1); });
        stopped_waiting();
        work_runs.store(1, release);
    }
};
weft::Work work{pool, Working()};

struct Waiting : weft::TaskOf<Waiting> {
    void run() {
        expect(pool.submit_on(0, work));
        expect(work.wait());
    }
};
Waiting waiting;

// Tasks that have run by then: all that are not in a timer.
constexpr uint32_t all_runs = 1 + ring_tasks + 3 + 2 + 1 + 1;

void asleep() {
    expect(pool.submit(first));
    await([] { return runs.load(acquire) == 1; });
    expect(once.start_after(long_delay));
    expect(periodic.start_every(long_delay + 5000, 4000));
    await([] { return idle_bits().is_parked(1) && !idle_bits().is_unwatched(); });
    // Core 1 may still be on its way into sleep, and no program sees the rest of it: settle.py goes round here.
    for (uint32_t time = 0; time != 200; ++time) {
        stopped_asleep();
        for (uint32_t moment = 0; moment != 1000; ++moment) Port::relax();
    }
}

void busy() {
    expect(other_pool.submit_on(weft::CoreSet::of(0, 1), set_task));
    expect(pool.submit_on(1, forker));
    await([] { return left_runs.load(acquire) != 0; });
    expect(pool.poll(1).tasks == 1);
    work_until([] { return runs.load(acquire) == all_runs; });
}

void wait() {
    expect(pool.submit_on(1, waiting));
    work_until([] { return work_runs.load(acquire) != 0; });
}

}  // namespace stopped

extern "C" int board_main() {
    stopped::asleep();
    stopped::busy();
    stopped::wait();
    stopped::pool.shutdown();
    stopped::expect(stopped::pool.join());
    weft::Batch left_over;
    stopped::other_pool.shutdown(weft::Shutdown::abandon);
    stopped::expect(stopped::other_pool.join(left_over));
    stopped::expect(left_over.pop() == &stopped::set_task);
    return stopped::failures == 0 ? 0 : 1;
}
