// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: who writes a line to the console takes it before, so that lines stay whole.
#pragma once

#include <weft/port.hpp>

namespace board {

class Console {
public:
    static bool try_take() {
        const uint32_t last =
            last_.load(weft::relaxed);  // relaxed: a core that misses it once writes one more line
        if (last != 0 && last != weft::Port::core_id() + 1) return false;
        uint32_t seen = 0;
        // relaxed on failure: only compared
        while (!taken_by_.compare_exchange(seen, weft::Port::core_id() + 1, weft::acquire, weft::relaxed)) {
            if (seen != 0) return false;
        }  // ends: a failure without cause is rare
        return true;
    }
    // Task context only: an interrupt that came while its own core writes would wait for ever.
    static void take() {
        while (!try_take()) weft::Port::relax();  // the holder writes one line and leaves
    }
    static void leave() { taken_by_.store(0, weft::release); }  // with what the lines were made of
    // From here on nobody but the calling core takes it any more.
    static void take_for_good() { last_.store(weft::Port::core_id() + 1, weft::relaxed); }
    // Has the calling core taken it? relaxed: its own step
    static bool is_own() { return taken_by_.load(weft::relaxed) == weft::Port::core_id() + 1; }

private:
    // A core's number + 1.
    static inline weft::Atomic<uint32_t> taken_by_{0};
    static inline weft::Atomic<uint32_t> last_{0};
};

}  // namespace board
