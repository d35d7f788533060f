// SPDX-License-Identifier: MIT OR Apache-2.0
// From an interrupt to a task: the handler takes what the hardware has and hands the rest to the pool.
// submit_from_isr() takes no lock and may be called from any priority. A core that sleeps in WFE or WFI is woken for
// it.
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t samples = 32;

WEFT_CONSTINIT weft::Pool<4> pool{};
uint32_t taken = 0;    // by the handler alone
uint32_t dropped = 0;  // by the handler alone; read when the ticks have ended
weft::Atomic<uint32_t> processed{};

struct Sample : weft::TaskOf<Sample> {
    void run() {
        filtered = raw * raw + 1;
        free.store(1, weft::release);  // the handler may use this object again
        if (processed.fetch_add(1, weft::acq_rel) == samples - 1) pool.shutdown();
    }
    uint32_t raw = 0;
    uint32_t filtered = 0;
    weft::Atomic<uint32_t> free{1};
};
Sample ring[4];  // as many as may be under way at the same time

void on_tick() {
    if (taken == samples) return;
    Sample& sample = ring[taken % 4];
    if (sample.free.load(weft::acquire) == 0) {
        ++dropped;  // it is not done yet: this tick's value is lost, the next one comes
        return;
    }
    sample.free.store(0, weft::relaxed);
    sample.raw = taken++;
    if (pool.submit_from_isr(sample) == weft::Status::ok) return;
    sample.free.store(1, weft::relaxed);  // it still belongs to the handler
    ++dropped;
}

int main() {
    start_tick(500, on_tick);
    if (pool.run() != weft::Status::ok) return 1;
    stop_tick();
    if (pool.join() != weft::Status::ok) return 1;
    print("samples processed:", processed.load(weft::relaxed));
    print("ticks that found no free object:", dropped);
    return processed.load(weft::relaxed) == samples ? 0 : 1;
}
