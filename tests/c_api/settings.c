/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a setting may leave out: fork-join, timers, urgency, sets of cores, rest. */
#include "checks.h"

#if WEFT_FORK_DEPTH
static void add_one(void* number) { ++*(uint32_t*)number; }
static void square(void* squares, uint32_t index) { ((uint32_t*)squares)[index] = index * index; }
static uint64_t value(void* squares, uint32_t index) { return ((uint32_t*)squares)[index]; }
static uint64_t sum(void* squares, uint64_t one, uint64_t other) {
    (void)squares;
    return one + other;
}
static uint32_t squares[100];
static void all(void* none) { /* in a task of the pool */
    (void)none;
    weft_parallel_for(NULL, 0, 100, 1, square, squares);
}

void c_forks_and_reduces(void) {
    begin();
    uint32_t one = 0, other = 0;
    weft_fork_join(pool, add_one, &one, add_one, &other);
    weft_fork_join(NULL, add_one, &one, add_one, &other); /* outside of all pools: serially */
    CHECK_C(one == 2 && other == 2);
    weft_call(pool, all, NULL);
    weft_call(NULL, all, NULL);
    weft_call(NULL, add_one, &one);
    CHECK_C(one == 3);
    CHECK_C(weft_parallel_reduce(pool, 0, 100, 4, 0, value, sum, squares) == 328350);
    CHECK_C(weft_parallel_reduce(NULL, 5, 5, 4, 7, value, sum, squares) == 7);
    end();
}

static void group_in_a_task(void* numbers) {
    weft_child children[8];
    weft_group group;
    CHECK_C(weft_group_init(&group, NULL) == WEFT_OK);
    for (uint32_t i = 0; i != 8; ++i) {
        CHECK_C(weft_child_init(&children[i], add_one, (uint32_t*)numbers + i) == WEFT_OK);
        weft_group_run(&group, &children[i]);
    }
    weft_group_wait(&group);
    for (uint32_t i = 0; i != 8; ++i) CHECK_C(((uint32_t*)numbers)[i] == 1);
}
void c_groups_wait(void) {
    begin();
    uint32_t numbers[8] = {0};
    weft_call(pool, group_in_a_task, numbers);
    weft_child child;
    weft_group group;
    CHECK_C(weft_child_init(&child, add_one, numbers) == WEFT_OK && weft_group_init(&group, pool) == WEFT_OK);
    weft_group_run(&group, &child);
    weft_group_wait(&group);
    CHECK_C(numbers[0] == 2);
    end();
}
#else
void c_forks_and_reduces(void) { CHECK_C(WEFT_FORK_DEPTH == 0); }
void c_groups_wait(void) { CHECK_C(WEFT_FORK_DEPTH == 0); }
#endif

typedef struct {
    weft_task task;
    uint32_t runs;
} counted;
#if WEFT_TIMERS
static void last_tick(weft_task* self) {
    if (++((counted*)self)->runs == 3) weft_shutdown(pool, WEFT_DRAIN);
}
static weft_timer single, every;
static void time_in_handler(void) {
    CHECK_C(weft_timer_start_after_from_isr(&single, 0x7fffffffu, 0) == WEFT_OK);
    CHECK_C(weft_timer_cancel_from_isr(&single) == WEFT_CANCELLED);
    CHECK_C(weft_timer_start_at_from_isr(&single, 0, 0x80000000u) == WEFT_OUT_OF_RANGE);
    CHECK_C(weft_timer_start_every_from_isr(&every, 0, 0) == WEFT_OUT_OF_RANGE);
}
void c_timers_fire(void) {
    begin();
    counted once = {WEFT_TASK(NULL), 0}, often = {WEFT_TASK(NULL), 0};
    once.task.run = often.task.run = last_tick;
    CHECK_C(weft_timer_init(&single, pool, &once.task, WEFT_URGENCY_LEVELS) == WEFT_OUT_OF_RANGE);
    CHECK_C(weft_timer_init(&single, pool, &once.task, WEFT_URGENCY_LEVELS - 1) == WEFT_OK);
    CHECK_C(weft_timer_init(&every, pool, &often.task, 0) == WEFT_OK);
    CHECK_C(weft_timer_cancel(&single) == WEFT_NOT_ARMED && !weft_timer_is_armed(&single));
    CHECK_C(weft_timer_start_every(&every, 0, 0) == WEFT_OUT_OF_RANGE);
    CHECK_C(weft_timer_start_after(&single, 0x7fffffffu, 0) == WEFT_OK && weft_timer_is_armed(&single));
    CHECK_C(weft_timer_cancel(&single) == WEFT_CANCELLED);
    CHECK_C(weft_timer_start_at(&single, 0, 0x80000000u) == WEFT_OUT_OF_RANGE &&
            weft_timer_missed(&single) == 0);
    CHECK_C(weft_timer_start_at(&single, weft_now() + 0x7ffffff, 0) == WEFT_OK);
    CHECK_C(weft_timer_cancel(&single) == WEFT_CANCELLED);
    in_handler(time_in_handler);
    CHECK_C(weft_timer_start_every(&every, weft_milliseconds(2), 0) == WEFT_OK);
    CHECK_C(weft_run(pool) == WEFT_OK);
    CHECK_C(weft_join(pool, NULL) == WEFT_OK);
    CHECK_C(often.runs >= 3 && once.runs == 0);
}
#else
void c_timers_fire(void) { CHECK_C(WEFT_TIMERS == 0); }
#endif

