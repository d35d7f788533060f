// SPDX-License-Identifier: MIT OR Apache-2.0
// A stencil: heat spreads in a plate, step by step, with barriers, until no place changes much.
#include "kernels.h"

#define N 24

static double plates[2][N][N];

long heat_in_a_plate(void) {
    int now = 0, steps = 0;
    double change = 0.0, total = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) plates[0][i][j] = plates[1][i][j] = i == 0 ? 100.0 : 0.0;

#pragma omp parallel default(none) shared(plates, now, steps, change, total)
    for (;;) {
#pragma omp barrier
#pragma omp single
        change = 0.0;
        double(*from)[N] = plates[now];
        double(*to)[N] = plates[1 - now];
#pragma omp for schedule(static) reduction(max : change)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
                const double by = to[i][j] > from[i][j] ? to[i][j] - from[i][j] : from[i][j] - to[i][j];
                if (by > change) change = by;
            }
#pragma omp single
        {
            now = 1 - now;
            steps++;
        }
        if (change < 0.5 || steps == 60) break;
    }
#pragma omp parallel for reduction(+ : total) collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) total += plates[now][i][j];
    return (long)(total * 1000.0 + 0.5) + steps;
}
