// SPDX-License-Identifier: MIT OR Apache-2.0
// Watch a running pool from outside: the scheduler's events drive pins (trace_pins.hpp takes them). All sources of an
// image are built with the same two settings:
//
//     g++ -std=c++17 -Iinclude -Iport/host -Iport -Iexamples -DWEFT_TRACE=1 -DWEFT_TRACE_HOOKS='"trace_pins.hpp"'
//         examples/trace_pins.cpp src/*.cpp port/host/*.cpp -pthread -o trace_pins && ./trace_pins
//
// `make run APP=trace_pins` does so on every board. Built without them it runs as well, and shows that nothing is told.
#include <weft/weft.hpp>

#include "machine.hpp"
#include "trace_pins.hpp"

constexpr uint32_t tasks = 100;

WEFT_CONSTINIT weft::Pool<4> pool{};
weft::Atomic<uint32_t> left{tasks};

struct Work : weft::TaskOf<Work> {
    void run() {
        if (left.fetch_sub(1, weft::acq_rel) == 1) pool.shutdown();
    }
};
Work work[tasks];

int main() {
    for (Work& each : work) {
        if (pool.submit(each) != weft::Status::ok) return 1;
    }
    if (pool.run() != weft::Status::ok || pool.join() != weft::Status::ok) return 1;
    const uint32_t edges = rising_edges.load(weft::relaxed);
    print("tasks run:", tasks);
    print("rising edges on the pins of tasks:", edges);
    print("changes on the pins of other events:", changes.load(weft::relaxed));
    return edges == (WEFT_TRACE ? tasks : 0) ? 0 : 1;
}