static void note_core(weft_task* self) { ((counted*)self)->runs = 1 + weft_this_core(); }
#if WEFT_CORE_SETS
static counted third;
static void submit_in_handler(void) {
    CHECK_C(weft_submit_on_set_from_isr(pool, 0, &third.task) == WEFT_OUT_OF_RANGE);
    CHECK_C(weft_submit_on_set_from_isr(pool, 1, &third.task) == WEFT_OK);
}
#endif
void c_levels_and_sets(void) {
    begin();
    counted one = {WEFT_TASK(NULL), 0}, other = {WEFT_TASK(NULL), 0};
    one.task.run = other.task.run = note_core;
    CHECK_C(weft_submit_urgent(pool, &one.task, WEFT_URGENCY_LEVELS) == WEFT_OUT_OF_RANGE);
    CHECK_C(weft_submit_urgent(pool, &one.task, WEFT_URGENCY_LEVELS - 1) == WEFT_OK);
    weft_batch batch = {0};
    CHECK_C(weft_batch_push(&batch, &other.task) == WEFT_OK);
    CHECK_C(weft_submit_batch_urgent(pool, &batch, WEFT_URGENCY_LEVELS) == WEFT_OUT_OF_RANGE);
    CHECK_C(weft_batch_size(&batch) == 1);
    CHECK_C(weft_submit_batch_urgent(pool, &batch, WEFT_URGENCY_LEVELS - 1) == WEFT_OK);
#if WEFT_CORE_SETS
    counted first = {WEFT_TASK(NULL), 0}, second = {WEFT_TASK(NULL), 0};
    first.task.run = second.task.run = note_core;
    CHECK_C(weft_submit_on_set(pool, 0, &first.task) == WEFT_OUT_OF_RANGE);
    CHECK_C(weft_submit_on_set(pool, 1u << 31, &first.task) == WEFT_UNKNOWN_CORE);
    CHECK_C(weft_submit_on_set(pool, 1, &first.task) == WEFT_OK);
    CHECK_C(weft_batch_push(&batch, &second.task) == WEFT_OK);
    CHECK_C(weft_submit_batch_on_set(pool, 1, &batch) == WEFT_OK);
    third.task.run = note_core;
    in_handler(submit_in_handler);
#endif
    end();
    CHECK_C(one.runs != 0 && other.runs != 0);
#if WEFT_CORE_SETS
    CHECK_C(first.runs == 1 && second.runs == 1 && third.runs == 1);
#endif
}

#if WEFT_REST
static uint32_t sleeps;
static void all_asleep(void* number) { ++*(uint32_t*)number; }
void c_rests(void) {
    begin();
    CHECK_C(weft_on_all_asleep(pool, all_asleep, &sleeps) == WEFT_OK);
    counted task = {WEFT_TASK(NULL), 0};
    task.task.run = note_core;
    CHECK_C(weft_submit(pool, &task.task) == WEFT_OK);
    CHECK_C(weft_wait_idle(pool) == WEFT_OK && task.runs != 0);
    end();
    CHECK_C(weft_wait_idle(pool) == WEFT_CLOSED);
}
#else
void c_rests(void) { CHECK_C(WEFT_REST == 0); }
#endif

#if WEFT_QUIESCE
void c_quiesces(void) {
    begin();
    CHECK_C(weft_resume(pool) == WEFT_WRONG_CONTEXT);
    CHECK_C(weft_quiesce(pool, 0x80000000u) == WEFT_OUT_OF_RANGE);
    CHECK_C(weft_quiesce(pool, weft_milliseconds(1000)) == WEFT_OK);
    CHECK_C(weft_quiesce(pool, 1) == WEFT_WRONG_CONTEXT);
    CHECK_C(weft_resume(pool) == WEFT_OK);
    end();
#if WEFT_CHECKS
    CHECK_C(weft_quiesce(NULL, 1) == WEFT_NOT_MADE && weft_resume(NULL) == WEFT_NOT_MADE);
#endif
}
#else
void c_quiesces(void) { CHECK_C(WEFT_QUIESCE == 0); }
#endif

