// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the recorder of WEFT_TRACE=1 (src/trace.cpp), with rings of 16 events: one for core 0, and one for all others.
// Handlers record in the middle of a record; a reader comes in the middle, as a debugger or a fault handler does, or
// when the writers have ended. What it shows is whole, and what is overwritten is the oldest.
#include <weft/trace.hpp>
#include <weft/weft.hpp>

#include "engine/program.hpp"
#include "engine/scenario.hpp"

namespace {

namespace model = weft::model;
using weft::detail::TraceRing;

[[maybe_unused]] const bool rings_are_known =
    (model::add_static_part(weft_trace.at, weft::detail::trace_rings * sizeof(TraceRing)), true);

constexpr uint32_t kept = WEFT_TRACE_EVENTS;
constexpr uint32_t most = 32;  // events of a scenario

// What a reader makes of one ring: the rule of tools/trace_file.py.
struct Reading {
    struct Event {
        uint32_t what, object, tick;
        bool whole;
    };
    uint32_t count = 0;
    uint32_t shown = 0;  // places that are looked at, the oldest first
    uint32_t left_out = 0;
    Event event[kept];

    explicit Reading(TraceRing& ring) {
        // relaxed (all): the reader's core wrote them, or their writers have ended
        count = ring.begun.load(weft::relaxed);
        const uint32_t oldest = count < kept ? 0 : count - kept;
        for (uint32_t number = oldest; number != count; ++number) {
            const auto* const place = ring.place(number);
            event[shown++] = Event{place[TraceRing::what].load(weft::relaxed),
                                   place[TraceRing::object].load(weft::relaxed),
                                   place[TraceRing::tick].load(weft::relaxed), true};
        }
        for (uint32_t at = 0; at != shown; ++at) {
            event[at].whole =
                count <= kept ? event[at].tick != 0 : at < kept / 2 || is_later_than_a_quarter(at);
            left_out += event[at].whole ? 0u : 1u;
        }
    }
    bool is_later_than_a_quarter(uint32_t at) const {
        uint32_t earlier = 0;
        for (const Event& other : event) earlier += event[at].tick > other.tick ? 1u : 0u;
        return earlier >= kept / 4;
    }
};

struct Recorder {
    uint32_t begun[most] = {};  // the clock before each record, by the number that stands in the event

    // Every second one as by a worker, which knows the ring.
    void record(uint32_t number) {
        begun[number] = weft::Port::now();
        if (number % 2 == 0) {
            weft_trace_record(number * 3, number << 24 | number);
        } else {
            weft_trace_record_in(number * 3, number << 24 | number,
                                 weft::detail::trace_ring_of(weft::Port::core_id()));
        }
    }
    void record_all(uint32_t from, uint32_t to) {
        for (uint32_t number = from; number != to; ++number) record(number);
    }
    // Each that is shown is one that was recorded, with its own object and time.
    void judge(const Reading& reading) const {
        for (uint32_t at = 0; at != reading.shown; ++at) {
            const Reading::Event& one = reading.event[at];
            if (!one.whole) continue;
            const uint32_t number = one.what & 0xffffffu;
            model::check(one.what == (number << 24 | number) && number < most, "an event that was recorded");
            model::check(one.object == number * 3, "its object is its own");
            model::check(begun[number] != 0 && one.tick > begun[number], "its time is its own");
        }
    }
    // The events from..to-1 of one writer: those that are shown are in a row, in their order.
    static void judge_order(const Reading& reading, uint32_t from, uint32_t to) {
        uint32_t next = to;
        for (uint32_t at = 0; at != reading.shown; ++at) {
            const uint32_t number = reading.event[at].what & 0xffffffu;
            if (!reading.event[at].whole || number < from || number >= to) continue;
            model::check(next == to || number == next, "none is missing in between");
            next = number + 1;
        }
    }
};

// Result: Never. Handlers record in the middle of a record, and of each other's; a ring and two more are recorded.
struct Handlers : Recorder {
    void cores(model::Program& on) {
        on.core(0, [this] { record_all(0, kept + 2); });
        on.interrupt(0, [this] { record(kept + 2); });
        on.interrupt(0, [this] { record(kept + 3); });
        on.nested_interrupts(0);
    }
    void finish() {
        const Reading reading(weft_trace.at[0]);
        model::check(reading.count == kept + 4, "each event has a place");
        model::check(reading.shown == kept && reading.left_out == 0, "all that is kept is whole");
        judge(reading);
        judge_order(reading, 0, kept + 2);
    }
};
MODEL_SCENARIO(recorder_handlers, Handlers).preemptions(0).stale_reads(0).clock_start(1).ticks_per_call(1);

// Result: Never. A reader comes at any point, in the middle of records of a handler and of the task.
template <uint32_t events>
struct ReadInTheMiddle : Recorder {
    uint32_t readings = 0;
    uint32_t recorded = 0;  // by the handler
    bool reads = false;     // as a debugger: nothing goes on meanwhile

    void read() {
        reads = true;
        const Reading reading(weft_trace.at[0]);
        judge(reading);
        model::check(reading.left_out <= 2, "only what was being recorded is left out");
        judge_order(reading, 0, events);
        ++readings;
        reads = false;
    }
    void cores(model::Program& on) {
        on.core(0, [this] { record_all(0, events); });
        on.interrupt(0, [this] {
            if (!reads) record(events), ++recorded;
        });
        on.interrupt(0, [this] { read(); });
        on.nested_interrupts(0);
    }
    void finish() {
        const Reading reading(weft_trace.at[0]);
        model::check(readings == 1 && reading.count == events + recorded && reading.left_out == 0,
                     "all are whole in the end");
        judge(reading);
    }
};
MODEL_SCENARIO(recorder_read_in_the_middle, ReadInTheMiddle<kept + 3>)
    .preemptions(0)
    .stale_reads(0)
    .clock_start(1)
    .ticks_per_call(1);
MODEL_SCENARIO(recorder_read_in_the_first_round, ReadInTheMiddle<3>)
    .preemptions(0)
    .stale_reads(0)
    .clock_start(1)
    .ticks_per_call(1);

// Result: Never. Two cores share the last ring, one has a handler; each event has a place of its own. A core that is
// told of their end sees all of it.
struct SharedRing : Recorder {
    weft::Atomic<uint32_t> ended{0};

    void end() { ended.fetch_add(1, weft::acq_rel); }
    void cores(model::Program& on) {
        on.core(0, [this] {
            record(8);
            while (ended.load(weft::acquire) != 2) weft::Port::relax();
            const Reading reading(weft_trace.at[1]);
            model::check(reading.count == 4 && reading.left_out == 0, "each event has a place");
            judge(reading);
            model::check(Reading(weft_trace.at[0]).count == 1, "the other ring is another core's");
        });
        on.core(1, [this] { record_all(0, 2), end(); });
        on.core(2, [this] { record_all(2, 4), end(); });
    }
};
MODEL_SCENARIO(recorder_shared_ring, SharedRing).clock_start(1).ticks_per_call(1);

}  // namespace
