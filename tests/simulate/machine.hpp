// SPDX-License-Identifier: MIT OR Apache-2.0
// simulate: a machine of up to 64 cores on which src/ runs unchanged (port/model), with a cost for each access. Each
// core has a clock; the core whose clock is the earliest does its next step. Memory is sequentially consistent: what a
// weak memory may do is the model checker's business, not this one's.
//
// A line of memory has copies at some cores, one of which may have it alone. An access to a line that is not there, or
// a store to one that others have, moves it: that takes `move`, and of the one interconnect of all cores `occupy`. A
// line that no core has had yet is there at once. No store waits in a buffer, and no core runs ahead of its time.
#pragma once

#include <stdint.h>

namespace simulate {

using Time = uint64_t;  // picoseconds

// tools/simulate says where each comes from.
struct Costs {
    Time access = 270;       // any access, with the instructions around it
    Time modify = 4000;      // an exclusive step or a fence, besides
    Time move = 40000;       // a line comes from another core, or its copies elsewhere are given up
    Time occupy = 4000;      // of that, what keeps other lines waiting
    Time relax = 24000;      // one turn of a loop that waits
    Time unpark = 20000;     // the waker's own part, the barrier included
    Time wake = 250000;      // from there until the sleeping core goes on
    Time start = 2000000;    // from start_core() until that core calls its entry
    Time interrupt = 50000;  // the way into a handler and back
};
extern Costs costs;

constexpr unsigned most_cores = 64;

// What has happened since count_from().
struct Counts {
    uint64_t moves = 0;   // lines
    uint64_t wakes = 0;   // sleeping cores that were woken
    uint64_t starts = 0;  // of cores that were off
    Time awake = 0;       // of all cores together
};

// Cores 0..cores-1, in `images` of their own: to a pool its cores have the numbers 0..n-1, and the static memory of one
// image is not another's. Core `first` of each begins with `body`, the others are off.
struct Image {
    unsigned first;
    unsigned cores;
    void (*body)(unsigned image);
};
void run(const Image* images, unsigned count);  // returns when no core is left; ends the program if all sleep

// ---- Of the core that calls

void work(Time length);  // computes
void work_until(Time time);
Time now();
// `handler` is called on this core `times` times, every `period`.
void set_interrupt(void (*handler)(), Time period, unsigned times);

// ---- Any time

void count_from(Time time);
const Counts& counts();
bool asleep(unsigned core);

}  // namespace simulate
