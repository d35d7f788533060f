/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What every build has. */
#include "checks.h"

typedef struct {
    weft_task task;
    uint32_t runs;
} counted;
static void count(weft_task* self) { ++((counted*)self)->runs; }

#define MANY 100
static counted many[MANY];
static void make_many(void) {
    for (uint32_t i = 0; i != MANY; ++i) {
        const counted fresh = {WEFT_TASK(count), 0};
        many[i] = fresh;
    }
}
static bool each_ran(uint32_t times) {
    for (uint32_t i = 0; i != MANY; ++i) {
        if (many[i].runs != times) return false;
    }
    return true;
}

_Static_assert(sizeof(weft_task) == 2 * sizeof(void*), "a task is two words");
_Static_assert(WEFT_POOL_BYTES(4, 64) > WEFT_POOL_BYTES(3, 64), "a constant");

void c_tasks_run(void) {
    begin();
    make_many();
    for (uint32_t i = 0; i != MANY; ++i) CHECK_C(weft_submit(pool, &many[i].task) == WEFT_OK);
    end();
    CHECK_C(each_ran(1));
    CHECK_C(weft_total_stats(pool).executed == MANY);
    uint32_t sum = 0;
    for (uint32_t core = 0; core != weft_cores(pool); ++core) sum += weft_core_stats(pool, core).executed;
    CHECK_C(sum == MANY && weft_core_stats(pool, 24).executed == 0);
    // A busy host may be late, and a core is started again; not without end.
    CHECK_C(weft_start_failures(pool) < MANY);
    CHECK_C(weft_this_core() == 0 && weft_cores(pool) == board_cores());
    CHECK_C(weft_submit(pool, &many[0].task) == WEFT_CLOSED);
    make_many();
}

void c_batches_run(void) {
    begin();
    make_many();
    weft_batch batch = {0};
    for (uint32_t i = 0; i != MANY; ++i) CHECK_C(weft_batch_push(&batch, &many[i].task) == WEFT_OK);
    CHECK_C(weft_batch_size(&batch) == MANY && weft_batch_pop(&batch) == &many[0].task);
    CHECK_C(weft_batch_push(&batch, &many[0].task) == WEFT_OK);
    CHECK_C(weft_submit_batch(pool, &batch) == WEFT_OK && weft_batch_size(&batch) == 0);
    CHECK_C(weft_batch_pop(&batch) == NULL);
    end();
    CHECK_C(each_ran(1));
}

static void hand_in(void) {
    CHECK_C(weft_submit_from_isr(pool, &many[0].task) == WEFT_OK);
    CHECK_C(weft_submit_urgent_from_isr(pool, &many[1].task, 0) == WEFT_OK);
    weft_offer_from_isr(pool);
}
static void hand_in_wrongly(void) {
    const weft_status status = weft_submit(pool, &many[2].task);
    CHECK_C(status == (WEFT_CHECKS ? WEFT_WRONG_CONTEXT : WEFT_OK));
}
void c_handlers_submit(void) {
    begin();
    make_many();
    in_handler(hand_in);
    in_handler(hand_in_wrongly);
    end();
    CHECK_C(many[0].runs == 1 && many[1].runs == 1 && many[2].runs == (WEFT_CHECKS ? 0u : 1u));
}

void c_polls_and_is_handed_back(void) {
    CHECK_C(weft_pool_init(&pool, memory, MEMORY_BYTES, 1, RING) == WEFT_OK);
    make_many();
    for (uint32_t i = 0; i != 3; ++i) CHECK_C(weft_submit_on(pool, 0, &many[i].task) == WEFT_OK);
    CHECK_C(weft_submit_on(pool, 1, &many[3].task) == WEFT_UNKNOWN_CORE);
    uint32_t tasks = 99;
    CHECK_C(weft_poll(pool, 2, &tasks) == WEFT_OK && tasks == 2);
    CHECK_C(weft_live_cores(pool) <= 1 && !weft_is_closing(pool));
    weft_shutdown(pool, WEFT_ABANDON);
    CHECK_C(weft_is_closing(pool));
    weft_batch rest = {0};
    CHECK_C(weft_poll(pool, 1, NULL) == WEFT_CLOSED);
    CHECK_C(weft_join(pool, &rest) == WEFT_OK && weft_batch_size(&rest) == 1);
    CHECK_C(weft_batch_pop(&rest) != NULL);
}

