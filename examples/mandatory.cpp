// SPDX-License-Identifier: MIT OR Apache-2.0
// A pool is abandoned in the middle of its work: what is queued comes back, but for one task that must run, here one
// that notes how far the work has come. This is a setting, so the line has one word more than those of the other
// examples:
//
//     g++ -std=c++17 -pthread -DWEFT_MANDATORY=1 -Iinclude -Iport -Iport/host examples/mandatory.cpp src/*.cpp
//         port/host/*.cpp -o mandatory && ./mandatory
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t parts = 100;

WEFT_CONSTINIT weft::Pool<2> pool{};
weft::Atomic<uint32_t> done{0};
weft::Atomic<uint32_t> noted{0};
weft::Atomic<uint32_t> accepted{0};

weft::Job note([] { noted.store(done.load(weft::acquire), weft::release); });

struct Part : weft::TaskOf<Part> {
    void run() {
        if (done.fetch_add(1, weft::acq_rel) != parts / 4) return;
        // The supply fails, say.
        accepted.store(pool.submit_mandatory(note) == weft::Status::ok ? 1 : 0, weft::release);
        pool.shutdown(weft::Shutdown::abandon);
    }
} part[parts];

int main() {
    weft::Batch batch;
    for (Part& each : part) {
        if (batch.push(each) != weft::Status::ok) return 1;
    }
    if (pool.submit(batch) != weft::Status::ok || pool.run() != weft::Status::ok) return 1;
    weft::Batch left_over;
    if (pool.join(left_over) != weft::Status::ok) return 1;
    const uint32_t back = left_over.size();
    while (left_over.pop() != nullptr) continue;
    print("parts that came back", back);
    print("parts that are noted as done", noted.load(weft::acquire));
    const bool all = done.load(weft::acquire) + back == parts;
    return all && accepted.load(weft::acquire) != 0 && noted.load(weft::acquire) > parts / 4 ? 0 : 1;
}
