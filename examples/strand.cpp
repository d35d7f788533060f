// SPDX-License-Identifier: MIT OR Apache-2.0
// A driver without a lock: only the tasks of one strand touch it. They run one after the other, in the order in which
// they were submitted, on whatever core is free.
#include <weft/weft.hpp>

#include "machine.hpp"

constexpr uint32_t sensors = 6;
constexpr uint32_t readings = 100;

WEFT_CONSTINIT weft::Pool<4> pool{};

// What the driver knows: plain variables, as in a program with one core.
struct Driver {
    uint32_t records = 0;
    uint32_t bytes = 0;
    uint32_t last[sensors] = {};
    bool in_order = true;
} driver;
weft::Strand of_driver{pool};

// Writes a record, then has the sensor read again.
struct Record : weft::TaskOf<Record> {
    void run();
    uint32_t number = 0;
    uint32_t value = 0;
};

struct Sensor : weft::TaskOf<Sensor> {
    void run() {
        // A measurement, on any core, while other sensors are read.
        uint32_t noise = record.number * 7919 + reading;
        for (uint32_t i = 0; i != 200; ++i) noise = noise * 1664525 + 1013904223;
        record.value = ++reading << 8 | (noise >> 24);
        (void)of_driver.submit(record);
    }
    uint32_t reading = 0;
    Record record = Record();
} all[sensors];

void Record::run() {
    if (value >> 8 != driver.last[number] + 1) driver.in_order = false;
    driver.last[number] = value >> 8;
    driver.bytes += 4;
    if (++driver.records == sensors * readings) {
        pool.shutdown();
    } else if (driver.last[number] != readings) {
        (void)pool.submit(all[number]);
    }
}

int main() {
    for (uint32_t number = 0; number != sensors; ++number) {
        all[number].record.number = number;
        if (pool.submit(all[number]) != weft::Status::ok) return 1;
    }
    if (pool.run() != weft::Status::ok || pool.join() != weft::Status::ok) return 1;
    print("records written", driver.records);
    print("bytes", driver.bytes);
    return driver.in_order && driver.records == sensors * readings ? 0 : 1;
}
