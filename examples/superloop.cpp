// SPDX-License-Identifier: MIT OR Apache-2.0
// A super-loop that lends its core to the pool between two looks at its own business: poll() runs a few tasks and
// returns. The other cores of the chip, if there are any, work all the time.
#include <weft/weft.hpp>

#include "machine.hpp"

WEFT_CONSTINIT weft::Pool<4> pool{};
weft::Atomic<uint32_t> done{};

// Each turn is one run: the task submits itself again until it has had enough of them.
struct Filter : weft::TaskOf<Filter> {
    void run() {
        for (uint32_t& sample : samples) sample = (sample * 3 + 1) / 2;
        if (++turns != 100) {
            (void)pool.submit(*this);  // legal in its own run(): from then on it may run elsewhere
        } else {
            done.fetch_add(1, weft::release);
        }
    }
    uint32_t samples[16] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint32_t turns = 0;
};
Filter filters[8];

int main() {
    for (Filter& filter : filters) {
        if (pool.submit(filter) != weft::Status::ok) return 1;
    }
    uint32_t loops = 0;
    uint32_t here = 0;
    while (done.load(weft::acquire) != 8) {
        ++loops;  // the loop's own business: a watchdog, a button, a display
        const weft::Polled polled = pool.poll(4);
        if (polled.status != weft::Status::ok) return 1;
        here += polled.tasks;
    }
    pool.shutdown();
    if (pool.join() != weft::Status::ok) return 1;
    print("loops:", loops);
    print("tasks run by this core:", here);
    print("tasks run by all:", pool.total().executed);
    return pool.total().executed == 800 ? 0 : 1;
}
