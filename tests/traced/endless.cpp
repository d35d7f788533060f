// SPDX-License-Identifier: MIT OR Apache-2.0
// traced: firmware that does not end, as most: two timers. With -DTRACED_ABORTS=1 it panics after some runs.
#include <weft/weft.hpp>

#ifndef TRACED_ABORTS
#define TRACED_ABORTS 0
#endif

namespace {

WEFT_CONSTINIT weft::Pool<2> pool{};

struct Blink : weft::TaskOf<Blink> {
    void run() {}
} blink;
struct Sample : weft::TaskOf<Sample> {
    void run() {
        for (uint32_t time = 0; time != 1000; ++time) weft::Port::relax();
        if (aborts && ++runs == 5) weft::Port::panic("the test aborts", weft::Port::core_id(), this);
    }
    bool aborts = false;
    uint32_t runs = 0;
} sample;
weft::Timer blinking{pool, blink};
weft::Timer sampling{pool, sample};

}  // namespace

int main() {
    sample.aborts = TRACED_ABORTS;
    const bool started = blinking.start_every(weft::milliseconds(2)) == weft::Status::ok &&
                         sampling.start_every(weft::milliseconds(3)) == weft::Status::ok;
    return started && pool.run() == weft::Status::ok ? 0 : 1;
}
