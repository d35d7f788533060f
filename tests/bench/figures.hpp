// SPDX-License-Identifier: MIT OR Apache-2.0
// bench: samples, and the lines that tools/bench reads: `name value unit`.
#pragma once

#include <stdint.h>

namespace bench {

inline constexpr uint32_t rounds = 1000;  // samples of each figure

// Tenths of an instruction.
using Tenths = int32_t;
constexpr Tenths instructions(int32_t count) { return 10 * count; }

// Lengths of one path, as differences of counter().
class Samples {
public:
    constexpr Samples() = default;

    void add(uint32_t counts) {
        if (used_ != rounds) counts_[used_++] = counts;
    }
    void clear() { used_ = 0; }

    // The median where the counter is exact, otherwise the mean. Reorders the samples.
    Tenths typical();
    // At most one sample in a hundred is longer. 0 where the counter is not exact.
    Tenths high();

private:
    void sort();

    uint32_t counts_[rounds] = {};
    uint32_t used_ = 0;
};

// Ends the run if the counter does not count instructions; otherwise measures what measuring costs. Before other cores
// are on.
void calibrate();
extern Tenths reading;     // two readings without anything between them
extern Tenths handing_on;  // pass(), up to the moment when another core goes on
extern Tenths passing;     // all of pass(), with nobody else to go on

void print(const char* name, Tenths value, const char* unit = "instructions");

// Ends the run as failed.
[[noreturn]] void fail(const char* what);

}  // namespace bench
