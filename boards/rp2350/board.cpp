// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: Raspberry Pi Pico 2, Arm cores: all but the name is boards/common/rp_arm.cpp.
#include "board.hpp"

namespace board {

const char* const name = "rp2350";

}  // namespace board
