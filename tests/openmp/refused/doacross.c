// SPDX-License-Identifier: MIT OR Apache-2.0
// missing: GOMP_doacross_wait GOMP_doacross_post GOMP_loop_doacross_static_start
void work(int i);
void f(int n) {
#pragma omp parallel for ordered(1)
    for (int i = 0; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
        work(i);
#pragma omp ordered depend(source)
    }
}
