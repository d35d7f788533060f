// SPDX-License-Identifier: MIT OR Apache-2.0
// Long tasks run on one core at a time, so that short ones never wait behind them. Here each long one writes a page of
// a slow memory, and many short ones run beside it. This is a setting, so the line has one word more than those of the
// other examples:
//
//     g++ -std=c++17 -pthread -DWEFT_BLOCKING=1 -Iinclude -Iport -Iport/host examples/blocking.cpp src/*.cpp
//         port/host/*.cpp -o blocking && ./blocking
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t pages = 3;
constexpr uint32_t samples = 100;

WEFT_CONSTINIT weft::Pool<2> pool{};

weft::Atomic<uint32_t> may_end{0};  // so many pages may end
weft::Atomic<uint32_t> written{0};
weft::Atomic<uint32_t> taken{0};
weft::Atomic<uint32_t> most{0};

struct Page : weft::TaskOf<Page> {
    void run() {
        if (pool.blocking_cores() > most.load(weft::relaxed))
            most.store(pool.blocking_cores(), weft::relaxed);
        while (written.load(weft::acquire) >= may_end.load(weft::acquire)) weft::Port::relax();
        written.fetch_add(1, weft::release);
    }
} page[pages];

struct Sample : weft::TaskOf<Sample> {
    void run() { taken.fetch_add(1, weft::release); }
} sample[samples];

int main() {
    if (pool.submit_on(1, sample[0]) != weft::Status::ok) {
        print("this machine has one core");
        return 0;
    }
    for (Page& each : page) {
        if (pool.submit_blocking(each) != weft::Status::ok) return 1;
    }
    for (uint32_t i = 1; i != samples; ++i) {
        if (pool.submit(sample[i]) != weft::Status::ok) return 1;
    }
    while (taken.load(weft::acquire) != samples) {
        // This core takes short ones alone: it polls.
        if (pool.poll(1).tasks == 0) weft::Port::relax();
    }
    print("short tasks beside a long one", samples);
    print("long ones that have ended by then", written.load(weft::acquire));
    may_end.store(pages, weft::release);
    pool.shutdown();
    const bool good = pool.join() == weft::Status::ok && written.load(weft::acquire) == pages;
    print("long ones in the end", written.load(weft::acquire));
    print("of them at a time, at most", most.load(weft::relaxed));
    return good && most.load(weft::relaxed) <= 1 ? 0 : 1;
}
