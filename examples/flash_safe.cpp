// SPDX-License-Identifier: MIT OR Apache-2.0
// Settings are written to flash while other cores run from it. All of them stand in RAM meanwhile, with interrupts held
// off, and go on with the new settings. This is a setting, so the line has one word more than those of the other
// examples:
//
//     g++ -std=c++17 -pthread -DWEFT_QUIESCE=1 -Iinclude -Iport -Iport/host examples/flash_safe.cpp src/*.cpp
//         port/host/*.cpp -o flash_safe && ./flash_safe
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t writes = 10;

WEFT_CONSTINIT weft::Pool<4> pool{};

// A page of flash. Here it is two words that are never written at the same time, as if a page took long.
struct Page {
    volatile uint32_t serial, inverse;
} settings = {0, ~0u};

// On an image that runs from flash this would be the erase and the write, by the controller's registers. All that it
// needs stands in RAM, as it does: no call that the compiler does not inline, no constant table. Its own interrupts it
// holds off by itself: their handlers are in flash, too.
WEFT_RAM_CODE void write_page(uint32_t serial) {
    const uint32_t held = weft::Port::hold_interrupts();
    settings.serial = serial;
    for (uint32_t i = 0; i != 1000; ++i) weft::Port::relax();
    settings.inverse = ~serial;
    weft::Port::release_interrupts(held);
}

weft::Atomic<uint32_t> torn{0};
weft::Atomic<uint32_t> reads{0};
weft::Atomic<uint32_t> stop{0};

// Goes on until the end. Between two runs its core may be asked to stand.
struct Reader : weft::TaskOf<Reader> {
    void run() {
        if (settings.serial != ~settings.inverse) torn.fetch_add(1, weft::relaxed);
        reads.fetch_add(1, weft::relaxed);
        if (stop.load(weft::relaxed) == 0) (void)pool.submit(*this);
    }
} reader[3];

int main() {
    for (Reader& one : reader) {
        if (pool.submit(one) != weft::Status::ok) return 1;
    }
    const uint32_t deadline = 1000 * weft::Port::ticks_per_ms();
    uint32_t written = 0;
    for (uint32_t tries = 0; written != writes && tries != 10 * writes; ++tries) {
        // timed_out: a task was longer than that. Nothing has happened, and all cores go on.
        if (pool.quiesce(deadline) != weft::Status::ok) continue;
        write_page(++written);
        if (pool.resume() != weft::Status::ok) return 1;
        const uint32_t before = reads.load(weft::relaxed);
        // Until somebody has read it; where there is one core alone, this one.
        while (reads.load(weft::relaxed) == before) {
            if (pool.poll(1).tasks == 0) weft::Port::relax();
        }
    }
    stop.store(1, weft::relaxed);
    pool.shutdown();
    if (pool.join() != weft::Status::ok) return 1;
    print("times written", written);
    print("reads that met half a write", torn.load(weft::relaxed));
    return written == writes && torn.load(weft::relaxed) == 0 ? 0 : 1;
}
