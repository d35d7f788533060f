// SPDX-License-Identifier: MIT OR Apache-2.0
// For the tests of coroutines: short names, and the words that all of them use.
#pragma once

#include <weft/coroutine.hpp>
#include <weft/weft.hpp>

#include "board.hpp"
#include "tap.hpp"
#include "wait.hpp"

namespace coroutine {

using weft::acq_rel;
using weft::acquire;
using weft::Atomic;
using weft::Coroutine;
using weft::FrameArena;
using weft::FrameSource;
using weft::release;
using weft::Status;

inline constexpr uint32_t cores = BOARD_CORES;
using Pool = weft::Pool<cores, 16>;

}  // namespace coroutine
