/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Reductions of tasks of a whole region, of a scope and of a loop. */
// missing: GOMP_parallel_reductions GOMP_scope_start GOMP_loop_start GOMP_workshare_task_reduction_unregister
int f(int count);
int f(int count) {
    int sum = 0;
#pragma omp parallel reduction(task, + : sum)
    {
#pragma omp task in_reduction(+ : sum)
        sum += 1;
    }
#pragma omp parallel
    {
#pragma omp scope reduction(task, + : sum)
        sum += 1;
    }
#pragma omp parallel
    {
#pragma omp for reduction(task, + : sum)
        for (int i = 0; i < count; ++i) sum += i;
    }
    return sum;
}
