// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the recorder, see detail/trace.hpp.
#include <weft/trace.hpp>

#if WEFT_TRACE && !defined(WEFT_TRACE_HOOKS)

using weft::Port;
using weft::relaxed;
using weft::detail::TraceRing;
using weft::detail::TraceSlot;

// Of its own, so that it lies in .bss: a linker script can put .bss.weft_trace_rings elsewhere.
extern "C" {
extern TraceRing weft_trace_rings[weft::detail::trace_rings];
TraceRing weft_trace_rings[weft::detail::trace_rings];
}

weft::detail::TraceHeader weft_trace{
    {'w', 'e', 'f', 't', 't', 'r', 'c', '\n'},
    1,
    sizeof(weft::detail::TraceHeader),
    sizeof(TraceSlot),
    weft::detail::trace_rings,
    sizeof(TraceRing),
    sizeof(Port::Atomic<uint32_t>),
    WEFT_TRACE_EVENTS,
    Port::Atomic<uint32_t>(),
    weft_trace_rings,
};

// Each event passes here: tools/check_trace counts the instructions.
extern "C" void weft_trace_record(uint32_t object, uint32_t what) {
    const uint32_t core = Port::core_id();
    // By the header: the compiler does not know where that is, and computes one address instead of four.
    TraceRing& ring = weft_trace.at[core < WEFT_TRACE_CORES ? core : WEFT_TRACE_CORES];
    // relaxed (all): see detail/trace.hpp
    TraceSlot& slot = ring.slots[ring.next.fetch_add(1, relaxed) % WEFT_TRACE_EVENTS];
    slot.what.store(what, relaxed);
    slot.object.store(object, relaxed);
    slot.tick.store(Port::now(), relaxed);
}

#endif
