// SPDX-License-Identifier: MIT OR Apache-2.0
// demo: text on the board's console.
#include "console.hpp"

#include "board.hpp"

namespace demo {
namespace {

bool colours = false;

// SGR parameters (ECMA-48, section 8.3.117), one for each core, then again from the start.
constexpr const char* core_colours[] = {"36", "33", "35", "32", "34", "31", "96", "93"};
constexpr uint32_t colour_count = sizeof core_colours / sizeof core_colours[0];

}  // namespace

void use_colours() { colours = true; }

void print(char c) { board::put(c); }

void print(const char* text) {
    while (*text != '\0') print(*text++);
}

void print(Number number) {
    char digits[10];  // as many as 2^32 has
    uint32_t count = 0;
    do {
        digits[count++] = static_cast<char>('0' + number.value % 10);
        number.value /= 10;
    } while (number.value != 0);
    for (uint32_t column = count; column < number.width; ++column) print(number.fill);
    while (count != 0) print(digits[--count]);
}

void print(uint32_t number) { print(Number{number}); }

void print(Tenths tenths) { print(Number{tenths.value / 10}, '.', Number{tenths.value % 10}); }

void print(Ink ink) {
    if (!colours) return;
    print("\x1b[", ink.core == plain_ink.core ? "0" : core_colours[ink.core % colour_count], 'm');
}

void print(const Digest& digest) {
    for (const uint8_t byte : digest.bytes) {
        print("0123456789abcdef"[byte >> 4]);
        print("0123456789abcdef"[byte & 15]);
    }
}

}  // namespace demo
