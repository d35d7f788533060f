// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: Arm MPS2+ with the AN521 image. Addresses: Application Note AN521, "Memory map".
#include "board.hpp"

#include "arm_m_start.hpp"
#include "sse200.hpp"
#include "weft_image.hpp"

namespace {

constexpr uint32_t clock_hz = 20'000'000;

}  // namespace

const uint32_t weft_image_ticks_per_ms = clock_hz / 1000;

namespace board {

const char* const name = "mps2-an521";

}  // namespace board

namespace arm_m {

const uint32_t systick_hz = clock_hz;

}  // namespace arm_m

namespace sse200 {

const uintptr_t uart = 0x50200000;

}  // namespace sse200
