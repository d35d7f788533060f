// SPDX-License-Identifier: MIT OR Apache-2.0
// missing: GOMP_taskgroup_reduction_register GOMP_taskgroup_reduction_unregister GOMP_task_reduction_remap
int f(int n) {
    int sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp task in_reduction(+ : sum)
        sum += n;
    }
    return sum;
}
