// SPDX-License-Identifier: MIT OR Apache-2.0
// A reduction of an array, sections, and a taskloop.
#include "kernels.h"

#define N 3000
#define BINS 16

static unsigned char samples[N];

long histogram(void) {
    int bins[BINS] = {0};
    long odd = 0, even = 0, tall = 0;
#pragma omp parallel for schedule(dynamic, 100)
    for (int i = 0; i < N; i++) samples[i] = (unsigned char)(i * 31 % 251);
#pragma omp parallel for reduction(+ : bins[:BINS])
    for (int i = 0; i < N; i++) bins[samples[i] % BINS]++;
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < BINS; i += 2) even += (long)i * bins[i];
#pragma omp section
        for (int i = 1; i < BINS; i += 2) odd += (long)i * bins[i];
    }
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(4) shared(tall)
    for (int i = 0; i < BINS; i++) {
        if (bins[i] > N / BINS) {
#pragma omp atomic
            tall++;
        }
    }
    return odd + even + tall * 1000000;
}
