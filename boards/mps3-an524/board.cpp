// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: Arm MPS3 with the AN524 image. Addresses: Application Note AN524, "Memory map".
#include "board.hpp"

#include "arm_m_start.hpp"
#include "sse200.hpp"
#include "weft_image.hpp"

namespace {

constexpr uint32_t clock_hz = 32'000'000;

}  // namespace

const uint32_t weft_image_ticks_per_ms = clock_hz / 1000;

namespace board {

const char* const name = "mps3-an524";

}  // namespace board

namespace arm_m {

const uint32_t systick_hz = clock_hz;

}  // namespace arm_m

namespace sse200 {

const uintptr_t uart = 0x51303000;

}  // namespace sse200
