// SPDX-License-Identifier: MIT OR Apache-2.0
// What takes the scheduler's events in trace_systemview.cpp (WEFT_TRACE_HOOKS): SEGGER SystemView. Its recorder is made
// for one core; on a chip with several, each has a recorder (an RTT control block) of its own, and these calls go to
// that of the calling core. Nothing of weft can be called here, and nothing is.
#pragma once

#include <weft/trace.hpp>

#include <SEGGER_SYSVIEW.h>

// Where the numbers of weft's own events begin: what SEGGER_SYSVIEW_RegisterModule() has given, on a chip.
constexpr unsigned first_event_of_weft = 512;

// What runs on a core, one on top of the other: in a wait, in a join, by preemption. SystemView shows one at a time, so
// it is told of the lower one again when the upper one has ended. Each core has its own; what interrupts it here has
// ended when it goes on.
struct OnTop {
    static constexpr uint32_t most = 16;  // of what lies deeper, the end of the upper one is shown as idle

    void begins(U32 id) {
        const uint32_t place = depth++;
        if (place < most) ids[place] = id;
        SEGGER_SYSVIEW_OnTaskStartExec(id);
    }
    void ends() {
        SEGGER_SYSVIEW_OnTaskStopExec();
        --depth;
        if (depth != 0 && depth <= most) SEGGER_SYSVIEW_OnTaskStartExec(ids[depth - 1]);
    }
    uint32_t depth;
    U32 ids[most];
};
inline OnTop on_top[weft::Port::max_cores];

inline void weft_trace_hook(weft::TraceEvent event, uintptr_t object, uint32_t value) {
    using weft::TraceEvent;
    const U32 id = static_cast<U32>(object);  // tasks by their run function: it outlives them
    OnTop& here = on_top[weft::Port::core_id() % weft::Port::max_cores];
    switch (event) {
        case TraceEvent::submit:
        case TraceEvent::inject:
        case TraceEvent::inject_from_isr:
        case TraceEvent::submit_on: return SEGGER_SYSVIEW_OnTaskStartReady(id);
        case TraceEvent::hand_in:  // of several at once the first one's
        case TraceEvent::hand_in_from_isr:
        case TraceEvent::submit_for: SEGGER_SYSVIEW_OnTaskStartReady(id); break;
        case TraceEvent::begin: return here.begins(id);
        case TraceEvent::end: return here.ends();
        case TraceEvent::park: return SEGGER_SYSVIEW_OnIdle();

        // There is no `default`: of an event that is new, the compiler says that it is missing here.
        case TraceEvent::spill:
        case TraceEvent::steal:
        case TraceEvent::offer:
        case TraceEvent::take:
        case TraceEvent::child:
        case TraceEvent::child_done:
        case TraceEvent::join_begin:
        case TraceEvent::join_end:
        case TraceEvent::slept:
        case TraceEvent::unpark:
        case TraceEvent::wake:
        case TraceEvent::start:
        case TraceEvent::start_failed:
        case TraceEvent::enter:
        case TraceEvent::leave:
        case TraceEvent::timer:
        case TraceEvent::all_asleep:
        case TraceEvent::shutdown:
        case TraceEvent::joined:
        case TraceEvent::off:
        case TraceEvent::quiesce:
        case TraceEvent::stand:
        case TraceEvent::stand_end:
        case TraceEvent::resume:
        case TraceEvent::retire:
        case TraceEvent::admit:
        case TraceEvent::limit:
        case TraceEvent::interrupt:
        case TraceEvent::beat:
        case TraceEvent::tell_watcher:
        case TraceEvent::call:
        case TraceEvent::call_end:
        case TraceEvent::wait_begin:
        case TraceEvent::wait_end:
        case TraceEvent::wait_done:
        case TraceEvent::inner: break;
    }
    SEGGER_SYSVIEW_RecordU32x2(first_event_of_weft + static_cast<unsigned>(event), id, value);
}
