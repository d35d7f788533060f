/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/// @file
/// weft/openmp.hpp for C: OpenMP code on the cores of a pool (docs/OPENMP.md).
///
///     static WEFT_OPENMP_MEMORY(team, 4, 64, 64);
///     if (weft_openmp_attach(pool, team, sizeof team, 4, 64) != WEFT_OK) ...
///     kernel();    /* #pragma omp parallel for ... */
#pragma once

#include <weft/weft.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How many bytes are enough for teams of `threads` threads, and `tasks` tasks that wait with up to `bytes` bytes of
/// data each: a constant.
#define WEFT_OPENMP_BYTES(threads, tasks, bytes) \
    ((threads)*4u * sizeof(void*) + 16u + (tasks) * (16u * sizeof(void*) + ((bytes) + 15u) / 16u * 16u))
/// Defines the memory for teams, see weft::openmp::Memory; `static` may stand before it.
#define WEFT_OPENMP_MEMORY(name, threads, tasks, bytes)                                            \
    __attribute__((__aligned__(16))) unsigned char name[WEFT_OPENMP_BYTES(threads, tasks, bytes)]; \
    WEFT_STATIC_ASSERT_((threads) >= 1 && (threads) <= 24, "weft: a team has 1 to 24 threads");    \
    WEFT_STATIC_ASSERT_((tasks) >= 1, "weft: the memory of a team has room for at least one task")

/// As weft::openmp::attach(). The memory takes as many tasks as fit, each with up to `task_bytes` bytes of data.
/// @context As weft::openmp::attach().
/// @return As weft::openmp::attach(); wrong_memory: not even one task fits, or it is not aligned (WEFT_OPENMP_MEMORY);
/// out_of_range: `threads` is not 1..24; not_made: a null pointer, or no pool.
/// @lifetime Pool and memory are used until the pool's weft_join() has returned.
weft_status weft_openmp_attach(weft_pool* pool, void* memory, size_t bytes, uint32_t threads,
                               size_t task_bytes);
/// As weft::openmp::detach().
/// @context As weft::openmp::detach().
/// @return As weft::openmp::detach().
weft_status weft_openmp_detach(void);

/// What happened since weft_openmp_attach(): the words of weft::openmp::Figures.
typedef struct weft_openmp_counts {
    uint32_t teams;         ///< Figures::teams
    uint32_t alone;         ///< Figures::alone
    uint32_t deferred;      ///< Figures::deferred
    uint32_t without_room;  ///< Figures::without_room
    uint32_t largest_data;  ///< Figures::largest_data
} weft_openmp_counts;
/// As weft::openmp::figures().
/// @context Any context.
weft_openmp_counts weft_openmp_figures(void);

#ifdef __cplusplus
}
#endif
