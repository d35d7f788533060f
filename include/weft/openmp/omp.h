/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* weft: omp.h for compilers that have none, as those for bare metal. What is not here is not supported
   (docs/OPENMP.md 2). Sizes and values are those of libgomp's. */
#ifndef WEFT_OMP_H
#define WEFT_OMP_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    unsigned char weft_is_here[4] __attribute__((__aligned__(4)));
} omp_lock_t;
typedef struct {
    unsigned char weft_is_here[8 + sizeof(void*)] __attribute__((__aligned__(sizeof(void*))));
} omp_nest_lock_t;
typedef enum omp_sched_t {
    omp_sched_static = 1,
    omp_sched_dynamic = 2,
    omp_sched_guided = 3,
    omp_sched_auto = 4,
    omp_sched_monotonic = -0x7fffffff - 1
} omp_sched_t;

#ifdef __cplusplus
#define WEFT_OMP_THROWS noexcept
#define WEFT_OMP_DOUBLE static_cast<double>
#else
#define WEFT_OMP_THROWS __attribute__((__nothrow__))
#define WEFT_OMP_DOUBLE (double)
#endif

/* Who am I? */
extern int omp_get_thread_num(void) WEFT_OMP_THROWS;
extern int omp_get_num_threads(void) WEFT_OMP_THROWS;
extern int omp_get_max_threads(void) WEFT_OMP_THROWS;
extern int omp_get_thread_limit(void) WEFT_OMP_THROWS;
extern int omp_get_num_procs(void) WEFT_OMP_THROWS;
extern int omp_in_parallel(void) WEFT_OMP_THROWS;
extern int omp_in_final(void) WEFT_OMP_THROWS;
extern int omp_get_level(void) WEFT_OMP_THROWS;
extern int omp_get_active_level(void) WEFT_OMP_THROWS;

/* One value for all threads. */
extern void omp_set_num_threads(int threads) WEFT_OMP_THROWS;
extern void omp_set_schedule(omp_sched_t kind, int chunk) WEFT_OMP_THROWS;
extern void omp_get_schedule(omp_sched_t* kind, int* chunk) WEFT_OMP_THROWS;

/* What cannot be changed here: a team may be smaller than asked for, nested regions have one thread. */
extern void omp_set_dynamic(int may_be_smaller) WEFT_OMP_THROWS;
extern int omp_get_dynamic(void) WEFT_OMP_THROWS;
extern void omp_set_nested(int nested) WEFT_OMP_THROWS;
extern int omp_get_nested(void) WEFT_OMP_THROWS;
extern void omp_set_max_active_levels(int levels) WEFT_OMP_THROWS;
extern int omp_get_max_active_levels(void) WEFT_OMP_THROWS;

extern void omp_init_lock(omp_lock_t* lock) WEFT_OMP_THROWS;
extern void omp_destroy_lock(omp_lock_t* lock) WEFT_OMP_THROWS;
extern void omp_set_lock(omp_lock_t* lock) WEFT_OMP_THROWS;
extern void omp_unset_lock(omp_lock_t* lock) WEFT_OMP_THROWS;
extern int omp_test_lock(omp_lock_t* lock) WEFT_OMP_THROWS;
extern void omp_init_nest_lock(omp_nest_lock_t* lock) WEFT_OMP_THROWS;
extern void omp_destroy_nest_lock(omp_nest_lock_t* lock) WEFT_OMP_THROWS;
extern void omp_set_nest_lock(omp_nest_lock_t* lock) WEFT_OMP_THROWS;
extern void omp_unset_nest_lock(omp_nest_lock_t* lock) WEFT_OMP_THROWS;
extern int omp_test_nest_lock(omp_nest_lock_t* lock) WEFT_OMP_THROWS;

/* Ticks of the port's clock, with the turns that it has made; and how many make a second. (weft's own library has no
   floating point: so the division is here.) */
extern unsigned long long weft_openmp_ticks(void) WEFT_OMP_THROWS;
extern unsigned long long weft_openmp_ticks_per_second(void) WEFT_OMP_THROWS;

static inline double omp_get_wtick(void) { return 1.0 / WEFT_OMP_DOUBLE(weft_openmp_ticks_per_second()); }
static inline double omp_get_wtime(void) {
    return WEFT_OMP_DOUBLE(weft_openmp_ticks()) / WEFT_OMP_DOUBLE(weft_openmp_ticks_per_second());
}

#ifdef __cplusplus
}
#endif

#endif
