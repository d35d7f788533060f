// SPDX-License-Identifier: MIT OR Apache-2.0
// Stages, one behind the other, and a chip that sleeps in between. Core 0 feeds the pool a stage, waits until all of
// it has run, and goes on. Each time that all cores sleep a function is called: here an image would stop clocks. This
// is a setting, so the line has one word more than those of the other examples:
//
//     g++ -std=c++17 -pthread -DWEFT_REST=1 -Iinclude -Iport -Iport/host examples/rest.cpp src/*.cpp
//         port/host/*.cpp -o rest && ./rest
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t stages = 8;
constexpr uint32_t rows = 64;

WEFT_CONSTINIT weft::Pool<4> pool{};

weft::Atomic<uint32_t> sleeps;

// By the last core that goes to sleep, behind its last look for work: it may stop what only cores that work need. What
// wakes a core, wakes it from here, too.
void all_asleep(void*) { sleeps.fetch_add(1, weft::relaxed); }

uint32_t image[2][rows];

// A row of a stage, which sees what the stage before has made of the rows beside it.
struct Row : weft::TaskOf<Row> {
    void run() {
        const uint32_t* const before = image[stage % 2];
        image[(stage + 1) % 2][index] = (before[(index + rows - 1) % rows] + before[(index + 1) % rows]) / 2;
    }
    uint32_t stage = 0;
    uint32_t index = 0;
} row[rows];

int main() {
    for (uint32_t i = 0; i != rows; ++i) image[0][i] = i == 0 ? 0 : 1024, row[i].index = i;
    if (pool.on_all_asleep(all_asleep, nullptr) != weft::Status::ok) return 1;

    for (uint32_t stage = 0; stage != stages; ++stage) {
        weft::Batch all;
        for (Row& one : row) {
            one.stage = stage;
            (void)all.push(one);
        }
        if (pool.submit(all) != weft::Status::ok) return 1;
        if (pool.wait_idle() != weft::Status::ok) return 1;  // this core works, too
    }

    pool.shutdown();
    (void)pool.join();
    // The one row without anything spreads as the binomial numbers do: after 8 stages 70 of 256 parts are in its place.
    print("row 0 behind 8 stages", image[stages % 2][0]);
    print("times that all cores slept", sleeps.load(weft::relaxed));
    return image[stages % 2][0] == 1024 - 1024 * 70 / 256 ? 0 : 1;
}
