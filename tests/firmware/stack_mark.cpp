// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: how deep the stack of each core ever was. (What happens at its end: tests/overflow.)
#include "harness.hpp"

#include <weft/stack.hpp>

// Stacks with red zones are no measure, and what lies below the stack pointer is not for writing there.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STACK_IS_INSTRUMENTED 1
#else
#define STACK_IS_INSTRUMENTED 0
#endif

namespace firmware {
namespace {

using weft::stack_use;
using weft::StackUse;

constexpr uint32_t left_over = 1024;     // what the deepest task leaves, but for its alignment
constexpr uint32_t of_interrupts = 512;  // and what may come on top of it

Status painted;
StackUse seen;
uint32_t size;  // of the stack

void look_here() {
    painted = weft::paint_stack();
    seen = stack_use(Port::core_id());
    const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    size = static_cast<uint32_t>(here - reinterpret_cast<uintptr_t>(Port::stack_limit()));
}

// One word, so far down; between it and the frame the paint stays.
[[gnu::noinline]] void go_down() {
    const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_alloca(16));
    const uintptr_t end = reinterpret_cast<uintptr_t>(Port::stack_limit());
    volatile char* const lowest = static_cast<char*>(__builtin_alloca((here - end - left_over) / 16 * 16));
    *lowest = 1;
}

void do_on(Scheduler& pool, uint32_t core, void (*what)()) {
    Calls task(what);
    CHECK_EQ(pool.submit_on(core, task), Status::ok);
    if (core == 0) return static_cast<void>(pool.poll(UINT32_MAX));
    await([&] { return task.done.load(acquire) != 0; }, "a task on its core");
}

void check_mark(Scheduler& pool, uint32_t core) {
#if !__has_include("weft_host_faults.hpp")
    CHECK(stack_use(core).bytes != 0);  // by start-up code
#endif
    do_on(pool, core, look_here);
    if (painted != Status::ok) {  // the first thread of a process
        CHECK_EQ(painted, Status::unknown_core);
        CHECK_EQ(stack_use(core).bytes, 0);
        return;
    }
    CHECK(seen.bytes != 0);
    CHECK(seen.unused > left_over);
    CHECK(seen.unused < size);
    CHECK(seen.used() < seen.bytes);

    do_on(pool, core, go_down);
    const StackUse after = stack_use(core);
    CHECK(after.unused < left_over + 16);
    CHECK(after.unused + of_interrupts > left_over);
    CHECK_EQ(after.bytes, seen.bytes);

    do_on(pool, core, look_here);  // paints nothing
    CHECK(seen.unused <= after.unused);
    tap::note("core ", core, ": ", after.bytes, " bytes of stack, ", seen.used(), " used by now");
}

void E6_a_mark_is_as_deep_as_the_stack_was() {
    if (STACK_IS_INSTRUMENTED) return tap::skip("not on this board: stacks as they are, under sanitizers");
    Pool& pool = new_pool();
    start_workers(pool);
    for (uint32_t core = 0; core < cores; ++core) {
        if (is_present(core)) check_mark(pool, core);
    }
    end(pool);
}

void E6_no_mark_of_a_core_that_is_not_there() {
    CHECK_EQ(stack_use(Port::max_cores).bytes, 0);
    CHECK_EQ(stack_use(UINT32_MAX).unused, 0);
    for (uint32_t core = 0; core < cores; ++core) {
        if (!is_present(core)) CHECK_EQ(stack_use(core).bytes, 0);
    }
}

constexpr tap::Test tests[] = {
    TEST(E6_a_mark_is_as_deep_as_the_stack_was),
    TEST(E6_no_mark_of_a_core_that_is_not_there),
};

}  // namespace

extern const tap::Tests stack_mark_tests{tests};

}  // namespace firmware
