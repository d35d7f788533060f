// SPDX-License-Identifier: MIT OR Apache-2.0
// The scheduler's events in SEGGER SystemView's window: trace_systemview.hpp hands them over. The header of SystemView
// is not in this tree. systemview/ has a stand-in with its names, which counts the calls; nothing of it has met the
// real one. All sources of an image are built with the same two settings:
//
//     g++ -std=c++17 -Iinclude -Iport/host -Iport -Iexamples -Iexamples/systemview -DWEFT_TRACE=1
//         -DWEFT_TRACE_HOOKS='"trace_systemview.hpp"' examples/trace_systemview.cpp src/*.cpp port/host/*.cpp -pthread
//         -o trace_systemview && ./trace_systemview
//
// `make run APP=trace_systemview` does so on every board. Built without them it runs as well, and shows that nothing is
// told.
#include <weft/weft.hpp>

#include "machine.hpp"
#include "systemview/SEGGER_SYSVIEW.h"

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
    const uint32_t told = WEFT_TRACE ? tasks : 0;
    const uint32_t ready = counted_calls.ready.load(weft::relaxed);
    const uint32_t begun = counted_calls.begun.load(weft::relaxed);
    const uint32_t ended = counted_calls.ended.load(weft::relaxed);
    print("tasks run:", tasks);
    print("SystemView was told of tasks that are ready:", ready);
    print("that begin:", begun);
    print("that end:", ended);
    print("of cores that sleep:", counted_calls.idle.load(weft::relaxed));
    print("of other events:", counted_calls.records.load(weft::relaxed));
    return ready == told && begun == told && ended == told ? 0 : 1;
}
