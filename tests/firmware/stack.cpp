// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: the stack that fork-join needs, measured: each core's stack is painted before, and what is not paint
// any more afterwards was used.
#include "fork.hpp"

// Stacks with red zones are no measure, and what lies below the stack pointer is not for reading there.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STACK_IS_INSTRUMENTED 1
#else
#define STACK_IS_INSTRUMENTED 0
#endif

namespace firmware {
namespace {

using weft::Here;

// The program: a spine of nested forks, and on each of its levels a branch, a chain of more.
constexpr uint32_t spine_levels = 7;
constexpr uint32_t branch_levels = 4;
constexpr uint32_t levels = spine_levels + branch_levels + 1;
constexpr uint32_t sibling_branches = 24;
constexpr uint32_t ballast_words = 48;  // on each level

constexpr uint32_t paint = 0x9e3779b9;
constexpr uintptr_t most_painted = 16 * 1024;
constexpr uintptr_t own_frame = 256;  // of paint_stack(), below its frame's address

// What the scheduler adds for each level at which a child was stolen: join(), wait(), help(), run_taken() and the call
// of the child. (Measured: make run ARGS='B7_join_stack show=1'.)
constexpr uintptr_t scheduler_per_level = 24 * sizeof(void*);
// Where an interrupt wakes a core (PARK=wfi) its handler's frame is on the core's stack.
constexpr uintptr_t interrupt_frame = 64 * sizeof(void*);

struct Stack {
    uintptr_t top = 0;
    uintptr_t bottom = 0;
};
Stack stacks[cores];

// Of the calling core. Nothing else uses what is painted: it is below the stack pointer.
[[gnu::noinline]] void paint_stack() {
    Stack& stack = stacks[Port::core_id()];
    const uintptr_t limit = reinterpret_cast<uintptr_t>(Port::stack_limit());
    stack.top = (reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - own_frame) / 4 * 4;
    stack.bottom = stack.top - most_painted;
    if (limit + 64 > stack.bottom) stack.bottom = limit + 64;
    for (uintptr_t word = stack.bottom; word < stack.top; word += 4) {
        *reinterpret_cast<volatile uint32_t*>(word) = paint;
    }
}

// Bytes used since paint_stack() on this core.
[[gnu::noinline]] uintptr_t used_stack() {
    const Stack& stack = stacks[Port::core_id()];
    uintptr_t word = stack.bottom;
    while (word < stack.top && *reinterpret_cast<volatile uint32_t*>(word) == paint) word += 4;
    return stack.top - word;
}

// For others that need not come.
template <class Condition>
void wait_for_a_while(Condition condition) {
    constexpr uint32_t ms = 1;
    const uint32_t start = Port::now();
    while (!condition() && Port::now() - start < ms * Port::ticks_per_ms()) Port::relax();
}

Atomic<uint32_t> branches_begun;
Atomic<uint32_t> branches_ended;

// Its end is a join that waits, most of the time, and long enough for a new branch to begin. A core that took one while
// it waits here, for want of something better to do, would have two of them on its stack, and so on.
[[gnu::noinline]] void branch(Here here, uint32_t level, bool serially) {
    volatile uint32_t ballast[ballast_words];
    ballast[level] = level;
    if (level != 0) {
        fork_join(
            here, [&](Here there) { branch(there, level - 1, serially); }, [] {});
    } else if (!serially) {
        Atomic<uint32_t> taken{};
        fork_join(
            here,
            [&] {
                wait_for_a_while([&] {
                    fork_nothing();
                    return taken.load(acquire) != 0;
                });
            },
            [&] {
                taken.store(1, release);
                const uint32_t begun = branches_begun.load(acquire);
                wait_for_a_while([&] { return branches_begun.load(acquire) != begun; });
            });
    }
    ballast[0] = ballast[level];
}

[[gnu::noinline]] void spine(Here here, uint32_t level, bool serially) {
    volatile uint32_t ballast[ballast_words];
    ballast[level] = level;
    if (level != 0) {
        fork_join(
            here, [&](Here there) { spine(there, level - 1, serially); },
            [&](Here there) {
                branches_begun.fetch_add(1, acq_rel);
                branch(there, branch_levels, serially);
                branches_ended.fetch_add(1, acq_rel);
            });
    } else if (!serially) {
        wait_for_a_while([&] {
            fork_nothing();  // offers one branch after the other
            return branches_ended.load(acquire) == spine_levels;
        });
    }
    ballast[0] = ballast[level];
}

// Branches side by side.
[[gnu::noinline]] void siblings(bool serially) {
    struct Branch {
        void operator()(Here there) const {
            branches_begun.fetch_add(1, acq_rel);
            branch(there, branch_levels, false);
            branches_ended.fetch_add(1, acq_rel);
        }
    };
    Children<Branch, sibling_branches> children([](uint32_t) { return Branch(); });
    if (serially) return branch(Here::nobody(), branch_levels, true);
    TaskGroup group;
    for (uint32_t i = 0; i < sibling_branches; ++i) group.run(children[i]);
    wait_for_a_while([&] {
        fork_nothing();
        return branches_ended.load(acquire) == sibling_branches;
    });
}

void grow_spine(bool serially) { spine(serially ? Here::nobody() : Here(), spine_levels, serially); }

void grow(void (*shape)(bool)) {
    branches_begun.store(0, relaxed);
    branches_ended.store(0, relaxed);
    shape(false);
    CHECK_EQ(branches_ended.load(acquire), branches_begun.load(relaxed));
}

uintptr_t used[cores];
void measure() { used[Port::core_id()] = used_stack(); }

// In a task of its own on each of the other cores; here, too.
void do_everywhere(Scheduler& pool, void (*what)()) {
    for (uint32_t core = 0; core < cores; ++core) {
        if (!is_present(core) || core == Port::core_id()) continue;
        Calls task(what);
        CHECK_EQ(pool.submit_on(core, task), Status::ok);
        await([&] { return task.done.load(acquire) != 0; }, "a task that looks at its stack");
    }
    what();
}

void measure_growth(Scheduler& pool, void (*shape)(bool)) {
    grow(shape);  // on the host a function's first call looks it up, which takes much stack
    paint_stack();
    shape(true);
    const uintptr_t serial = used_stack();
    const Stack& stack = stacks[Port::core_id()];
    CHECK(serial > branch_levels * ballast_words * 4);
    CHECK(serial < stack.top - stack.bottom);

    do_everywhere(pool, paint_stack);
    for (uint32_t round = 0; round < rounds(15); ++round) grow(shape);
    do_everywhere(pool, measure);
    uintptr_t most = 0;
    for (const uintptr_t one : used) most = one > most ? one : most;
    if (tap::option("show", 0) != 0) tap::note("stack: serial ", serial, ", parallel ", most, " bytes");
    CHECK(most <= serial + levels * scheduler_per_level + interrupt_frame);
}

// However often cores steal from each other and help: no level of the forks is on a stack twice, and siblings are one
// level. (No timer: the frame of an interrupt would count.)
void B7_join_stack_is_bounded() {
    if (STACK_IS_INSTRUMENTED) return tap::skip("not on this board: stacks as they are, under sanitizers");
    const auto measure_all = [](Scheduler& pool) {
        measure_growth(pool, grow_spine);
        measure_growth(pool, siblings);
    };
    in_task(forking_core(), measure_all, Guard::By::timer_of_test);
}

constexpr tap::Test tests[] = {
    TEST(B7_join_stack_is_bounded),
};

}  // namespace

extern const tap::Tests stack_tests{tests};

}  // namespace firmware
