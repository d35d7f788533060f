// SPDX-License-Identifier: MIT OR Apache-2.0
// What cannot wait: all cores are busy with a backlog of work, and a button is pressed. Its task is urgent: it does not
// stand in line, it begins when the first of the running tasks ends. Levels of urgency are a setting:
//
//     g++ -std=c++17 -pthread -DWEFT_URGENCY_LEVELS=2 -Iinclude -Iport -Iport/host examples/urgent.cpp src/*.cpp
//         port/host/*.cpp -o urgent && ./urgent
#include <weft/weft.hpp>

#include "machine.hpp"

static_assert(WEFT_URGENCY_LEVELS > 1, "this example, and src/ with it, needs -DWEFT_URGENCY_LEVELS=2");

constexpr uint32_t backlog = 4000;
constexpr uint32_t presses = 5;

WEFT_CONSTINIT weft::Pool<4> pool{};

weft::Atomic<uint32_t> done;     // of the backlog
weft::Atomic<uint32_t> pressed;  // presses so far

// The backlog goes on until all presses were seen.
struct Work : weft::TaskOf<Work> {
    void run() {
        for (uint32_t i = 0; i != 500; ++i) sum = sum * 1664525 + 1013904223;
        done.fetch_add(1, weft::relaxed);
        if (pressed.load(weft::relaxed) != presses) (void)pool.submit(*this);
    }
    uint32_t sum = 0;
} work[backlog];

struct Button : weft::TaskOf<Button> {
    void run() {
        const uint32_t meanwhile = done.load(weft::relaxed) - done_when_pressed;
        if (meanwhile > longest_wait) longest_wait = meanwhile;
        if (pressed.fetch_add(1, weft::relaxed) + 1 == presses) pool.shutdown();
        waits.store(0, weft::release);
    }
    weft::Atomic<uint32_t> waits{};
    uint32_t done_when_pressed = 0;
    uint32_t longest_wait = 0;
} button;

// An interrupt handler.
void press() {
    if (button.waits.load(weft::acquire) != 0) return;
    button.waits.store(1, weft::relaxed);
    button.done_when_pressed = done.load(weft::relaxed);
    (void)pool.submit_from_isr(button, weft::Urgency::urgent);
}

int main() {
    for (Work& one : work) {
        if (pool.submit(one) != weft::Status::ok) return 1;
    }
    start_tick(100, press);
    (void)pool.run();
    stop_tick();
    (void)pool.join();
    print("presses", pressed.load(weft::relaxed));
    print("tasks of the backlog", done.load(weft::relaxed));
    print("of these, ended between a press and its task, at most", button.longest_wait);
    return pressed.load(weft::relaxed) == presses ? 0 : 1;
}