void c_pools_of_impossible_sizes_are_refused(void) {
    weft_pool* none = (weft_pool*)memory;
    CHECK_C(weft_pool_init(&none, memory, MEMORY_BYTES, 0, RING) == WEFT_OUT_OF_RANGE && none == NULL);
    CHECK_C(weft_pool_init(&none, memory, MEMORY_BYTES, 25, RING) == WEFT_OUT_OF_RANGE);
    CHECK_C(weft_pool_init(&none, memory, MEMORY_BYTES, 1, 3) == WEFT_OUT_OF_RANGE);
    CHECK_C(weft_pool_init(&none, memory, MEMORY_BYTES, 1, 0) == WEFT_OUT_OF_RANGE);
    CHECK_C(weft_pool_bytes(1, 3) == 0 && weft_pool_bytes(0, 2) == 0);
    const size_t enough = weft_pool_bytes(board_cores(), RING);
    CHECK_C(enough != 0 && enough <= WEFT_POOL_BYTES(board_cores(), RING));
    CHECK_C(weft_pool_init(&none, memory, enough - 1, board_cores(), RING) == WEFT_WRONG_MEMORY);
    CHECK_C(weft_pool_init(&none, memory + 4, enough, board_cores(), RING) == WEFT_WRONG_MEMORY &&
            none == NULL);
    CHECK_C(weft_pool_init(&none, NULL, enough, 1, RING) == WEFT_NOT_MADE);
    CHECK_C(weft_pool_init(NULL, memory, enough, 1, RING) == WEFT_NOT_MADE);
    CHECK_C(weft_describe(WEFT_WRONG_MEMORY) != weft_describe(WEFT_NOT_MADE));
    CHECK_C(weft_describe(WEFT_OK)[0] == 'o' && weft_describe(WEFT_OK)[1] == 'k');
}

#if WEFT_CHECKS
void c_misuse_is_answered(void) {
    begin();
    make_many();
    weft_task nothing = WEFT_TASK(NULL);
    CHECK_C(weft_submit(pool, &nothing) == WEFT_NULL_RUN);
    CHECK_C(weft_submit(pool, NULL) == WEFT_NOT_MADE && weft_submit(NULL, &nothing) == WEFT_NOT_MADE);
    weft_batch batch = {0};
    CHECK_C(weft_batch_push(&batch, &many[0].task) == WEFT_OK);
    CHECK_C(weft_submit(pool, &many[0].task) == WEFT_ALREADY_QUEUED);
    CHECK_C(weft_submit_batch(pool, &batch) == WEFT_OK);
    CHECK_C(weft_batch_push(&batch, NULL) == WEFT_NOT_MADE &&
            weft_batch_push(&batch, &nothing) == WEFT_NULL_RUN);
    weft_strand unmade = {{0}};
    CHECK_C(weft_strand_submit(&unmade, &many[1].task) == WEFT_NOT_MADE);
    CHECK_C(weft_strand_init(&unmade, NULL) == WEFT_NOT_MADE &&
            weft_strand_init(NULL, pool) == WEFT_NOT_MADE);
    weft_gate gate = {{0}};
    CHECK_C(weft_gate_arrive(&gate, 1) == WEFT_NOT_MADE);
    CHECK_C(weft_gate_init(&gate, pool, NULL, 1) == WEFT_NOT_MADE);
    weft_event event = {{0}};
    CHECK_C(weft_event_set(&event) == WEFT_NOT_MADE && weft_event_wait(&event, &nothing) == WEFT_NOT_MADE);
    weft_work work = {{0, NULL}, {0}};
    CHECK_C(weft_work_wait(&work) == WEFT_NOT_MADE && weft_work_reset(NULL) == WEFT_NOT_MADE);
    /* What is refused has not been made, whatever was in its memory. */
    for (size_t i = 0; i != sizeof work; ++i) ((unsigned char*)&work)[i] = 0xff;
    CHECK_C(weft_work_init(&work, pool, NULL, NULL) == WEFT_NULL_RUN);
    CHECK_C(weft_work_wait(&work) == WEFT_NOT_MADE && weft_work_reset(&work) == WEFT_NOT_MADE);
    CHECK_C(weft_submit(pool, &work.task) == WEFT_NULL_RUN);
#if WEFT_TIMERS
    weft_timer timer;
    for (size_t i = 0; i != sizeof timer; ++i) ((unsigned char*)&timer)[i] = 0xff;
    CHECK_C(weft_timer_init(&timer, pool, &many[1].task, WEFT_URGENCY_LEVELS) == WEFT_OUT_OF_RANGE);
    CHECK_C(weft_timer_start_after(&timer, 1, 0) == WEFT_NOT_MADE);
#endif
    CHECK_C(weft_run(NULL) == WEFT_NOT_MADE && weft_join(NULL, NULL) == WEFT_NOT_MADE);
    uint32_t tasks = 99;
    CHECK_C(weft_poll(NULL, 1, &tasks) == WEFT_NOT_MADE && tasks == 0);
#if WEFT_FORK_DEPTH
    weft_child child;
    CHECK_C(weft_child_init(&child, NULL, NULL) == WEFT_NULL_RUN &&
            weft_group_init(NULL, pool) == WEFT_NOT_MADE);
#endif
    end();
    CHECK_C(many[0].runs == 1 && many[1].runs == 0);
}
#else
void c_misuse_is_answered(void) { CHECK_C(WEFT_CHECKS == 0); }
#endif

