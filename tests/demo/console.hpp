// SPDX-License-Identifier: MIT OR Apache-2.0
// demo: text on the board's console. Not synchronised: one core prints at a time.
#pragma once

#include <stdint.h>

#include "sha256.hpp"

namespace demo {

// A number, right-aligned in `width` columns.
struct Number {
    uint32_t value;
    uint32_t width = 1;
    char fill = ' ';
};

// A number of tenths, as `12.3`.
struct Tenths {
    uint32_t value;
};

// What a core prints is in its colour, from here to plain_ink; where colours are off, nothing.
struct Ink {
    uint32_t core;
};
constexpr Ink plain_ink{~uint32_t{0}};
void use_colours();

void print(char c);
void print(const char* text);
void print(Number number);
void print(uint32_t number);
void print(Tenths tenths);
void print(Ink ink);
void print(const Digest& digest);

// Everything between the brackets, one after the other.
template <class First, class Second, class... More>
void print(const First& first, const Second& second, const More&... more) {
    print(first);
    print(second);
    (print(more), ...);
}

template <class... Parts>
void print_line(const Parts&... parts) {
    (print(parts), ...);
    print('\n');
}

}  // namespace demo
