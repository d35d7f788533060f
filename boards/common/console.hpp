// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: who writes a line to the console takes it before, so that lines stay whole.
#pragma once

#include <weft/port.hpp>

namespace board {

class Console {
public:
    static bool try_take() { return is_taken_.exchange(1, weft::acquire) == 0; }
    // Task context only: an interrupt that came while its own core writes would wait for ever.
    static void take() {
        while (!try_take()) weft::Port::relax();  // the holder writes one line and leaves
    }
    static void leave() { is_taken_.store(0, weft::release); }  // with what the lines were made of

private:
    static inline weft::Atomic<uint32_t> is_taken_{0};
};

}  // namespace board
