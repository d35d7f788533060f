// SPDX-License-Identifier: MIT OR Apache-2.0
// Cores come for a burst of work, sleep for a millisecond when it is over, and leave. One of them stays, and the next
// burst brings the others back. These are settings, so the line has two words more than those of the other examples:
//
//     g++ -std=c++17 -pthread -DWEFT_ELASTIC=1 -DWEFT_TIMERS=1 -Iinclude -Iport -Iport/host examples/elastic.cpp
//         src/*.cpp port/host/*.cpp -o elastic && ./elastic
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t bursts = 5;
constexpr uint32_t parts = 64;

WEFT_CONSTINIT weft::Pool<4> pool{};
weft::Atomic<uint32_t> done{0};

struct Part : weft::TaskOf<Part> {
    void run() {
        for (uint32_t i = 0; i != 200; ++i) weft::Port::relax();
        done.fetch_add(1, weft::release);
    }
} part[parts];

int main() {
    if (pool.keep_alive(weft::Port::ticks_per_ms()) != weft::Status::ok) return 1;
    uint32_t most = 0;
    for (uint32_t burst = 1; burst <= bursts; ++burst) {
        for (Part& one : part) {
            if (pool.submit(one) != weft::Status::ok) return 1;
        }
        while (done.load(weft::acquire) != burst * parts) {
            if (pool.live_cores() > most) most = pool.live_cores();
            if (pool.poll(1).tasks == 0) weft::Port::relax();  // this core helps; an emulated one gives way
        }
        while (pool.live_cores() > 1) weft::Port::relax();  // here the others are off
    }
    print("bursts", bursts);
    print("cores at work besides this one, at most", most);
    print("cores that stay", pool.live_cores());
    pool.shutdown();
    return pool.join() == weft::Status::ok && done.load(weft::acquire) == bursts * parts ? 0 : 1;
}
