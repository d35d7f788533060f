// SPDX-License-Identifier: MIT OR Apache-2.0
// missing: GOMP_ordered_start GOMP_ordered_end GOMP_loop_ordered_dynamic_start GOMP_loop_ordered_dynamic_next
void work(int i);
void f(int n) {
#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < n; i++) {
#pragma omp ordered
        work(i);
    }
}
