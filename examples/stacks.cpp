// SPDX-License-Identifier: MIT OR Apache-2.0
// How much of its stack did each core ever use? Each core paints its own when it starts, in the image's start-up code;
// here, where Linux starts the threads, in a task. Then the deepest calls leave a mark that any core can read, and
// who makes the image knows how large the stacks must be.
#include <weft/weft.hpp>

#include "machine.hpp"

WEFT_CONSTINIT weft::Pool<2> pool{};

weft::Atomic<uint32_t> sum{0};
constexpr uint32_t levels = 12;

// A path through a tree: each level has a frame of its own.
uint32_t walk(uint32_t level) {
    volatile uint32_t node[64];
    for (volatile uint32_t& word : node) word = level;
    return level == 0 ? node[0] : node[level] + walk(level - 1);
}

weft::Job shallow([] {
    (void)weft::paint_stack();  // does nothing where start-up code has done it
    sum.fetch_add(walk(1), weft::release);
});
weft::Job deep([] { sum.fetch_add(walk(levels), weft::release); });

// Waits for a job of another core, and works on meanwhile.
template <class Condition>
void work_until(Condition condition) {
    while (!condition()) {
        if (pool.poll(1).tasks == 0) weft::Port::relax();
    }
}

int main() {
    constexpr uint32_t core = 1;
    if (pool.submit_on(core, shallow) != weft::Status::ok) {
        print("this machine has one core");
        return 0;
    }
    work_until([] { return sum.load(weft::acquire) == 1; });
    const weft::StackUse before = weft::stack_use(core);
    if (pool.submit_on(core, deep) != weft::Status::ok) return 1;
    work_until([] { return sum.load(weft::acquire) == 1 + levels * (levels + 1) / 2; });
    const weft::StackUse after = weft::stack_use(core);

    print("bytes of stack of core 1", after.bytes);
    print("used at first", before.used());
    print("used by now", after.used());
    pool.shutdown();
    const bool is_deeper = after.used() > before.used();
    return pool.join() == weft::Status::ok && before.bytes != 0 && is_deeper ? 0 : 1;
}
