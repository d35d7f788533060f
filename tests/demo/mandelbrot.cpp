// SPDX-License-Identifier: MIT OR Apache-2.0
// demo: the Mandelbrot set in integers, so that it looks the same on a core without floating point.
#include "mandelbrot.hpp"

namespace demo {
namespace {

// Fixed point: 28 bits behind the point, three before it, and the sign. A point that has not escaped is at
// most 2 away from 0, the next one less than 2 * 2 + 3 = 7: it fits. Squares need 64 bits until compared.
constexpr uint32_t fraction_bits = 28;
constexpr int32_t fixed(int32_t ten_thousandths) {
    return static_cast<int32_t>(int64_t{ten_thousandths} * (1 << fraction_bits) / 10000);
}

// The part of the plane that is drawn. A character is twice as high as it is wide.
constexpr int32_t left = fixed(-22100);
constexpr int32_t step_right = fixed(385);
constexpr int32_t step_down = 2 * step_right;
constexpr int32_t top = -step_down * static_cast<int32_t>(picture_rows - 1) / 2;

// A point that has not escaped by then is taken to be in the set. A board with slow multiplication asks for fewer.
#ifndef DEMO_MOST_STEPS
#define DEMO_MOST_STEPS 20000
#endif
constexpr uint32_t most_steps = DEMO_MOST_STEPS;

// How many steps until the point (cx, cy) is more than 2 away from 0.
uint32_t steps_to_escape(int32_t cx, int32_t cy) {
    constexpr int64_t four = int64_t{4} << fraction_bits;
    int32_t x = 0;
    int32_t y = 0;
    for (uint32_t step = 0; step < most_steps; ++step) {
        const int64_t xx = (int64_t{x} * x) >> fraction_bits;
        const int64_t yy = (int64_t{y} * y) >> fraction_bits;
        if (xx + yy > four) return step;
        y = static_cast<int32_t>((int64_t{x} * y) >> (fraction_bits - 1)) + cy;
        x = static_cast<int32_t>(xx - yy) + cx;
    }
    return most_steps;
}

// The closer a point is to the set, the more ink it gets; the set itself stays blank.
char ink(uint32_t steps) {
    constexpr char shades[] = " .:-=+*#@";
    constexpr uint32_t below[] = {4, 5, 6, 7, 9, 12, 20, 45, most_steps};
    for (uint32_t i = 0; i < sizeof below / sizeof below[0]; ++i) {
        if (steps < below[i]) return shades[i];
    }
    return ' ';
}

}  // namespace

void draw_row(uint32_t row, char (&text)[picture_columns]) {
    int32_t x = left;
    const int32_t y = top + step_down * static_cast<int32_t>(row);
    for (char& cell : text) {
        cell = ink(steps_to_escape(x, y));
        x += step_right;
    }
}

}  // namespace demo
