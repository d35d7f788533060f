// SPDX-License-Identifier: MIT OR Apache-2.0
// What the examples in C need from a machine: a line of text. As machine.hpp has it for those in C++.
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

#if defined(__linux__) && __STDC_HOSTED__

#include <stdio.h>

static inline void print_number(const char* text, uint32_t number) {
    printf("%s %u\n", text, (unsigned)number);
}

#else

void print_number(const char* text, uint32_t number);

#endif

#endif
