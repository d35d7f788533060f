// SPDX-License-Identifier: MIT OR Apache-2.0
// Workload: a matrix product in integers, by quarters of the result and by its rows; exactly the serial one's.
#include "workloads.hpp"

namespace workloads {
namespace {

constexpr uint32_t n = size(96, 32);
constexpr uint32_t smallest = 8;  // of a block that is not divided any more

struct Matrix {
    uint32_t at[n][n];
};
Matrix left;
Matrix right;
Matrix expected;
Matrix product;

void multiply_entry(uint32_t row, uint32_t column, Matrix& result) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < n; ++k) sum += left.at[row][k] * right.at[k][column];
    result.at[row][column] = sum;
}

void multiply_row(uint32_t row, Matrix& result) {
    for (uint32_t column = 0; column < n; ++column) multiply_entry(row, column, result);
}

void multiply_block(Here here, uint32_t row, uint32_t column, uint32_t rows, uint32_t columns) {
    if (rows <= smallest) {
        for (uint32_t i = 0; i < rows; ++i) {
            for (uint32_t k = 0; k < columns; ++k) multiply_entry(row + i, column + k, product);
        }
        return;
    }
    const uint32_t up = rows / 2;
    const uint32_t half = columns / 2;
    fork_join(
        here, [&](Here there) { multiply_block(there, row, column, up, half); },
        [&](Here there) { multiply_block(there, row, column + half, up, columns - half); },
        [&](Here there) { multiply_block(there, row + up, column, rows - up, half); },
        [&](Here there) { multiply_block(there, row + up, column + half, rows - up, columns - half); });
}

bool product_is_expected() {
    bool same = true;
    for (uint32_t row = 0; row < n; ++row) {
        for (uint32_t column = 0; column < n; ++column) {
            same = same && product.at[row][column] == expected.at[row][column];
            product.at[row][column] = 0;
        }
    }
    return same;
}

void B7_matrix_product() {
    tap::Random random(7);
    for (uint32_t row = 0; row < n; ++row) {
        for (uint32_t column = 0; column < n; ++column) {
            left.at[row][column] = random.next();
            right.at[row][column] = random.next();
        }
    }
    for (uint32_t row = 0; row < n; ++row) multiply_row(row, expected);
    on_each_crew([](Scheduler& pool) {
        in(pool, [](Here here) { multiply_block(here, 0, 0, n, n); });
        CHECK(product_is_expected());
        parallel_for(pool, uint32_t(0), n, 1, [](uint32_t row) { multiply_row(row, product); });
        CHECK(product_is_expected());
    });
}

constexpr tap::Test tests[] = {
    TEST(B7_matrix_product),
};

}  // namespace

extern const tap::Tests matrix_tests{tests};

}  // namespace workloads
