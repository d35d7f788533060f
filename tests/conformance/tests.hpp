// SPDX-License-Identifier: MIT OR Apache-2.0
// Conformance of a port: all tests. Each of them runs on core 0 and uses the others through crew.hpp.
#pragma once

#include "crew.hpp"

namespace conformance {

// cores.cpp
void core_ids();
void core_stack_limits();
void core_unknown_is_absent();
void core_busy_is_refused();
void core_running_is_not_cancelled();
void core_cancel_is_by_argument();
void core_vacates();
void core_waits_after_vacate();
void core_restarts();
void core_cancel_or_call();

// words.cpp
void words_start_constant();
void atomic_u32();
void atomic_u32_zero_extended();
void atomic_uintptr();
void atomic_pointer();
void published_carries_data();

// clock.cpp
void clock_runs_forward();
void clock_is_shared();
void fence_orders_store_before_load();

// events.cpp
void event_unpark_self();
void event_before_park();
void event_wakes_and_carries_stores();
void event_after_failed_exchange();
void event_unparks_coalesce();
void event_noise_is_harmless();
void event_ping_pong();
void event_relay();

// interrupts.cpp
void isr_is_known();
void isr_stops_its_timer();
void isr_unparks_own_core();
void isr_unparks_other_core();

}  // namespace conformance
