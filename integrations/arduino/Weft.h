// SPDX-License-Identifier: MIT OR Apache-2.0
// weft, for sketches of arduino-pico (RP2040, and RP2350's Arm cores). A sketch that uses it has no setup1() and no
// loop1(): weft starts core 1 when it first needs it.
#pragma once

#include "weft/weft.hpp"
#include "weft_pico.h"
