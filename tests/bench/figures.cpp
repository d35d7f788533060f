// SPDX-License-Identifier: MIT OR Apache-2.0
// bench: samples and lines.
#include "figures.hpp"

#include "machine.hpp"
#include "tap.hpp"

namespace bench {

Tenths reading = 0;
Tenths handing_on = 0;
Tenths passing = 0;

// Shell sort ("Shell", Communications of the ACM 2.7, 1959), gaps 3k+1.
void Samples::sort() {
    for (uint32_t gap = 364; gap != 0; gap /= 3) {
        for (uint32_t i = gap; i < used_; ++i) {
            const uint32_t count = counts_[i];
            uint32_t place = i;
            for (; place >= gap && counts_[place - gap] > count; place -= gap) {
                counts_[place] = counts_[place - gap];
            }
            counts_[place] = count;
        }
    }
}

Tenths Samples::typical() {
    if (used_ == 0) fail("a figure without samples");
    if (exact) {
        sort();
        return instructions(static_cast<int32_t>(counts_[used_ / 2]));
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i != used_; ++i) sum += counts_[i];
    return static_cast<Tenths>((sum * 10 * count_unit() + used_ / 2) / used_);
}

Tenths Samples::high() {
    if (!exact) return 0;
    sort();
    return instructions(static_cast<int32_t>(counts_[used_ - 1 - used_ / 100]));
}

void calibrate() {
    if (exact && board::instructions() == 0)
        fail("no instructions are counted: run it with -icount shift=0,sleep=off");
    static Samples nothing;
    static Samples line;
    static Samples turn;
    const Turns turns;
    for (uint32_t i = 0; i != rounds; ++i) {
        start_anywhere();
        const uint32_t begin = counter();
        const uint32_t end = counter();
        nothing.add(end - begin);
    }
    for (uint32_t i = 0; i != rounds; ++i) {
        start_anywhere();
        const uint32_t begin = counter();
        walk_straight_line();
        const uint32_t end = counter();
        line.add(end - begin);
    }
    for (uint32_t i = 0; i != rounds; ++i) {
        const uint32_t begin = counter_and_pass();
        const uint32_t end = counter();
        turn.add(end - begin);
    }
    reading = nothing.typical();
    const Tenths error = line.typical() - reading - instructions(straight_line);
    const Tenths tolerance = exact ? 0 : instructions(2);
    if (error > tolerance || -error > tolerance) {
        fail("1000 instructions are not counted as 1000: run it with -icount shift=0,sleep=off");
    }
    passing = exact ? turn.typical() - reading : instructions(1 + after_pass);
    handing_on = passing - instructions(after_pass);
}

void print(const char* name, Tenths value, const char* unit) {
    tap::Line line;
    line.put(name);
    line.put(' ');
    if (value < 0) line.put('-');
    const uint32_t size = static_cast<uint32_t>(value < 0 ? -value : value);
    line.put(size / 10);
    if (size % 10 != 0) {
        line.put('.');
        line.put(size % 10);
    }
    line.put(' ');
    line.put(unit);
}

void fail(const char* what) {
    {
        tap::Line line;
        line.put("weft: bench: ");
        line.put(what);
    }
    board::exit(1);
}

}  // namespace bench
