// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the recorder of WEFT_TRACE=1, which takes the events where WEFT_TRACE_HOOKS names nobody else: a ring per core
// in RAM, where the oldest event is overwritten. tools/trace makes pictures of it.
//
//     weft_trace (what a reader must know) --at--> [ ring of core 0 | ring of core 1 | ... | ring of all others ]
//     a ring: next (so many events were ever begun) | WEFT_TRACE_EVENTS times (tick, object, event and value)
//
// An event takes its place by one fetch_add of `next`, then fills it. So a handler that interrupts a recording
// anywhere, and one that interrupts that, take places of their own: no event is lost or mixed up, and none waits. (Only
// if handlers record a whole ring on top of an interrupted event does it land among younger ones.) What two of them
// wrote stands in the order of their places, and the time of an interrupted one may be a little later than the next
// one's.
//
// Orders: all relaxed. No core reads a ring to decide anything, so nothing must be seen before anything else. A ring
// has one core as its writer, with its handlers, and they see their own stores in program order. Only the last ring has
// several: there the fetch_add gives each a place. Who makes a picture reads when the cores are stopped, or behind
// join(), and [J1] orders what they wrote. If he reads while they run, the newest events may be torn: a reader must
// expect that.
//
// fetch_add is an exclusive access on Arm, and may set the core's event. That is why no event is told between a last
// look and park(): the core would never sleep.
#pragma once

#include <weft/config.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

struct TraceSlot {
    Published<uint32_t> tick;    // of Port::now()
    Published<uint32_t> object;  // the lower 32 bits
    Published<uint32_t> what;    // the event in the top 8 bits, the value below
};

struct alignas(Port::cache_line) TraceRing {
    Atomic<uint32_t> next;
    TraceSlot slots[WEFT_TRACE_EVENTS];
};

// One more than there are cores: for who has a higher number, as foreign cores.
constexpr uint32_t trace_rings = WEFT_TRACE_CORES + 1;

// A change of this, or of the rings, is another version.
struct TraceHeader {
    char magic[8];
    uint16_t version;
    uint16_t header_bytes;  // 32, and an address
    uint16_t event_bytes;
    uint16_t rings;
    uint32_t ring_bytes;
    uint32_t first_event;   // in a ring, bytes
    uint32_t events;        // of a ring
    Atomic<uint32_t> rate;  // ticks of a millisecond; 0 until a core has become a worker
    TraceRing* at;
};
static_assert(sizeof(TraceHeader) == 32 + sizeof(void*) && sizeof(TraceSlot) == 12,
              "weft: who reads a trace knows its layout");

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft

/// Where a debugger, or a reader of a memory dump, finds the trace.
/// @lifetime Constant-initialised; as long as the image.
extern "C" weft::detail::TraceHeader weft_trace;

// Out of line: there are many callers. `object`, `what`: as in TraceSlot.
extern "C" void weft_trace_record(uint32_t object, uint32_t what);

inline void weft_trace_hook(weft::TraceEvent event, uintptr_t object, uint32_t value) {
    // relaxed: always the same value
    if (event == weft::TraceEvent::enter) weft_trace.rate.store(weft::Port::ticks_per_ms(), weft::relaxed);
    weft_trace_record(static_cast<uint32_t>(object),
                      static_cast<uint32_t>(event) << 24 | (value & 0xffffffu));
}
