// SPDX-License-Identifier: MIT OR Apache-2.0
#include <stdio.h>
#include <stdlib.h>

#include <weft/coroutine.hpp>
#include <weft/weft.hpp>

namespace {

constexpr uint32_t count = 200;

WEFT_CONSTINIT weft::Pool<4> pool{};
WEFT_CONSTINIT weft::Strand strand{pool};
WEFT_CONSTINIT weft::Event event{pool};
WEFT_CONSTINIT weft::Event never{pool};
weft::FrameArena<512, 2 * count + 2> arena;
weft::FrameArena<512, 1> small;
uint32_t in_strand = 0;
weft::Atomic<uint32_t> ended{};
weft::Atomic<uint32_t> reached{};
weft::Atomic<uint32_t> destroyed{};

void expect(bool holds, const char* what) {
    if (holds) return;
    printf("FAIL %s\n", what);
    exit(1);
}

struct Witness {
    Witness() = default;
    Witness(const Witness&) = delete;
    Witness& operator=(const Witness&) = delete;
    ~Witness() { destroyed.fetch_add(1, weft::Order::acq_rel); }
};

weft::Coroutine<uint32_t> square(weft::FrameSource&, uint32_t of) {
    expect(co_await pool == weft::Status::ok, "hop in a child");
    co_return of* of;
}
weft::Coroutine<void> work(weft::FrameSource& frames, uint32_t number) {
    expect(co_await square(frames, number) == number * number, "the result of a child");
    expect(co_await event == weft::Status::ok, "event");
    expect(co_await strand == weft::Status::ok, "strand");
    ++in_strand;
    expect(co_await pool == weft::Status::ok, "hop");
    ended.fetch_add(1, weft::Order::acq_rel);
}
weft::Coroutine<uint32_t> stuck_child(weft::FrameSource&) {
    Witness witness;
    reached.store(1, weft::Order::release);
    static_cast<void>(co_await never);
    co_return 0;
}
weft::Coroutine<void> stuck(weft::FrameSource& frames) {
    Witness witness;
    static_cast<void>(co_await stuck_child(frames));
}

}  // namespace

int main() {
    {
        auto first = stuck(small);
        auto second = stuck(small);
        expect(static_cast<bool>(first), "a frame");
        expect(!second && second.spawn(pool) == weft::Status::null_run, "no frame left");
    }
    expect(small.used() == 0 && small.most_used() == 1, "an unused frame is given back");
    for (uint32_t i = 0; i < count; ++i) expect(work(arena, i).spawn(pool) == weft::Status::ok, "spawn");
    expect(stuck(arena).spawn(pool) == weft::Status::ok, "spawn of one that waits for ever");
    expect(event.set() == weft::Status::ok, "set");
    while (ended.load(weft::Order::acquire) != count || reached.load(weft::Order::acquire) == 0)
        static_cast<void>(pool.poll(1));
    pool.shutdown(weft::Shutdown::drain);
    weft::Batch left;
    expect(pool.join(left) == weft::Status::ok, "join");
    expect(ended.load(weft::Order::acquire) == count && in_strand == count, "all ended");
    // One block where the compiler puts the child's frame into its parent's, as Clang does with -O2.
    expect(arena.used() == 1 || arena.used() == 2, "only the one that waits has frames");
    never.take_back(left);
    uint32_t found = 0;
    while (weft::Task* task = left.pop()) found += weft::destroy_coroutine(*task) ? 1u : 0u;
    expect(found == 1 && destroyed.load(weft::Order::acquire) == 2, "the frames of the chain end");
    expect(arena.used() == 0, "all blocks are free");
    printf("PASS coroutines: most used %u, most wanted %u bytes\n", static_cast<unsigned>(arena.most_used()),
           static_cast<unsigned>(arena.most_wanted()));
    return 0;
}
