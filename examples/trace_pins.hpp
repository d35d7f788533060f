// SPDX-License-Identifier: MIT OR Apache-2.0
// What takes the scheduler's events in trace_pins.cpp (WEFT_TRACE_HOOKS), for a logic analyser. Each core has three
// pins: one is high while a task runs there, one while it sleeps, and one changes its level with each other event of
// interest. For SEGGER SystemView: trace_systemview.hpp.
#pragma once

#include <weft/trace.hpp>

// They stand for three registers of a GPIO block: a 1 sets that pin, clears it, or changes it. On a chip they are
// volatile words at an address from its manual, and a store is all that it takes.
inline weft::Atomic<uint32_t> pins_set{};
inline weft::Atomic<uint32_t> pins_clear{};
inline weft::Atomic<uint32_t> pins_toggle{};
// As the analyser would count them.
inline weft::Atomic<uint32_t> rising_edges{};
inline weft::Atomic<uint32_t> changes{};

constexpr uint32_t cores_with_pins = 8;
// Tasks that run on a core, one on top of the other: in a wait, in a join, by preemption. Only the first one's begin
// and the last one's end move the pin. Each core writes its own word, also in an interrupt of such a write: what runs
// there has ended when that goes on, and the word is as it was.
inline uint32_t tasks_on_top[cores_with_pins];

inline void weft_trace_hook(weft::TraceEvent event, uintptr_t, uint32_t) {
    using weft::relaxed;
    using weft::TraceEvent;
    const uint32_t core = weft::Port::core_id() % cores_with_pins;
    const uint32_t runs = 1u << core;
    const uint32_t sleeps = runs << cores_with_pins;
    const uint32_t marks = sleeps << cores_with_pins;
    switch (event) {
        case TraceEvent::begin:
        case TraceEvent::call:
            if (tasks_on_top[core]++ == 0) {
                pins_set.store(runs, relaxed);
                rising_edges.fetch_add(1, relaxed);
            }
            return;
        case TraceEvent::end:
        case TraceEvent::call_end:
            if (--tasks_on_top[core] == 0) pins_clear.store(runs, relaxed);
            return;
        case TraceEvent::park: return pins_set.store(sleeps, relaxed);
        case TraceEvent::unpark: return pins_clear.store(sleeps, relaxed);

        // Work that moves from one core to another, and cores that come and go.
        case TraceEvent::inject:
        case TraceEvent::inject_from_isr:
        case TraceEvent::hand_in:
        case TraceEvent::hand_in_from_isr:
        case TraceEvent::submit_on:
        case TraceEvent::submit_for:
        case TraceEvent::spill:
        case TraceEvent::steal:
        case TraceEvent::take:
        case TraceEvent::wake:
        case TraceEvent::start:
        case TraceEvent::start_failed:
        case TraceEvent::enter:
        case TraceEvent::leave:
        case TraceEvent::off:
        case TraceEvent::timer:
        case TraceEvent::interrupt:
        case TraceEvent::quiesce:
        case TraceEvent::resume:
        case TraceEvent::shutdown:
            pins_toggle.store(marks, relaxed);
            changes.fetch_add(1, relaxed);
            return;

        // No pin for these. There is no `default`: of an event that is new, the compiler says that it is missing here.
        case TraceEvent::submit:
        case TraceEvent::offer:
        case TraceEvent::child:
        case TraceEvent::child_done:
        case TraceEvent::join_begin:
        case TraceEvent::join_end:
        case TraceEvent::slept:
        case TraceEvent::all_asleep:
        case TraceEvent::joined:
        case TraceEvent::stand:
        case TraceEvent::stand_end:
        case TraceEvent::retire:
        case TraceEvent::admit:
        case TraceEvent::limit:
        case TraceEvent::beat:
        case TraceEvent::tell_watcher:
        case TraceEvent::wait_begin:
        case TraceEvent::wait_end:
        case TraceEvent::wait_done:
        case TraceEvent::inner: return;
    }
}