static uint32_t seen[4];
static uint32_t seen_count;
static weft_strand strand;
static void submit_in_handler(void) {
    CHECK_C(weft_strand_submit_from_isr(&strand, &many[3].task) == WEFT_OK);
}
static void note(weft_task* self) { seen[seen_count++] = (uint32_t)((counted*)self - many); }
void c_strands_keep_order(void) {
    begin();
    make_many();
    CHECK_C(weft_strand_init(&strand, pool) == WEFT_OK);
    seen_count = 0;
    for (uint32_t i = 0; i != 4; ++i) many[i].task.run = note;
    for (uint32_t i = 0; i != 3; ++i) CHECK_C(weft_strand_submit(&strand, &many[i].task) == WEFT_OK);
    in_handler(submit_in_handler);
    end();
    CHECK_C(seen_count == 4 && seen[0] == 0 && seen[1] == 1 && seen[2] == 2 && seen[3] == 3);
    weft_batch left = {0};
    weft_strand_take_back(&strand, &left);
    CHECK_C(weft_batch_size(&left) == 0);
}

static weft_gate gate;
static weft_event event;
static void arrive_in_handler(void) { CHECK_C(weft_gate_arrive_from_isr(&gate, 1) == WEFT_OK); }
static void signal_in_handler(void) { CHECK_C(weft_event_signal_from_isr(&event) == WEFT_OK); }
static void set_in_handler(void) {
    CHECK_C(weft_event_wait_from_isr(&event, &many[5].task) == WEFT_OK);
    CHECK_C(weft_event_set_from_isr(&event) == WEFT_OK);
}
void c_gates_and_events_let_go(void) {
    begin();
    make_many();
    CHECK_C(weft_gate_init(&gate, pool, &many[0].task, 3) == WEFT_OK);
    CHECK_C(weft_gate_arrive(&gate, 2) == WEFT_OK && weft_gate_arrive(&gate, 2) == WEFT_NOT_EXPECTED);
    in_handler(arrive_in_handler);
    CHECK_C(weft_event_init(&event, pool) == WEFT_OK);
    CHECK_C(weft_event_signal(&event) == WEFT_OK && weft_event_wait(&event, &many[1].task) == WEFT_OK);
    CHECK_C(weft_event_wait(&event, &many[2].task) == WEFT_OK);
    in_handler(signal_in_handler);
    CHECK_C(weft_event_set(&event) == WEFT_OK && weft_event_wait(&event, &many[3].task) == WEFT_OK);
    weft_event_clear(&event);
    in_handler(set_in_handler);
    weft_event_clear(&event);
    CHECK_C(weft_event_wait(&event, &many[4].task) == WEFT_OK); /* nobody lets it go */
    end();
    CHECK_C(many[0].runs == 1 && many[1].runs == 1 && many[2].runs == 1 && many[3].runs == 1);
    CHECK_C(many[5].runs == 1);
    weft_batch left = {0};
    weft_event_take_back(&event, &left);
    CHECK_C(many[4].runs == 0 && weft_batch_pop(&left) == &many[4].task && weft_batch_size(&left) == 0);
}

static void add_one(void* number) { ++*(uint32_t*)number; }
void c_work_is_waited_for_and_taken_back(void) {
    begin();
    uint32_t done = 0, not_done = 0;
    weft_work work, taken, end_of_all;
    CHECK_C(weft_work_init(&work, pool, add_one, &done) == WEFT_OK);
    CHECK_C(weft_work_init(&taken, pool, add_one, &not_done) == WEFT_OK);
    CHECK_C(weft_completion_init(&end_of_all, pool) == WEFT_OK);
    CHECK_C(weft_work_cancel(&taken) == WEFT_CANCELLED && weft_work_is_cancelled(&taken));
    CHECK_C(weft_submit(pool, &taken.task) == WEFT_OK && weft_submit(pool, &work.task) == WEFT_OK);
    CHECK_C(weft_submit(pool, &end_of_all.task) == WEFT_OK);
    CHECK_C(weft_work_wait(&work) == WEFT_OK && weft_work_wait(&taken) == WEFT_OK);
    CHECK_C(weft_work_wait(&end_of_all) == WEFT_OK && weft_work_is_done(&work));
    CHECK_C(done == 1 && not_done == 0 && weft_work_cancel(&work) == WEFT_TOO_LATE);
    CHECK_C(weft_work_reset(&work) == WEFT_OK && weft_submit(pool, &work.task) == WEFT_OK);
    CHECK_C(weft_work_wait(&work) == WEFT_OK && done == 2);
    end();
}

void c_paints_its_stack(void) {
    const weft_status painted =
        weft_paint_stack(); /* on the host core 0 is the process's: its end is not known */
    const weft_stack_use use = weft_stack_use_of(weft_this_core());
    CHECK_C(painted == WEFT_OK ? use.bytes > use.unused : painted == WEFT_UNKNOWN_CORE && use.bytes == 0);
    CHECK_C(weft_stack_use_of(1000).bytes == 0);
}

void c_reads_the_clock(void) {
    const uint32_t begin_of_it = weft_now();
    CHECK_C(weft_ticks_per_ms() != 0);
    while (weft_now() - begin_of_it < weft_ticks_per_ms()) {
        /* A millisecond; without a clock so many looks. */
    }
    CHECK_C(weft_now() != begin_of_it);
}

static unsigned letters;
static void put(char letter) { letters += letter != 0; }
void c_puts_a_trace(void) {
    weft_put_trace(put);
    CHECK_C(WEFT_TRACE ? letters > 100 : letters == 0);
}
