// SPDX-License-Identifier: MIT OR Apache-2.0
// N queens, a task for each half-filled board, as in the Barcelona OpenMP Tasks Suite.
#include "kernels.h"

#define N 7

static int is_safe(int row, const char* columns) {
    for (int i = 0; i < row; i++) {
        const int by = columns[i] - columns[row];
        if (by == 0 || by == row - i || by == i - row) return 0;
    }
    return 1;
}

static void place(int row, const char* columns, int* solutions) {
    if (row == N) {
        *solutions = 1;
        return;
    }
    int found[N] = {0};
    for (int column = 0; column < N; column++) {
#pragma omp task untied firstprivate(column) shared(found)
        {
            char mine[N] = {0};
            for (int i = 0; i < row; i++) mine[i] = columns[i];
            mine[row] = (char)column;
            if (is_safe(row, mine)) place(row + 1, mine, &found[column]);
        }
    }
#pragma omp taskwait
    *solutions = 0;
    for (int column = 0; column < N; column++) *solutions += found[column];
}

long queens(void) {
    const char none[N] = {0};
    int solutions = 0;
#pragma omp parallel
#pragma omp single
    place(0, none, &solutions);
    return solutions;
}
