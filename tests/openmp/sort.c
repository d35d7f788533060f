// SPDX-License-Identifier: MIT OR Apache-2.0
// Merge sort by tasks, with `if` and `final` against tasks that are too small.
#include "kernels.h"

#define N 1500

static unsigned values[N], room[N];

static void sort(unsigned* first, unsigned* space, int n) {
    if (n < 2) return;
    const int half = n / 2;
#pragma omp task if (n > 64) final(n < 128)
    sort(first, space, half);
#pragma omp task if (n > 64) final(n < 128)
    sort(first + half, space + half, n - half);
#pragma omp taskwait
    for (int i = 0, left = 0, right = half; i < n; i++)
        space[i] =
            left < half && (right == n || first[left] <= first[right]) ? first[left++] : first[right++];
    for (int i = 0; i < n; i++) first[i] = space[i];
}

long merge_sort(void) {
    unsigned seed = 7;
    for (int i = 0; i < N; i++) values[i] = seed = seed * 1664525u + 1013904223u;
#pragma omp parallel
#pragma omp single nowait
    sort(values, room, N);
    long wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (int i = 1; i < N; i++) wrong += values[i - 1] > values[i];
    return wrong;
}
