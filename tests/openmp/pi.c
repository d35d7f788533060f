// SPDX-License-Identifier: MIT OR Apache-2.0
// The first OpenMP program of everybody: pi, by a reduction of doubles.
#include <omp.h>

#include "kernels.h"

#define STEPS 4000

long pi_in_millionths(void) {
    const double width = 1.0 / STEPS;
    double sum = 0.0;
    const double begin = omp_get_wtime();
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < STEPS; i++) {
        const double x = (i + 0.5) * width;
        sum += 4.0 / (1.0 + x * x);
    }
    const double took = omp_get_wtime() - begin;
    if (took < 0.0 || took > 3600.0) return -1;
    return (long)(sum * width * 1e6 + 0.5);
}
