// SPDX-License-Identifier: MIT OR Apache-2.0
// Two pools share a chip: `control`, which must answer soon, has core 1, and `ordinary` core 2. Core 3 works where it
// is needed: first for the one, then for the other. These are settings, so the line has two words more than those of
// the other examples:
//
//     g++ -std=c++17 -pthread -DWEFT_ELASTIC=1 -DWEFT_TIMERS=1 -Iinclude -Iport -Iport/host examples/partition.cpp
//         src/*.cpp port/host/*.cpp -o partition && ./partition
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t moves = 6;

WEFT_CONSTINIT weft::Pool<4> control{};
WEFT_CONSTINIT weft::Pool<4> ordinary{};

// One task for each core that a pool has: it ends when as many have begun.
weft::Atomic<uint32_t> begun{0};
weft::Atomic<uint32_t> ended{0};
struct Together : weft::TaskOf<Together> {
    void run() {
        begun.fetch_add(1, weft::acq_rel);
        while (begun.load(weft::acquire) < 2) weft::Port::relax();
        ended.fetch_add(1, weft::release);
    }
} two[2];

// False: two cores do not work for it at the same time.
bool has_two_cores(weft::Scheduler& pool) {
    begun.store(0, weft::relaxed);
    ended.store(0, weft::relaxed);
    for (Together& each : two) {
        if (pool.submit(each) != weft::Status::ok) return false;
    }
    while (ended.load(weft::acquire) != 2) weft::Port::relax();
    return true;
}

// Core 3 leaves `from` when its task there ends, and then `to` may start it.
bool move_core_3(weft::Scheduler& from, weft::Scheduler& to) {
    weft::Completion left{to};
    if (from.retire(3, left) != weft::Status::ok || left.wait() != weft::Status::ok) return false;
    return to.admit(3) == weft::Status::ok;
}

int main() {
    for (uint32_t core = 0; core != 4; ++core) {
        if (core != 1 && core != 3 && control.retire(core) != weft::Status::ok) return 1;
        if (core != 2 && ordinary.retire(core) != weft::Status::ok) return 1;
    }
    uint32_t done = 0;
    weft::Scheduler* now = &control;
    weft::Scheduler* next = &ordinary;
    while (done != moves) {
        if (!has_two_cores(*now) || !move_core_3(*now, *next)) return 1;
        weft::Scheduler* const before = now;
        now = next;
        next = before;
        ++done;
    }
    print("times that core 3 moved", done);
    control.shutdown();
    ordinary.shutdown();
    const bool both = control.join() == weft::Status::ok && ordinary.join() == weft::Status::ok;
    return both ? 0 : 1;
}
