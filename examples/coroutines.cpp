// SPDX-License-Identifier: MIT OR Apache-2.0
// Code that waits and reads from top to bottom: coroutines, without a heap and without a stack for each. A driver waits
// for its device by an event; a job is done in two halves at the same time. Coroutines are C++20, so the line differs
// from those of the other examples:
//
//     g++ -std=c++20 -pthread -Iinclude -Iport -Iport/host examples/coroutines.cpp src/*.cpp
//         port/host/*.cpp -o coroutines && ./coroutines
#include <weft/coroutine.hpp>
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t samples = 8;

WEFT_CONSTINIT weft::Pool<4> pool{};
WEFT_CONSTINIT weft::Event device_is_ready{pool};
// Blocks for frames. A first run with large ones tells by most_wanted() how large they have to be.
weft::FrameArena<768, 6> frames;

uint32_t total = 0;

weft::Coroutine<uint32_t> sum(weft::FrameSource&, const uint32_t* data, uint32_t count) {
    uint32_t so_far = 0;
    for (uint32_t i = 0; i < count; ++i) so_far += data[i];
    co_return so_far;
}

// Plays the device: it is ready when this has run.
weft::Job convert([] { (void)device_is_ready.signal(); });

weft::Coroutine<uint32_t> read_sample(weft::FrameSource&, uint32_t number) {
    if (pool.submit(convert) != weft::Status::ok) co_return 0;
    const weft::Status waited = co_await device_is_ready;  // no core waits meanwhile
    if (waited != weft::Status::ok) co_return 0;
    co_return number* number;
}

weft::Coroutine<void> measure(weft::FrameSource& arena) {
    uint32_t data[samples];
    for (uint32_t i = 0; i < samples; ++i) data[i] = co_await read_sample(arena, i);
    auto left = sum(arena, data, samples / 2);
    auto right = sum(arena, data + samples / 2, samples / 2);
    const weft::Status both = co_await weft::when_all(pool, left, right);
    if (both == weft::Status::ok) total = left.result() + right.result();
    pool.shutdown();
}

int main() {
    if (measure(frames).spawn(pool) != weft::Status::ok) return 1;
    (void)pool.run();
    (void)pool.join();
    print("sum of squares", total);
    print("bytes of the largest frame", static_cast<uint32_t>(frames.most_wanted()));
    return total == 140 ? 0 : 1;
}
