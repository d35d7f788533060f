// SPDX-License-Identifier: MIT OR Apache-2.0
// Delays on the host: in a build with DELAYS=1 every access of a word may be held up first: most often not at all, now
// and then for some nanoseconds, a turn of the processor, or a time slice, as by an interrupt or a scheduler. The words
// of the pool are such, and those of the port, so park(), unpark() and starts are held up as well (and a fence, by what
// comes next). port/host/weft_port.hpp includes this in such a build only, and has its words from here.
//
// For a while (an epoch) the long delays stick to some places of the sources, which file, line and seed choose: it is
// the one who is held up again and again between the same two steps that finds a hole in a protocol.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "hooked_words.hpp"

namespace weft {
namespace host {

struct Delays {
    generic::BuiltinWords::Atomic<uint32_t> epoch;  // a random number, another one every few milliseconds
    generic::BuiltinWords::Atomic<uint32_t>
        share;  // of the sites that are hot in this epoch, of 2^32; 0: no delays
};
inline Delays delays;
[[gnu::tls_model("initial-exec")]] inline thread_local uint32_t accesses_left =
    1;  // until the next random delay

void delay_now(bool hot);

[[gnu::always_inline]] inline void delay(uint32_t site) {
    // relaxed (both): switches
    const bool hot =
        (site ^ delays.epoch.load(Order::relaxed)) * 2246822519u < delays.share.load(Order::relaxed);
    if (__builtin_expect(hot || --accesses_left == 0, 0)) delay_now(hot);
}

// Begins anew, with other delays for each seed. 0: none from now on.
void seed_delays(uint32_t seed);
// What has been done so far, for a comment line: how often each kind.
struct DelayCounts {
    uint32_t spins, yields, sleeps, hot_sleeps, epochs;
};
DelayCounts delay_counts();

struct Delay {
    [[gnu::always_inline]] explicit Delay(uint32_t site) { delay(site); }
    ~Delay() {}
};
using Words = HookedWords<Delay>;

}  // namespace host
}  // namespace weft
