// SPDX-License-Identifier: MIT OR Apache-2.0
// missing: omp_get_place_num omp_get_ancestor_thread_num
int omp_get_place_num(void);
int omp_get_ancestor_thread_num(int level);
int f(void) { return omp_get_place_num() + omp_get_ancestor_thread_num(0); }
