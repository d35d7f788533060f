// SPDX-License-Identifier: MIT OR Apache-2.0
// The tests of weft.h are in C (checks.c, settings.c); here is their list, and what the kit has for them.
#include <weft/weft.hpp>

#include "checks.h"
#include "tap.hpp"
#include "wait.hpp"

namespace {

void (*handler)();
weft::Atomic<uint32_t> handled;

void on_tick() {
    if (handled.load(weft::relaxed) != 0) return;
    handler();
    board::stop_timer();
    handled.store(1, weft::release);
}

bool (*repeated)();

void on_each_tick() {
    if (repeated()) board::stop_timer();
}

constexpr tap::Test tests[] = {
    TEST(c_tasks_run),
    TEST(c_batches_run),
    TEST(c_handlers_submit),
    TEST(c_polls_and_is_handed_back),
    TEST(c_pools_of_impossible_sizes_are_refused),
    TEST(c_misuse_is_answered),
    TEST(c_strands_keep_order),
    TEST(c_gates_and_events_let_go),
    TEST(c_work_is_waited_for_and_taken_back),
    TEST(c_forks_and_reduces),
    TEST(c_groups_wait),
    TEST(c_timers_fire),
    TEST(c_levels_and_sets),
    TEST(c_rests),
    TEST(c_quiesces),
    TEST(c_retires),
    TEST(c_blocks),
    TEST(c_must_run),
    TEST(c_measures),
    TEST(c_sleeps),
    TEST(c_watches),
    TEST(c_paints_its_stack),
    TEST(c_reads_the_clock),
    TEST(c_puts_a_trace),
};

}  // namespace

extern "C" void report(bool good, const char* file, uint32_t line, const char* what) {
    static_cast<void>(tap::detail::check(good, {file, line, what}));
}
extern "C" void in_handler(void (*function)()) {
    handler = function;
    handled.store(0, weft::relaxed);
    board::start_timer(1000, on_tick);
    static_cast<void>(tap::eventually([] { return handled.load(weft::acquire) != 0; }));
}
extern "C" void in_handlers_until(bool (*function)()) {
    repeated = function;
    board::start_timer(1000, on_each_tick);
}
extern "C" uint32_t board_cores() { return board::cores < 24 ? board::cores : 24; }

extern "C" int board_main() { return tap::run({tap::Tests(tests)}); }
