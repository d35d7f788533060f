// SPDX-License-Identifier: MIT OR Apache-2.0
// demo: what happened, and how it is told.
#pragma once

#include <weft/weft.hpp>

#include "input.hpp"
#include "mandelbrot.hpp"

namespace demo {

// Written by the tasks: each word by one of them, or by one after the other. Read when the pool was joined.
struct Record {
    uint32_t blocks;
    uint8_t hashed_by[2 * max_blocks - 1];  // the core of each node of the tree
    char picture[picture_rows][picture_columns];
    uint8_t drawn_by[picture_rows];
    uint32_t woken_core;
    uint32_t parks_before
        [BOARD_CORES];  // how often each core had parked when it fell asleep, and when it was woken
    uint32_t parks_after[BOARD_CORES];
    uint32_t started_at;  // clock ticks
    uint32_t hashed_at;
    uint32_t drawn_at;
    uint32_t woken_at;
};

void introduce(const Options& options, const Record& record);
void report(const Options& options, const Record& record, const Digest* digests, const weft::Scheduler& pool);

}  // namespace demo
