// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Config, how one scenario is explored, and the kinds of choice that an execution consists of.
#pragma once

#include <stdint.h>

#include <string>

namespace weft {
namespace model {

// Each execution is a sequence of choices. Alternative 0 is always the plain one; the others are bounded per execution.
enum class Choice : uint8_t {
    core,               // which core does its next operation: 0 = the one that just ran
    stale,              // which message a load reads, or before which a store goes: 0 = the newest
    interrupt,          // an interrupt is taken before this operation
    park_stays,         // after an interrupt in park(): 0 = goes on sleeping, 1 = returns early
    spin_return,        // relax() returns although nothing changed
    spurious_park,      // park() returns without cause
    spurious_exchange,  // compare_exchange fails without cause
    time_jump,          // now() finds that a long time has passed
};
inline constexpr unsigned choice_kinds = 8;
inline constexpr char choice_letter[choice_kinds + 1] = "csikrpxt";  // in replay strings

// estimate: how many executions a plain exhaustive search would need (Knuth, "Estimating the efficiency of backtrack
// programs", 1975): random paths through its tree, each weighed by one over its probability.
enum class Mode : uint8_t { exhaustive, random, pct, estimate };

// none: every interleaving in the bounds. partial_order: fewer executions, the same outcomes (docs/VERIFICATION.md).
enum class Reduction : uint8_t { none, partial_order };

// How unpark() reaches a core. event: a barrier, then the event registers of ALL started cores are set (ARM SEV).
// targeted: only that core's pending bit is set (inter-processor interrupt).
enum class Wake : uint8_t { event, targeted };

inline constexpr unsigned unbounded = 1000000;

struct Config {
    Mode mode = Mode::exhaustive;
    Reduction reduction = Reduction::partial_order;
    Wake wake = Wake::event;
    // Steps between two copies of the machine, from which later executions go on; 0: each one runs from its beginning.
    unsigned snapshots = 30;

    // Bounds per execution.
    unsigned preemptions = 2;  // switches away from a core that could have gone on
    unsigned stale_reads = 2;
    unsigned deep_preemptions = 0;  // `--deep N` goes on to these at least
    unsigned deep_stale_reads = 0;
    unsigned sampled_stale_reads = unbounded;  // the same for random and pct
    unsigned spin_returns = 2;
    unsigned spurious_parks = 0;
    unsigned spurious_exchanges = 0;
    unsigned time_jumps = 0;
    unsigned steps = 4000;  // more operations than this are reported as a livelock

    uint32_t clock_start = 0;
    uint32_t ticks_per_ms = 1;
    uint32_t ticks_per_call = 0;  // now() advances the clock by this much
    uint32_t ticks_per_jump = 1000;
    bool pens = false;                 // Port::pen_turn() is asked: each entry writes a word
    bool alarms = false;               // cores may set alarms
    bool preemptions_allowed = false;  // cores may call Port::interrupt(); needs Reduction::none
    bool within_bounds = false;        // promised only within the bounds above: it is never sampled
    bool parked_at_end = false;        // an execution may end with cores in park()

    uint64_t executions = 100000;  // random, pct, estimate: how many
    uint64_t seed = 1;
    unsigned depth = 3;  // pct: how many points of the schedule a bug may depend on
    bool spinners_yield =
        false;             // pct: after relax() all others come first; two loops may feed each other for ever
    double seconds = 180;  // CPU time after which the exploration is given up
    uint64_t give_up_after = 0;  // exhaustive: executions after which it is given up; 0: never
    bool must_exhaust = true;    // exhaustive: giving up is a failure
    std::string replay;          // run just this schedule
};

}  // namespace model
}  // namespace weft
