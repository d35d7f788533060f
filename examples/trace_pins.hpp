// SPDX-License-Identifier: MIT OR Apache-2.0
// What takes the scheduler's events in trace_pins.cpp (WEFT_TRACE_HOOKS): a pin for each core, high while a task runs
// there. A logic analyser then shows the cores side by side. For SEGGER SystemView: trace_systemview.hpp.
#pragma once

#include <weft/trace.hpp>

// They stand for two registers of a GPIO block: a 1 sets that pin, or clears it. On a chip they are volatile words at
// an address from its manual, and a store is all that it takes.
inline weft::Atomic<uint32_t> pins_set{};
inline weft::Atomic<uint32_t> pins_clear{};
inline weft::Atomic<uint32_t> rising_edges{};  // as the analyser would count them

inline void weft_trace_hook(weft::TraceEvent event, uintptr_t, uint32_t) {
    if (event == weft::TraceEvent::begin) {
        pins_set.store(1u << weft::Port::core_id() % 32, weft::relaxed);
        rising_edges.fetch_add(1, weft::relaxed);
    } else if (event == weft::TraceEvent::end) {
        pins_clear.store(1u << weft::Port::core_id() % 32, weft::relaxed);
    }
}
