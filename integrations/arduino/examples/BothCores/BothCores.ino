// SPDX-License-Identifier: MIT OR Apache-2.0
// Both cores add up a range; each says nothing until the work is done.
#include <Weft.h>

WEFT_CONSTINIT weft::Pool<2> pool{};
uint32_t sum;
weft::Job work([] {
    sum = weft::parallel_reduce(0u, 100000u, 64u, 0u, [](uint32_t i) { return i % 7; },
                                [](uint32_t x, uint32_t y) { return x + y; });
    pool.shutdown();
});

void setup() {
    Serial.begin(115200);
    if (pool.submit(work) != weft::Status::ok || pool.run() != weft::Status::ok || pool.join() != weft::Status::ok) {
        Serial.println("weft: something is wrong");
        return;
    }
    Serial.println(sum);
}

void loop() {}
