/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Tests of weft.h, written in C; and what main.cpp has for them. Each test is declared here, and in its array. */
#ifndef CHECKS_H
#define CHECKS_H

#include <weft/weft.h>

#ifdef __cplusplus
extern "C" {
#endif

void report(bool good, const char* file, uint32_t line, const char* what);
/* In an interrupt handler of this core, once; it has returned then. */
void in_handler(void (*function)(void));
/* Again and again, from now on, until it returns true. */
void in_handlers_until(bool (*function)(void));
uint32_t board_cores(void);

/* pool.c: a pool at a time. Each test makes its own in the same memory, and joins it: what was submitted runs then. */
#define RING 16
#define MEMORY_BYTES WEFT_POOL_BYTES(24, RING)
extern unsigned char memory[MEMORY_BYTES];
extern weft_pool* pool;
void begin(void);
void end(void);

void c_tasks_run(void);
void c_batches_run(void);
void c_handlers_submit(void);
void c_polls_and_is_handed_back(void);
void c_pools_of_impossible_sizes_are_refused(void);
void c_misuse_is_answered(void);
void c_strands_keep_order(void);
void c_gates_and_events_let_go(void);
void c_work_is_waited_for_and_taken_back(void);
void c_forks_and_reduces(void);
void c_groups_wait(void);
void c_timers_fire(void);
void c_levels_and_sets(void);
void c_rests(void);
void c_quiesces(void);
void c_retires(void);
void c_blocks(void);
void c_must_run(void);
void c_measures(void);
void c_sleeps(void);
void c_watches(void);
void c_paints_its_stack(void);
void c_reads_the_clock(void);
void c_puts_a_trace(void);

#ifdef __cplusplus
}
#endif

#define CHECK_C(...) report((__VA_ARGS__), __FILE__, __LINE__, #__VA_ARGS__)

#endif
