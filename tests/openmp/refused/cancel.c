// SPDX-License-Identifier: MIT OR Apache-2.0
// missing: GOMP_cancel GOMP_cancellation_point
void work(int i);
void f(int n) {
#pragma omp parallel
    {
        if (n > 3) {
#pragma omp cancel parallel
        }
#pragma omp cancellation point parallel
        work(n);
    }
}