#if WEFT_ELASTIC
void c_retires(void) {
    begin();
    CHECK_C(weft_retire(pool, 1000) == WEFT_UNKNOWN_CORE && weft_admit(pool, 1000) == WEFT_UNKNOWN_CORE);
    CHECK_C(weft_retire(pool, 0) == WEFT_OK && weft_admit(pool, 0) == WEFT_OK);
    weft_work follower;
    CHECK_C(weft_completion_init(&follower, pool) == WEFT_OK);
    CHECK_C(weft_retire_then(pool, 1000, &follower) == WEFT_UNKNOWN_CORE);
    CHECK_C(weft_retire_then(pool, 0, &follower) == WEFT_OK && weft_work_wait(&follower) == WEFT_OK);
    CHECK_C(weft_admit(pool, 0) == WEFT_OK);
    CHECK_C(weft_limit_cores(pool, 0) == WEFT_OUT_OF_RANGE && weft_limit_cores(pool, 1) == WEFT_OK);
    CHECK_C(weft_limit_cores(pool, 100) == WEFT_OK);
#if WEFT_TIMERS
    CHECK_C(weft_keep_alive(pool, 0x80000000u) == WEFT_OUT_OF_RANGE && weft_keep_alive(pool, 0) == WEFT_OK);
    weft_keep_alive_for_ever(pool);
#endif
    end();
#if WEFT_CHECKS
    CHECK_C(weft_retire(NULL, 1) == WEFT_NOT_MADE && weft_admit(NULL, 1) == WEFT_NOT_MADE);
    CHECK_C(weft_limit_cores(NULL, 1) == WEFT_NOT_MADE && weft_retire_then(NULL, 1, NULL) == WEFT_NOT_MADE);
#endif
}
#else
void c_retires(void) { CHECK_C(WEFT_ELASTIC == 0); }
#endif

#if WEFT_BLOCKING
static uint32_t blocking_cores;
static weft_status from_handler;
static weft_task second;
static void block(weft_task* self) {
    (void)self;
    blocking_cores += weft_blocking_cores(pool);
}
static void block_from_handler(void) { from_handler = weft_submit_blocking_from_isr(pool, &second); }
void c_blocks(void) {
    begin();
    weft_task task = WEFT_TASK(block);
    second = (weft_task)WEFT_TASK(block);
    blocking_cores = 0;
    CHECK_C(weft_limit_blocking(pool, 0) == WEFT_OUT_OF_RANGE && weft_limit_blocking(pool, 100) == WEFT_OK);
    CHECK_C(weft_limit_blocking(pool, 1) == WEFT_OK && weft_blocking_cores(pool) == 0);
    CHECK_C(weft_submit_blocking(pool, &task) == WEFT_OK);
    in_handler(block_from_handler);
    CHECK_C(from_handler == WEFT_OK && !weft_is_closing(pool));
    end();
    CHECK_C(blocking_cores <= 2 && weft_submit_blocking(pool, &task) == WEFT_CLOSED);
    CHECK_C(weft_is_closing(pool) && weft_blocking_cores(pool) == 0);
#if WEFT_CHECKS
    CHECK_C(weft_submit_blocking(NULL, &task) == WEFT_NOT_MADE);
    CHECK_C(weft_submit_blocking_from_isr(pool, NULL) == WEFT_NOT_MADE);
    CHECK_C(weft_limit_blocking(NULL, 1) == WEFT_NOT_MADE);
#endif
}
#else
void c_blocks(void) { CHECK_C(WEFT_BLOCKING == 0); }
#endif

#if WEFT_MANDATORY
static uint32_t must_runs;
static weft_status must_from_handler;
static weft_task must_second;
static void count_must(weft_task* self) {
    (void)self;
    ++must_runs;
}
static void submit_must_in_handler(void) {
    must_from_handler = weft_submit_mandatory_from_isr(pool, &must_second);
}
void c_must_run(void) {
    begin();
    weft_task task = WEFT_TASK(count_must);
    must_second = (weft_task)WEFT_TASK(count_must);
    must_runs = 0;
    in_handler(submit_must_in_handler);
    CHECK_C(must_from_handler == WEFT_OK && !weft_is_closing(pool));
    weft_shutdown(pool, WEFT_ABANDON);
    CHECK_C(weft_is_closing(pool) && weft_submit_mandatory(pool, &task) == WEFT_CLOSED);
    end();
    CHECK_C(must_runs == 1);
    begin();
    CHECK_C(weft_submit_mandatory(pool, &task) == WEFT_OK);
    end();
    CHECK_C(must_runs == 2);
#if WEFT_CHECKS
    CHECK_C(weft_submit_mandatory(NULL, &task) == WEFT_NOT_MADE);
    CHECK_C(weft_submit_mandatory_from_isr(pool, NULL) == WEFT_NOT_MADE);
#endif
}
#else
void c_must_run(void) { CHECK_C(WEFT_MANDATORY == 0); }
#endif

