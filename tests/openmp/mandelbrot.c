// SPDX-License-Identifier: MIT OR Apache-2.0
// The Mandelbrot set in fixed point: rows of very different lengths, schedule(runtime).
#include "kernels.h"

#define N 32

long mandelbrot(void) {
    long total = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : total)
    for (int row = 0; row < N; row++) {
        for (int column = 0; column < N; column++) {
            const int cx = (column * 3 * 4096) / N - 2 * 4096, cy = (row * 2 * 4096) / N - 4096;
            int x = 0, y = 0, n = 0;
            while (n < 40 && x * x / 4096 + y * y / 4096 < 4 * 4096) {
                const int next = (x * x - y * y) / 4096 + cx;
                y = 2 * x * y / 4096 + cy;
                x = next;
                n++;
            }
            total += n;
        }
    }
    return total;
}
