// SPDX-License-Identifier: MIT OR Apache-2.0
// A task that uses up the stack of its core: what then happens is for tools/check_stacks, which expects a panic.
// Options of the command line:
//
//     core=N    where; the other cores wait
//     how=0     by calls, one in the other, far below the end
//     how=1     the task stops just above the end, and an interrupt comes
//     how=2     the last word alone, as an array that is one too long: for boards on which nothing watches but weft
#include <weft/weft.hpp>

#include "board.hpp"
#include "tap.hpp"

namespace {

using weft::Port;

constexpr uintptr_t beyond = 512;  // bytes below the end, where it ends if nobody sees it
constexpr uintptr_t room = 16;     // what an interrupt finds: less than is saved for it

WEFT_CONSTINIT weft::Pool<BOARD_CORES, 16> pool{};
volatile uint32_t ticks;
volatile uint32_t deepest;

void tick() { ticks = ticks + 1; }

uintptr_t end_of_stack() { return reinterpret_cast<uintptr_t>(Port::stack_limit()); }

[[noreturn]] void say_unseen() {
    tap::note("the stack of core ", Port::core_id(), " has ended, and nobody saw it");
    board::exit(1);
}

[[gnu::noinline]] void dig(uint32_t level) {
    volatile uint32_t ballast[8];
    for (volatile uint32_t& word : ballast) word = level;
    if (reinterpret_cast<uintptr_t>(ballast) + beyond > end_of_stack()) dig(level + 1);
    deepest = ballast[0];  // so this call is not the last thing that it does
}

[[gnu::noinline]] void wait_at_the_end() {
    board::start_timer(1000, tick);
    const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_alloca(16));
    const uintptr_t bytes = (here - end_of_stack() - room) / 16 * 16;
    volatile char* const lowest = static_cast<char*>(__builtin_alloca(bytes));
    *lowest = 1;
    const uint32_t before = ticks;  // only here: one that came before did not find the stack at its end
    while (ticks == before) {
        // No call: there is hardly any stack left.
    }
}

struct Overflow : weft::TaskOf<Overflow> {
    void run() {
        tap::note("on core ", Port::core_id());
        tap::note("dig ", tap::hex(reinterpret_cast<uintptr_t>(&dig)));
        switch (tap::option("how", 0)) {
            case 0: dig(0); say_unseen();
            case 1: wait_at_the_end(); say_unseen();
            default: *Port::stack_limit() = 1;
        }
        tap::note("the task has ended");
        pool.shutdown();  // at the end of its loop the core looks at the canary, in checked builds
    }
} overflow;

}  // namespace

extern "C" int board_main() {
    if (pool.submit_on(tap::option("core", 0), overflow) != weft::Status::ok) return 2;
    if (pool.run() != weft::Status::ok || pool.join() != weft::Status::ok) return 2;
    tap::note("the pool has ended");
    return 3;
}
