// SPDX-License-Identifier: MIT OR Apache-2.0
// missing: GOMP_loop_start
void f(int n, const int* a, int* b) {
    int sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < n; i++) {
        sum += a[i];
#pragma omp scan inclusive(sum)
        b[i] = sum;
    }
}
