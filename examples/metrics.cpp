// SPDX-License-Identifier: MIT OR Apache-2.0
// How much is queued, and how many cores sleep: asked in a task, before the first submit and behind the end. A handler
// may ask the same. Depths are a setting, so the line has one word more than those of the other examples:
//
//     g++ -std=c++17 -pthread -DWEFT_METRICS=1 -Iinclude -Iport -Iport/host examples/metrics.cpp src/*.cpp
//         port/host/*.cpp -o metrics && ./metrics
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t parts = 100;

WEFT_CONSTINIT weft::Pool<4> pool{};
weft::Atomic<uint32_t> left{parts};
weft::Atomic<uint32_t> depth_seen{0};

// Half of them have begun when this is asked: what stands in all queues, on whatever core, is the other half or less.
struct Part : weft::TaskOf<Part> {
    void run() {
        const uint32_t now = left.fetch_sub(1, weft::acq_rel) - 1;
        if (now == parts / 2) depth_seen.store(pool.queued(), weft::release);
        if (now == 0) pool.shutdown();
    }
} part[parts];

int main() {
    const bool empty = pool.queued() == 0 && pool.live_cores() == 0 && pool.sleeping_cores() == 0;
    weft::Batch batch;
    for (Part& each : part) {
        if (batch.push(each) != weft::Status::ok) return 1;
    }
    if (pool.submit(batch) != weft::Status::ok || pool.run() != weft::Status::ok) return 1;
    if (pool.join() != weft::Status::ok) return 1;
    const weft::QueueDepth injector = pool.depth(weft::Queue::injector);
    print("queued half way, on all cores", depth_seen.load(weft::acquire));
    print("the most that stood in the injector", injector.most);
    print("queued in the end", pool.queued());
    return empty && injector.most == parts && injector.now == 0 && pool.queued() == 0 ? 0 : 1;
}
