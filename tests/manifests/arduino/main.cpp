// SPDX-License-Identifier: MIT OR Apache-2.0
// A stand-in for an Arduino core: the loop, once.
#include <Arduino.h>

int main() {
    setup();
    loop();
    return 0;
}
