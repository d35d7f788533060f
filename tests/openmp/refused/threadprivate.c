// SPDX-License-Identifier: MIT OR Apache-2.0
// missing on arm: __aeabi_read_tp
// refused by linker scripts elsewhere
int counter;
#pragma omp threadprivate(counter)
int f(void) {
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    sum += ++counter;
    return sum;
}
