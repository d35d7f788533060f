// SPDX-License-Identifier: MIT OR Apache-2.0
// A super-loop that lends its core to the pool between two looks at its own business: poll() runs a few tasks and
// returns. The other cores of the chip, if there are any, work for the pool all the time.
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t channels = 8;
constexpr uint32_t blocks = 100;  // for each channel
constexpr uint32_t size = 256;
constexpr uint32_t taps = 32;

WEFT_CONSTINIT weft::Pool<4> pool{};
weft::Atomic<uint32_t> done{};

// One run is one block: the task submits itself again until it has had all of them.
struct Filter : weft::TaskOf<Filter> {
    void run() {
        for (uint32_t i = 0; i != size; ++i) samples[i] = (samples[i] + i * block) & 0xffff;
        for (uint32_t i = 0; i != size - taps; ++i) {
            uint32_t sum = 0;
            for (uint32_t tap = 0; tap != taps; ++tap) sum += samples[i + tap];
            samples[i] = sum / taps;
        }
        if (++block != blocks) {
            (void)pool.submit(*this);  // legal in its own run(): from then on it may run elsewhere
        } else {
            if (done.fetch_add(1, weft::relaxed) == channels - 1) pool.shutdown();
        }
    }
    uint32_t samples[size] = {};
    uint32_t block = 0;
};
Filter filters[channels];

// The loop's own business: a watchdog, a button, or a display as here.
uint32_t display[4096];
void refresh_display(uint32_t picture) {
    for (uint32_t& pixel : display) pixel = pixel * 5 + picture;
}

int main() {
    for (Filter& filter : filters) {
        if (pool.submit(filter) != weft::Status::ok) return 1;
    }
    uint32_t loops = 0;
    weft::Status status = weft::Status::ok;
    while (status == weft::Status::ok) {
        refresh_display(++loops);
        status = pool.poll(1).status;  // at most one: the display comes first
    }
    if (status != weft::Status::closed)
        return 1;  // the pool was shut down, and this core has nothing more to run
    if (pool.join() != weft::Status::ok) return 1;
    print("turns of the loop:", loops);
    for (uint32_t core = 0; core != pool.cores(); ++core) {
        print("core", core);
        print("  blocks:", pool.stats(core).executed);
    }
    return pool.total().executed == channels * blocks ? 0 : 1;
}
