// SPDX-License-Identifier: MIT OR Apache-2.0
// missing: GOMP_taskgroup_reduction_unregister
int f(int n) {
    int sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += i;
    return sum;
}
