// SPDX-License-Identifier: MIT OR Apache-2.0
// A watchdog's handler that says which task does not return, on which core, and for how long. Here the task waits for a
// device that never answers. What it has submitted before is run by the other cores; what is pinned to its core waits.
// Heartbeats are a setting, so the line has one word more than those of the other examples:
//
//     g++ -std=c++17 -pthread -DWEFT_WATCH=1 -Iinclude -Iport -Iport/host examples/watchdog.cpp src/*.cpp
//         port/host/*.cpp -o watchdog && ./watchdog
#include <weft/weft.hpp>

#include "machine.hpp"

WEFT_CONSTINIT weft::Pool<2> pool{};

weft::Atomic<uint32_t> device_is_ready{0};  // nobody sets it, until the watchdog has spoken
weft::Atomic<uint32_t> others_have_run{0};
weft::Job other([] { others_have_run.store(1, weft::release); });
weft::Job pinned([] {});

struct Driver : weft::TaskOf<Driver> {
    void run() {
        (void)pool.submit(other);
        while (device_is_ready.load(weft::acquire) == 0) weft::Port::relax();
    }
} driver;

// ---- The handler. It only notes what it sees: a firmware project would write it where it survives the reset.

weft::Unmoved unmoved;
weft::Heartbeat culprit;
weft::Atomic<uint32_t> is_found{0};

void on_watchdog_tick() {
    const weft::Heartbeat seen = pool.heartbeat(1);
    // Ten looks at the same task; where the port has a clock, `seen.ticks` is the time as well.
    if (unmoved.looks(seen) < 10 || !seen.has_pinned || is_found.load(weft::relaxed) != 0) return;
    culprit = seen;
    is_found.store(1, weft::release);
}

int main() {
    if (pool.submit_on(1, driver) != weft::Status::ok) {
        print("this machine has one core");
        return 0;
    }
    while (others_have_run.load(weft::acquire) == 0) {
        // This core works on: it runs what the driver has submitted.
        if (pool.poll(1).tasks == 0) weft::Port::relax();
    }
    if (pool.submit_on(1, pinned) != weft::Status::ok) return 1;
    start_tick(100, on_watchdog_tick);
    while (is_found.load(weft::acquire) == 0) {
        if (pool.poll(1).tasks == 0) weft::Port::relax();
    }
    stop_tick();
    print("a task does not return, on core", culprit.core);
    print(culprit.task == static_cast<weft::Task*>(&driver) ? "it is the driver" : "it is unknown");
    print(culprit.has_pinned ? "tasks wait for this core alone" : "nothing else waits for this core");
    print("milliseconds without a sign of life", culprit.ticks / weft::Port::ticks_per_ms());

    device_is_ready.store(1, weft::release);
    pool.shutdown();
    return pool.join() == weft::Status::ok && culprit.task == static_cast<weft::Task*>(&driver) ? 0 : 1;
}
