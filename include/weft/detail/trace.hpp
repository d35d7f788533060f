// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the recorder of WEFT_TRACE=1, which takes the events where WEFT_TRACE_HOOKS names nobody else: a ring per core
// in RAM, where the oldest event is overwritten. tools/trace makes pictures of it.
//
//     weft_trace (what a reader must know) --at--> [ ring of core 0 | ring of core 1 | ... | ring of all others ]
//     a ring: how many events were ever begun | what, WEFT_TRACE_EVENTS times | object, likewise | tick, likewise
//
// An event takes its place by one fetch_add of the counter, then fills it. So a handler that interrupts a recording
// anywhere, and one that interrupts that, take places of their own: no event is lost or mixed up, and none waits. (Only
// if handlers record a whole ring on top of an interrupted event does it land among younger ones.) What two of them
// wrote stands in the order of their places, and the time of an interrupted one may be a little later than the next
// one's.
//
// The tick is stored last. Who stops a core in the middle of a record, or interrupts it, finds a place whose tick is
// still that of the event before, a whole ring ago; in a ring that was never full it is 0. So an event of the newer
// half whose tick is among the oldest quarter is unfinished, and a reader leaves it out. That is right as long as
// handlers record less than a quarter of a ring in the middle of a record, and a quarter takes more than a tick.
// tests/model/recorder.cpp has the rule, as tools/trace_file.py.
//
// Orders: all relaxed. No core reads a ring to decide anything, so nothing must be seen before anything else. A ring
// has one core as its writer, with its handlers, and they see their own stores in program order. Only the last ring has
// several: there the fetch_add gives each a place. Who makes a picture reads when the cores are stopped, or after
// join(), and [J1] orders what they wrote. If he reads while they run, an event may be torn and look whole: two fences
// in each event would be the price of knowing.
//
// fetch_add is an exclusive access on Arm, and may set the core's event. That is why no event is told between a last
// look and park(): the core would never sleep.
#pragma once

#include <weft/config.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

// A ring is found by the number of the core that tells an event, which is a third of the recorder. A worker has its
// address at hand (Worker::trace): weft_trace_record_in().
//
// A place is one word of each of three arrays: its address is an addition, where that of 12 bytes is a multiplication.
// All are words of one array, with the counter before them: one register holds the address of all. Only the counter is
// changed by several. So where words change under a lock (Armv6-M), an event takes that once.
struct alignas(Port::cache_line) TraceRing {
    // Words behind place().
    static constexpr uint32_t what = 1;                        // the event in the top 8 bits, the value below
    static constexpr uint32_t object = 1 + WEFT_TRACE_EVENTS;  // the lower 32 bits
    static constexpr uint32_t tick = 1 + 2 * WEFT_TRACE_EVENTS;  // of Port::now(), stored last

    Published<uint32_t>* place(uint32_t number) {
        return reinterpret_cast<Published<uint32_t>*>(this) + number % WEFT_TRACE_EVENTS;
    }

    Atomic<uint32_t> begun;  // how many events there ever were
    Published<uint32_t> words[3 * WEFT_TRACE_EVENTS];
};

// One more than there are cores: for who has a higher number, as foreign cores.
constexpr uint32_t trace_rings = WEFT_TRACE_CORES + 1;

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft

extern "C" weft::detail::TraceRing weft_trace_rings[weft::detail::trace_rings];

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

constexpr TraceRing* trace_ring_of(uint32_t core) {
    return weft_trace_rings + (core < WEFT_TRACE_CORES ? core : WEFT_TRACE_CORES);
}

// From a core's number to its ring: a load is less than a comparison and a multiplication. Twice as many places as the
// port has cores, so that foreign ones find the last ring; a core with a still higher number shares another core's.
constexpr uint32_t trace_places(uint32_t least) {
    uint32_t places = 1;
    while (places < least) places *= 2;
    return places;
}
struct TraceTable {
    static constexpr uint32_t places =
        trace_places(2 * (WEFT_TRACE_CORES > Port::max_cores ? WEFT_TRACE_CORES : Port::max_cores));

    constexpr TraceTable() : ring{} {
        for (uint32_t core = 0; core != places; ++core) ring[core] = trace_ring_of(core);
    }
    TraceRing* ring[places];
};

// A change of this, or of the rings, is another version.
struct TraceHeader {
    char magic[8];
    uint16_t version;
    uint16_t header_bytes;  // 32, and an address
    uint16_t event_bytes;
    uint16_t rings;
    uint32_t ring_bytes;
    uint32_t first_event;   // in a ring, bytes: where `what` begins
    uint32_t events;        // of a ring
    Atomic<uint32_t> rate;  // ticks of a millisecond; 0 until a core has become a worker
    TraceRing* at;
};
static_assert(sizeof(TraceHeader) == 32 + sizeof(void*) && sizeof(TraceRing) >= 4 + 12 * WEFT_TRACE_EVENTS,
              "weft: who reads a trace knows its layout");

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft

/// Where a debugger, or a reader of a memory dump, finds the trace.
/// @lifetime Constant-initialised; as long as the image.
extern "C" weft::detail::TraceHeader weft_trace;

// Out of line: there are many callers. `object`, `what`: as in TraceRing.
extern "C" void weft_trace_record(uint32_t object, uint32_t what);
// The same, for who has the calling core's ring at hand.
extern "C" void weft_trace_record_in(uint32_t object, uint32_t what, weft::detail::TraceRing* ring);

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

inline uint32_t trace_what(TraceEvent event, uint32_t value) {
    return static_cast<uint32_t>(event) << 24 | (value & 0xffffffu);
}

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft

inline void weft_trace_hook(weft::TraceEvent event, uintptr_t object, uint32_t value) {
    // relaxed: always the same value
    if (event == weft::TraceEvent::enter) weft_trace.rate.store(weft::Port::ticks_per_ms(), weft::relaxed);
    weft_trace_record(static_cast<uint32_t>(object), weft::detail::trace_what(event, value));
}
