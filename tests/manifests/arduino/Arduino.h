// SPDX-License-Identifier: MIT OR Apache-2.0
// A stand-in for an Arduino core, of our own: what the examples of integrations/arduino use, on tests/pico_sdk/sdk.
#pragma once

#include "pico/stdlib.h"

void setup();
void loop();

struct StandInSerial {
    void begin(unsigned long) {}
    void println(const char* text) { puts_raw(text); }
    void println(uint32_t number) {
        char text[11];
        char* at = text + sizeof text - 1;
        *at = 0;
        do {
            *--at = static_cast<char>('0' + number % 10);
            number /= 10;
        } while (number != 0);
        puts_raw(at);
    }
};
inline StandInSerial Serial;
