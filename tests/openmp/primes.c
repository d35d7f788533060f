// SPDX-License-Identifier: MIT OR Apache-2.0
// Loops whose iterations take different times: guided and dynamic schedules, a named critical section, an atomic.
#include "kernels.h"

#define N 2000

static int is_prime(int n) {
    for (int by = 2; by * by <= n; by++)
        if (n % by == 0) return 0;
    return n > 1;
}

long primes(void) {
    int count = 0, largest = 0, again = 0;
#pragma omp parallel
    {
        int mine = 0;
#pragma omp for schedule(guided, 4) nowait
        for (int i = 0; i < N; i++)
            if (is_prime(i)) {
                mine++;
#pragma omp atomic
                again++;
            }
#pragma omp critical(result)
        count += mine;
#pragma omp for schedule(dynamic, 16)
        for (int i = N - 1; i >= 0; i--)
            if (is_prime(i)) {
#pragma omp critical
                if (i > largest) largest = i;
            }
    }
    return largest == 1999 && again == count ? count : -1;
}
