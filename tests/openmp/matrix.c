// SPDX-License-Identifier: MIT OR Apache-2.0
// The product of two matrices: a parallel loop over rows and columns.
#include "kernels.h"

#define N 32

static int a[N][N], b[N][N], c[N][N];

long matrix_product(void) {
    long sum = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                a[i][j] = i + j;
                b[i][j] = i - j + 2;
            }
#pragma omp for collapse(2) schedule(static)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                int dot = 0;
                for (int k = 0; k < N; k++) dot += a[i][k] * b[k][j];
                c[i][j] = dot;
            }
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) sum += c[i][j];
    }
    return sum;
}