#if WEFT_WATCH
static weft_heartbeat seen;
static weft_status beaten;
static void look(weft_task* self) {
    (void)self;
    beaten = weft_beat();
    seen = weft_heartbeat_of(pool, weft_this_core());
}
void c_watches(void) {
    begin();
    weft_task task = WEFT_TASK(look);
    weft_unmoved unmoved = {{0}};
    CHECK_C(weft_beat() == WEFT_WRONG_CONTEXT && weft_heartbeat_of(pool, 1000).task == NULL);
    CHECK_C(weft_submit(pool, &task) == WEFT_OK);
    end();
    CHECK_C(beaten == WEFT_OK && seen.task == &task && seen.function == (uintptr_t)look && !seen.asleep);
    CHECK_C(weft_unmoved_looks(&unmoved, &seen) == 0 && weft_unmoved_looks(&unmoved, &seen) == 1);
    ++seen.beats;
    CHECK_C(weft_unmoved_looks(&unmoved, &seen) == 0);
}
#else
void c_watches(void) { CHECK_C(WEFT_WATCH == 0); }
#endif

#if WEFT_METRICS
static weft_task measured;
static uint32_t queued_in_handler, now_in_handler;
static void nothing(weft_task* self) { (void)self; }
static void measure_in_handler(void) {
    CHECK_C(weft_submit_from_isr(pool, &measured) == WEFT_OK);
    queued_in_handler = weft_queued(pool);
    now_in_handler = weft_depth(pool, WEFT_INJECTOR, 0).now;
}
void c_measures(void) {
    begin();
    measured = (weft_task)WEFT_TASK(nothing);
    CHECK_C(weft_live_cores(pool) == 0 && weft_sleeping_cores(pool) == 0 && weft_queued(pool) == 0);
    in_handler(measure_in_handler);
    CHECK_C(queued_in_handler == 1 && now_in_handler == 1);
    CHECK_C(weft_depth(pool, WEFT_INJECTOR, 1).most == 0 && weft_depth(pool, WEFT_RING, 1000).most == 0);
    end();
#if WEFT_FEW_SEARCHERS
    CHECK_C(weft_searching_cores(pool) == 0);
#endif
    CHECK_C(weft_queued(pool) == 0 && weft_sleeping_cores(pool) == 0);
    CHECK_C(weft_depth(pool, WEFT_INJECTOR, 0).now == 0 && weft_depth(pool, WEFT_INJECTOR, 0).most == 1);
    const weft_stats all = weft_total_stats(pool);
    CHECK_C(all.executed == 1 && all.from_injector == 1 && all.parks == all.wakes + all.spurious_wakes);
}
#else
void c_measures(void) {
    begin();
    CHECK_C(WEFT_METRICS == 0 && weft_sleeping_cores(pool) == 0);
    end();
}
#endif

#if WEFT_SLEEP_HOOKS
enum { MOST_CORES = 24 };
static volatile uint32_t begun_sleeps[MOST_CORES], ended_sleeps[MOST_CORES];
static void begins_sleep(uint32_t core, uint32_t last, void* argument) {
    (void)last;
    if (argument == &pool) begun_sleeps[core] = begun_sleeps[core] + 1;
}
static void ends_sleep(uint32_t core, uint32_t slept, void* argument) {
    (void)slept;
    if (argument == &pool) ended_sleeps[core] = ended_sleeps[core] + 1;
}
static bool end_a_pool_whose_core_sleeps(void) {
    if (begun_sleeps[0] == 0) return false;
    weft_shutdown(pool, WEFT_DRAIN);
    return true;
}
void c_sleeps(void) {
    begin();
#if WEFT_CHECKS
    CHECK_C(weft_on_sleep(NULL, begins_sleep, ends_sleep, &pool) == WEFT_NOT_MADE);
#endif
    CHECK_C(weft_on_sleep(pool, begins_sleep, ends_sleep, &pool) == WEFT_OK);
    in_handlers_until(end_a_pool_whose_core_sleeps);
    CHECK_C(weft_run(pool) == WEFT_OK && weft_join(pool, NULL) == WEFT_OK);
    CHECK_C(begun_sleeps[0] != 0);
    for (uint32_t core = 0; core != MOST_CORES; ++core) CHECK_C(begun_sleeps[core] == ended_sleeps[core]);
}
#else
void c_sleeps(void) { CHECK_C(WEFT_SLEEP_HOOKS == 0); }
#endif
