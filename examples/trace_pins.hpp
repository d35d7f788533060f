// SPDX-License-Identifier: MIT OR Apache-2.0
// What takes the scheduler's events in trace_pins.cpp (WEFT_TRACE_HOOKS): a pin for each core, high while a task runs
// there. A logic analyser then shows the cores side by side. With TRACE_SYSTEMVIEW the events go to SEGGER SystemView
// instead: one recorder for each core is needed there, and that form is not built in this tree, as its sources are
// SEGGER's.
#pragma once

#include <weft/trace.hpp>

#ifdef TRACE_SYSTEMVIEW
#include <SEGGER_SYSVIEW.h>

inline void weft_trace_hook(weft::TraceEvent event, uintptr_t object, uint32_t value) {
    using weft::TraceEvent;
    const U32 id = static_cast<U32>(object);  // tasks by their run function: it outlives them
    switch (event) {
        case TraceEvent::submit:
        case TraceEvent::inject: return SEGGER_SYSVIEW_OnTaskStartReady(id);
        case TraceEvent::begin: return SEGGER_SYSVIEW_OnTaskStartExec(id);
        case TraceEvent::end: return SEGGER_SYSVIEW_OnTaskStopExec();
        case TraceEvent::park: return SEGGER_SYSVIEW_OnIdle();
        default: return SEGGER_SYSVIEW_RecordU32x2(512 + static_cast<U32>(event), id, value);
    }
}
#else
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
#endif
