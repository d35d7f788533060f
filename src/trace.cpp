// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the recorder, see detail/trace.hpp.
#include <weft/trace.hpp>

#if WEFT_TRACE && !defined(WEFT_TRACE_HOOKS)

using weft::Port;
using weft::Published;
using weft::relaxed;
using weft::detail::TraceRing;
using weft::detail::TraceTable;

// Of its own, so that it lies in .bss: a linker script can put .bss.weft_trace_rings elsewhere.
TraceRing weft_trace_rings[weft::detail::trace_rings];

weft::detail::TraceHeader weft_trace{
    {'w', 'e', 'f', 't', 't', 'r', 'c', '\n'},
    2,
    sizeof(weft::detail::TraceHeader),
    12,
    weft::detail::trace_rings,
    sizeof(TraceRing),
    4 * TraceRing::what,
    WEFT_TRACE_EVENTS,
    Port::Atomic<uint32_t>(),
    weft_trace_rings,
};

static constexpr TraceTable weft_trace_table;

// Each event passes here: tools/check_trace counts the instructions.
[[gnu::always_inline]] static inline void record(TraceRing& ring, uint32_t object, uint32_t what) {
    // relaxed (all): see detail/trace.hpp
    // By one pointer: with three indices GCC computes three addresses.
    Published<uint32_t>* const place = ring.place(ring.begun.fetch_add(1, relaxed));
    place[TraceRing::what].store(what, relaxed);
    place[TraceRing::object].store(object, relaxed);
    const uint32_t now = Port::now();
    // A store of RISC-V reaches 2047 bytes, and the ticks of 256 events begin at 2052: GCC would take two instructions
    // to get there.
    constexpr uint32_t step = 2;
    __builtin_launder(place + step)[TraceRing::tick - step].store(now, relaxed);
}

// Not inlined either where all of the library is compiled as one file.
extern "C" [[gnu::noinline]] void weft_trace_record_in(uint32_t object, uint32_t what, TraceRing* ring) {
    record(*ring, object, what);
}

extern "C" [[gnu::noinline]] void weft_trace_record(uint32_t object, uint32_t what) {
    record(*weft_trace_table.ring[Port::core_id() % TraceTable::places], object, what);
}

#endif
