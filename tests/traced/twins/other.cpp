// SPDX-License-Identifier: MIT OR Apache-2.0
// traced: the other function of that name.
#include "twins.hpp"

static void twin(weft::Task&) { asm volatile("nop"); }
static weft::Task there{twin};

weft::Task& other_twin() { return there; }
