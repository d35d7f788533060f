// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernels of the sort that people have: plain OpenMP, which knows nothing of weft. tests/openmp runs them on a pool,
// tools/check_openmp the same files with the compiler's own libgomp: the results are the same.
#ifndef KERNELS_H
#define KERNELS_H

#ifdef __cplusplus
extern "C" {
#endif

long matrix_product(void);  // the sum of all elements
long pi_in_millionths(void);
long heat_in_a_plate(void);  // the sum of all temperatures in thousandths, and of steps
long queens(void);           // solutions for 7 of them, by tasks
long merge_sort(void);       // 0: sorted
long primes(void);           // below 2000
long histogram(void);        // a sum over bins and counts
long mandelbrot(void);       // iterations, all together

// What the serial programs say.
#define MATRIX_PRODUCT 4825088L
#define PI_IN_MILLIONTHS 3141593L
#define HEAT 8729892L
#define QUEENS 40L
#define PRIMES 303L
#define HISTOGRAM 11022182L
#define MANDELBROT 15117L

#ifdef __cplusplus
}
#endif

#endif
