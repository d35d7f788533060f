// SPDX-License-Identifier: MIT OR Apache-2.0
// boards: the last lines of an image that goes wrong. weft's panic is here; what an unexpected exception says is told
// by each architecture's own file.
#pragma once

#include <stdint.h>

namespace report {

constexpr int panic_status = 101;
constexpr int exception_status = 102;
constexpr int unsuitable_status = 103;

// Returns once, on the first core that reports: others stop here, and no line of another core mixes with what follows.
// A core that fails again while it reports ends the run without more words.
void begin(int status);

// The calling core has accessed what is below its stack, by the instruction at `pc` (0: not known). Weft's panic.
[[noreturn]] void stack_overflow(uintptr_t pc);

void print(const char* text);
void print_decimal(uintptr_t value);
void print_hex(uintptr_t value);

}  // namespace report
