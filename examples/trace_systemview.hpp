// SPDX-License-Identifier: MIT OR Apache-2.0
// What takes the scheduler's events in trace_systemview.cpp (WEFT_TRACE_HOOKS): SEGGER SystemView. Its recorder is made
// for one core; on a chip with several, each has a recorder (an RTT control block) of its own, and these calls go to
// that of the calling core. Nothing of weft can be called here, and nothing is.
#pragma once

#include <weft/trace.hpp>

#include <SEGGER_SYSVIEW.h>

// Where the numbers of weft's own events begin: what SEGGER_SYSVIEW_RegisterModule() has given, on a chip.
constexpr unsigned first_event_of_weft = 512;

inline void weft_trace_hook(weft::TraceEvent event, uintptr_t object, uint32_t value) {
    using weft::TraceEvent;
    const U32 id = static_cast<U32>(object);  // tasks by their run function: it outlives them
    switch (event) {
        case TraceEvent::submit:
        case TraceEvent::inject: return SEGGER_SYSVIEW_OnTaskStartReady(id);
        case TraceEvent::begin: return SEGGER_SYSVIEW_OnTaskStartExec(id);
        case TraceEvent::end: return SEGGER_SYSVIEW_OnTaskStopExec();
        case TraceEvent::park: return SEGGER_SYSVIEW_OnIdle();
        default:
            return SEGGER_SYSVIEW_RecordU32x2(first_event_of_weft + static_cast<unsigned>(event), id, value);
    }
}
