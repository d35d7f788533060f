// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: who writes a line to the console takes it before, so that lines stay whole.
#pragma once

#include <weft/port.hpp>

namespace board {

class Console {
public:
    static bool try_take() {
        // relaxed: a core that misses it once writes one more line
        const uint32_t last = last_.load(weft::relaxed);
        return (last == 0 || last == own()) && set(taken_by_) == 0;
    }
    // Task context only: an interrupt that came while its own core writes would wait for ever.
    static void take() {
        while (!try_take()) weft::Port::relax();  // the holder writes one line and leaves
    }
    static void leave() { taken_by_.store(0, weft::release); }  // with what the lines were made of

    // Who ends the run, from any context: from the first such call on nobody else takes it. False: another core's call
    // was the first, or one that this core was in.
    static bool close() { return set(last_) == 0; }
    // relaxed: the core's own step
    static bool is_closed_by_this_core() { return last_.load(weft::relaxed) == own(); }
    // Another core's line comes to its end. Not for ever: that core may be stuck in it; and not if this core is in one.
    static void take_at_last() {
        const uint32_t begun = weft::Port::now();
        while (taken_by_.load(weft::relaxed) != own() && !try_take() &&  // relaxed: the core's own step
               weft::Port::now() - begun < 1000 * weft::Port::ticks_per_ms()) {
            weft::Port::relax();
        }
    }

private:
    static uint32_t own() { return weft::Port::core_id() + 1; }
    // From 0 to own(). Returns what it was.
    static uint32_t set(weft::Atomic<uint32_t>& word) {
        uint32_t seen = 0;
        // relaxed on failure: only compared
        while (!word.compare_exchange(seen, own(), weft::acquire, weft::relaxed)) {
            if (seen != 0) break;
        }  // ends: a failure without cause is rare
        return seen;
    }

    // A core's number + 1.
    static inline weft::Atomic<uint32_t> taken_by_{0};
    static inline weft::Atomic<uint32_t> last_{0};
};

}  // namespace board
