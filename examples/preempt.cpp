// SPDX-License-Identifier: MIT OR Apache-2.0
// What cannot even wait for the end of a task: every core is in a computation that takes long, and a sample is to be
// answered. Its task preempts: it begins when the handler that submits it ends, on top of the computation. A setting:
//
//     g++ -std=c++17 -pthread -DWEFT_URGENCY_LEVELS=2 -DWEFT_PREEMPTION=1 -Iinclude -Iport -Iport/host
//         examples/preempt.cpp src/*.cpp port/host/*.cpp -o preempt && ./preempt
#include <weft/weft.hpp>

#include "machine.hpp"

static_assert(WEFT_PREEMPTION,
              "this example, and src/ with it, needs -DWEFT_PREEMPTION=1 -DWEFT_URGENCY_LEVELS=2");

constexpr uint32_t samples = 20;
constexpr weft::Urgency at_once{WEFT_URGENCY_LEVELS - 1};  // the most urgent level is the one that preempts

WEFT_CONSTINIT weft::Pool<1> pool{};

weft::Atomic<uint32_t> answered;

struct Answer : weft::TaskOf<Answer> {
    void run() {
        waits.store(0, weft::release);
        answered.fetch_add(1, weft::release);
    }
    weft::Atomic<uint32_t> waits{};
} answer;

// One long task, which does not end before all samples were answered.
struct Computation : weft::TaskOf<Computation> {
    void run() {
        while (answered.load(weft::acquire) < samples) sum = sum * 1664525 + 1013904223;
        pool.shutdown();
    }
    uint32_t sum = 0;
} computation;

// An interrupt handler.
void take_sample() {
    if (answer.waits.load(weft::acquire) != 0) return;
    answer.waits.store(1, weft::relaxed);
    (void)pool.submit_from_isr(answer, at_once);
}

int main() {
    if (pool.submit(computation) != weft::Status::ok) return 1;
    start_tick(100, take_sample);
    (void)pool.run();
    stop_tick();
    (void)pool.join();
    print("samples answered on top of one task", answered.load(weft::relaxed));
    return answered.load(weft::relaxed) >= samples ? 0 : 1;
}
