// SPDX-License-Identifier: MIT OR Apache-2.0
// Cores that differ. Say that cores 1 and 3 have a fast multiplier, and that the radio is wired to core 0. Filters run
// on 1 and 3 alone, whichever is free; what sends the result runs on 0. Sets of cores are a setting:
//
//     g++ -std=c++17 -pthread -DWEFT_CORE_SETS=1 -Iinclude -Iport -Iport/host examples/cores.cpp src/*.cpp
//         port/host/*.cpp -o cores && ./cores
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr auto with_multiplier = weft::CoreSet::of(1, 3);  // a chip may have only one of them
constexpr auto with_radio = weft::CoreSet::of(0);          // one core: needs no place of WEFT_CORE_SETS

constexpr uint32_t blocks = 64;
constexpr uint32_t length = 8192;

WEFT_CONSTINIT weft::Pool<4> pool{};

weft::Atomic<uint32_t> left{blocks};
weft::Atomic<uint32_t> cores_seen{0};  // a bit for each core that has filtered
uint32_t sender = ~0u;                 // the core that has sent

struct Send : weft::TaskOf<Send> {
    void run() {
        sender = weft::this_core();
        pool.shutdown();
    }
} send;

struct Filter : weft::TaskOf<Filter> {
    void run() {
        for (uint32_t i = 1; i != length; ++i) sum += i * i;
        cores_seen.fetch_or(1u << weft::this_core(), weft::relaxed);
        // The last one hands over: Send sees what all filters wrote.
        if (left.fetch_sub(1, weft::acq_rel) == 1 && pool.submit_on(with_radio, send) != weft::Status::ok) {
            pool.shutdown();
        }
    }
    uint32_t sum = 0;
} filters[blocks];

// In a task of core 0: so that core is in run() when there is something to send. (Outside of run() it is not there for
// others, and they would be told core_unavailable.)
weft::Job begin([] {
    weft::Batch all;
    for (Filter& filter : filters) (void)all.push(filter);
    if (pool.submit_on(with_multiplier, all) != weft::Status::ok) pool.shutdown();
});

int main() {
    if (pool.submit_on(with_radio, begin) != weft::Status::ok) return 1;
    if (pool.run() != weft::Status::ok) return 1;  // core 0 takes no filter: it sleeps in between
    if (pool.join() != weft::Status::ok) return 1;

    print("sent by core", sender);
    print("cores that filtered, as bits", cores_seen.load(weft::relaxed));
    const bool only_these = (cores_seen.load(weft::relaxed) & ~with_multiplier.mask()) == 0;
    return only_these && sender == 0 ? 0 : 1;
}
