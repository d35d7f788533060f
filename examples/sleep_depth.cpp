// SPDX-License-Identifier: MIT OR Apache-2.0
// How deep a core sleeps. Before each sleep the image chooses: a light one, or one that takes longer to wake from, if
// the last one was long. This is a setting, so the line has one word more than those of the other examples:
//
//     g++ -std=c++17 -pthread -DWEFT_SLEEP_HOOKS=1 -Iinclude -Iport -Iport/host examples/sleep_depth.cpp src/*.cpp
//         port/host/*.cpp -o sleep_depth && ./sleep_depth
#include <weft/weft.hpp>

#include "machine.hpp"

WEFT_CONSTINIT weft::Pool<4> pool{};

// Each core has its own; they are read when all has ended.
struct Depth {
    uint32_t deep = 0;
    uint32_t light = 0;
    bool sleeps = false;
} depth[4];

// Between the last look for work and the sleep. Here a Cortex-M image would set SLEEPDEEP, or not. What comes meanwhile
// ends the sleep at once.
void before(uint32_t core, uint32_t last, void*) {
    const bool was_long = last > weft::Port::ticks_per_ms();
    ++(was_long ? depth[core].deep : depth[core].light);
    depth[core].sleeps = true;
}
// Behind it: clocks are switched on again.
void after(uint32_t core, uint32_t, void*) { depth[core].sleeps = false; }

// The next job comes in a while.
void wait_a_while() {
    const uint32_t begin = weft::Port::now();
    while (weft::Port::now() - begin < weft::Port::ticks_per_ms() / 4) weft::Port::relax();
}

int main() {
    if (pool.on_sleep(before, after, nullptr) != weft::Status::ok) return 1;
    weft::Atomic<uint32_t> sum{};
    for (uint32_t i = 0; i != 32; ++i) {
        wait_a_while();
        weft::Work work{pool, [&sum, i] { sum.fetch_add(i, weft::relaxed); }};
        if (pool.submit(work) != weft::Status::ok || work.wait() != weft::Status::ok) return 1;
    }
    pool.shutdown();
    (void)pool.join();
    uint32_t sleeps = 0;
    for (const Depth& one : depth) {
        sleeps += one.deep + one.light;
        if (one.sleeps) return 1;  // each sleep has its end
    }
    print("sum", sum.load(weft::relaxed));
    print("sleeps of four cores", sleeps);
    return sum.load(weft::relaxed) == 31 * 32 / 2 ? 0 : 1;
}
