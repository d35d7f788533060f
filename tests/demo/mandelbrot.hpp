// SPDX-License-Identifier: MIT OR Apache-2.0
// demo: the Mandelbrot set as text, row by row. Rows differ in cost by orders of magnitude.
#pragma once

#include <stdint.h>

namespace demo {

constexpr uint32_t picture_rows = 30;
constexpr uint32_t picture_columns = 76;

void draw_row(uint32_t row, char (&text)[picture_columns]);

}  // namespace demo
