// SPDX-License-Identifier: MIT OR Apache-2.0
// Conformance of a port: the first test that a porter runs. In the order of what relies on what: a test that
// fails makes those below it doubtful.
//
// Options on the command line: words select tests by name; `ms=N` is the time that each group of rounds may
// take on a slow board (default 300).
#include "tests.hpp"

using namespace conformance;

constexpr tap::Test tests[] = {
    {"words_start_constant", words_start_constant},
    {"core_ids", core_ids},
    {"core_unknown_is_absent", core_unknown_is_absent},
    {"core_stack_limits", core_stack_limits},
    {"clock_runs_forward", clock_runs_forward},
    {"clock_is_shared", clock_is_shared},
    {"atomic_u32", atomic_u32},
    {"atomic_u32_zero_extended", atomic_u32_zero_extended},
    {"atomic_uintptr", atomic_uintptr},
    {"atomic_pointer", atomic_pointer},
    {"published_carries_data", published_carries_data},
    {"fence_orders_store_before_load", fence_orders_store_before_load},
    {"core_busy_is_refused", core_busy_is_refused},
    {"core_running_is_not_cancelled", core_running_is_not_cancelled},
    {"core_cancel_is_by_argument", core_cancel_is_by_argument},
    {"core_vacates", core_vacates},
    {"core_waits_after_vacate", core_waits_after_vacate},
    {"core_restarts", core_restarts},
    {"core_cancel_or_call", core_cancel_or_call},
    {"event_unpark_self", event_unpark_self},
    {"event_before_park", event_before_park},
    {"event_wakes_and_carries_stores", event_wakes_and_carries_stores},
    {"event_after_failed_exchange", event_after_failed_exchange},
    {"event_unparks_coalesce", event_unparks_coalesce},
    {"event_noise_is_harmless", event_noise_is_harmless},
    {"event_ping_pong", event_ping_pong},
    {"event_relay", event_relay},
    {"isr_is_known", isr_is_known},
    {"isr_stops_its_timer", isr_stops_its_timer},
    {"isr_unparks_own_core", isr_unparks_own_core},
    {"isr_unparks_other_core", isr_unparks_other_core},
};

extern "C" int board_main() { return tap::run(tests); }
