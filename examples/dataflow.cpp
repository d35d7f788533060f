// SPDX-License-Identifier: MIT OR Apache-2.0
// A graph of tasks: each block of samples goes through eight filters, at the same time, and then they are added up. A
// gate submits the mixer when the last filter has arrived; an event submits the source again when the mixer is done. No
// task waits for another one, and nobody counts.
//
//     source --batch--> 8 filters --gate--> mixer --event--> source ...
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t blocks = 1000;
constexpr uint32_t size = 32;
constexpr uint32_t bands = 8;

// The signal processing, which knows nothing of tasks.
struct Low {  // a low-pass filter, for each band with another frequency
    void filter(const int32_t* input, uint32_t band) {
        for (uint32_t i = 0; i != size; ++i) {
            level += (input[i] - level) / (2 << band);
            samples[i] = level;
        }
    }
    int32_t samples[size] = {};
    int32_t level = 0;
};
void capture(int32_t* input, uint32_t block) {  // as if it came from a converter
    for (uint32_t i = 0; i != size; ++i) {
        input[i] = static_cast<int32_t>((block * size + i) * 97 % 20000) - 10000;
    }
}
uint32_t mix(const Low* filters, uint32_t sum) {
    for (uint32_t i = 0; i != size; ++i) {
        int32_t mixed = 0;
        for (uint32_t band = 0; band != bands; ++band) mixed += filters[band].samples[i];
        sum = sum * 31 + static_cast<uint32_t>(mixed);
    }
    return sum;
}

// [readme]
WEFT_CONSTINIT weft::PoolMemory<4> memory{};  // in .bss: zero at the start, takes no flash
WEFT_CONSTINIT weft::PoolIn pool{memory};     // in .data: some hundred bytes; in all else a weft::Pool<4>
// [readme end]
int32_t input[size];
Low filters[bands];
uint32_t sum = 0;

// The graph.
struct Mixer : weft::TaskOf<Mixer> {
    void run();
} mixer;

weft::Gate all_filtered{pool, mixer, bands};
weft::Event mixed{pool};

struct Filter : weft::TaskOf<Filter> {
    void run() {
        const auto band = static_cast<uint32_t>(this - all);
        filters[band].filter(input, band);
        (void)all_filtered.arrive();
    }
    static Filter all[bands];
};
Filter Filter::all[bands];

void Mixer::run() {
    sum = mix(filters, sum);
    (void)mixed.signal();
}

struct Source : weft::TaskOf<Source> {
    void run() {
        if (block == blocks) {
            pool.shutdown();
            return;
        }
        capture(input, block++);
        weft::Batch batch;
        for (Filter& filter : Filter::all) (void)batch.push(filter);
        (void)pool.submit(batch);
        (void)mixed.wait(*this);  // the last thing it does: from here on it may run on another core
    }
    uint32_t block = 0;
} source;

int main() {
    if (pool.submit(source) != weft::Status::ok) return 1;
    if (pool.run() != weft::Status::ok || pool.join() != weft::Status::ok) return 1;
    print("blocks", source.block);

    // The same without tasks.
    Low serial[bands];
    uint32_t expected = 0;
    for (uint32_t block = 0; block != blocks; ++block) {
        capture(input, block);
        for (uint32_t band = 0; band != bands; ++band) serial[band].filter(input, band);
        expected = mix(serial, expected);
    }
    return sum == expected ? 0 : 1;
}
