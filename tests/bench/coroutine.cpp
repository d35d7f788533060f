// SPDX-License-Identifier: MIT OR Apache-2.0
// bench: coroutines, in a pool of this core alone.
#include <weft/coroutine.hpp>

#include "bench.hpp"
#include "crew.hpp"
#include "figures.hpp"
#include "machine.hpp"

namespace bench {
namespace {

WEFT_CONSTINIT weft::Pool<1, 64> pool{};
weft::FrameArena<512, 2> frames;
weft::FrameArena<512, 1> small_frames;
Samples samples;

// The least that a coroutine can be. (Not inlined, so that it has a frame in every compiler.)
[[gnu::noinline]] weft::Coroutine<void> nothing(weft::FrameSource&) { co_return; }

// To the pool and back: a submit, the way to the worker loop, the next task, and the way to the line behind.
weft::Coroutine<void> hops(weft::FrameSource&) {
    for (uint32_t i = 0; i != rounds; ++i) {
        start_anywhere();
        const uint32_t begin = counter();
        const weft::Status status = co_await pool;
        const uint32_t end = counter("coroutine_hop");
        must(status);
        samples.add(end - begin);
    }
}

// A child that ends at once: its frame is taken, it runs, and its frame is given back.
weft::Coroutine<void> calls(weft::FrameSource& arena) {
    for (uint32_t i = 0; i != rounds; ++i) {
        start_anywhere();
        const uint32_t begin = counter();
        co_await nothing(arena);
        const uint32_t end = counter("coroutine_child");
        samples.add(end - begin);
    }
}

void run(weft::Status spawned) {
    must(spawned);
    while (frames.used() + small_frames.used() != 0) static_cast<void>(pool.poll(64));
}

}  // namespace

void measure_coroutines() {
    for (uint32_t i = 0; i != rounds; ++i) {
        start_anywhere();
        const uint32_t begin = counter();
        const weft::Status status = nothing(small_frames).spawn(pool);
        const uint32_t end = counter("coroutine_spawn");
        run(status);
        samples.add(end - begin);
    }
    print("coroutine_spawn", samples.typical() - reading);
    samples.clear();
    run(hops(frames).spawn(pool));
    print("coroutine_hop", samples.typical() - reading);
    samples.clear();
    run(calls(frames).spawn(pool));
    print("coroutine_child", samples.typical() - reading);
    print("coroutine_frame", instructions(static_cast<int32_t>(small_frames.most_wanted())), "bytes");
    pool.shutdown();
    must(pool.join());
}

}  // namespace bench
