// SPDX-License-Identifier: MIT OR Apache-2.0
// missing: GOMP_target_ext
void f(int* x) {
#pragma omp target map(tofrom : x[:1])
    x[0]++;
}
