/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/// @file
/// weft for C11: all that the C++ headers have, by functions. The sources behind it are src/c/*.cpp; an image that
/// calls none of them has nothing of it.
///
///     static WEFT_POOL_MEMORY(memory, 4, 64);
///     static void hello(weft_task* self) { ... }
///     static weft_task task = WEFT_TASK(hello);
///
///     weft_pool* pool;
///     if (weft_pool_init(&pool, memory, sizeof memory, 4, 64) != WEFT_OK) ...
///     if (weft_submit(pool, &task) != WEFT_OK) ...
///     weft_run(pool);
///
/// Each function is the one of the C++ class that it names: same contexts, same results, same lifetimes. What differs
/// is said here. Settings are those of config.hpp; a function that needs one is declared only with it.
///
/// *Misuse.* In checked builds a null pointer gives WEFT_NOT_MADE, or a panic where a function returns no status. So
/// does an object that its `..._init` has refused, or has not made: if its memory is all zero, as that of static
/// objects is. In other builds it is undefined; so is, in all, an object in memory that holds something else.
/// @panics Checked builds: such misuse, of a function that returns no status.
///
/// *Stack.* A run function gets its task, and finds what is around it: put the task first in your struct, and cast.
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weft/config.hpp>

#ifdef __cplusplus
extern "C" {
#endif

/// What a call returns: the values of weft::Status, and two more.
typedef enum weft_status {
    WEFT_OK,                ///< it was done
    WEFT_CLOSED,            ///< the pool was shut down
    WEFT_MISALIGNED_TASK,   ///< the task is not aligned as a weft_task (checked builds)
    WEFT_NULL_RUN,          ///< the task has no run function (checked builds)
    WEFT_ALREADY_QUEUED,    ///< the task is queued, or in a batch (checked builds)
    WEFT_UNKNOWN_CORE,      ///< no such core in this pool
    WEFT_CORE_UNAVAILABLE,  ///< the core is off and could not be started
    WEFT_WRONG_CONTEXT,     ///< not from here
    WEFT_OUT_OF_RANGE,      ///< a time, a level of urgency, a set of cores; the size of a pool or of a ring
    WEFT_NOT_EXPECTED,      ///< a gate: too many arrivals; a reset of work that runs
    WEFT_LEFT_OVER,         ///< join: tasks could not be run, and there was no batch to take them
    WEFT_TIMED_OUT,         ///< quiesce: a core did not come in time
    WEFT_BUSY,              ///< quiesce: another core was faster
    WEFT_RETIRED,           ///< run: the core was retired; the pool goes on without it
    WEFT_NOT_MADE = 64,     ///< a null pointer, or an object that was not made (checked builds)
    WEFT_WRONG_MEMORY,      ///< memory for a pool: too small, or not aligned
} weft_status;

/// What a cancel has done: the values of weft::CancelResult.
typedef enum weft_cancel_result {
    WEFT_CANCELLED,  ///< what was to run will not run, and is not running
    WEFT_TOO_LATE,   ///< it has run, or runs
    WEFT_NOT_ARMED,  ///< a timer that is not armed
} weft_cancel_result;

/// What becomes of queued tasks at a shutdown: the values of weft::Shutdown.
typedef enum weft_shutdown_mode {
    WEFT_DRAIN,    ///< every accepted task still runs
    WEFT_ABANDON,  ///< running tasks end, queued ones are handed back
} weft_shutdown_mode;

/// weft::describe(): an English sentence about a status, for logs.
/// @context Any context.
/// @lifetime The text lives for ever.
const char* weft_describe(weft_status status);

/* ---- Objects */

/// For the objects here. Words whose names end in _ are weft's own. They are written by code that has other types for
/// them, so a compiler may not assume that nobody changes them.
#define WEFT_FOREIGN_ __attribute__((__may_alias__, __aligned__(2 * sizeof(void*))))
/// See struct weft_task.
typedef struct weft_task weft_task;
/// A piece of work: two words in an object of yours, as weft::Task. Zero and a function: WEFT_TASK(run).
/// @lifetime As weft::Task: it stays alive and in place until `run` is called.
struct WEFT_FOREIGN_ weft_task {
    uintptr_t link_;               ///< weft's
    void (*run)(weft_task* self);  ///< called once per submit, on any core of the pool
};
/// What a task is initialised with.
#define WEFT_TASK(function) \
    { 0, function }

/// Some tasks to be submitted at once, as weft::Batch. Zero is empty: `weft_batch batch = {0};`
/// @lifetime As weft::Batch.
typedef struct WEFT_FOREIGN_ weft_batch {
    void* ends_[2];      ///< weft's
    uint32_t words_[2];  ///< weft's
} weft_batch;

/// A pool, in memory that weft_pool_init() was given.
typedef struct weft_pool weft_pool;

/// What each core counts: the words of weft::CoreStats, in the same order.
typedef struct weft_stats {
    uint32_t executed;        ///< tasks run
    uint32_t submitted;       ///< tasks accepted from tasks on the core
    uint32_t stolen;          ///< steals
    uint32_t steal_attempts;  ///< victims looked at
    uint32_t overflows;       ///< tasks that found the ring full
    uint32_t wakes;           ///< times it woke because there was something
    uint32_t spurious_wakes;  ///< times it woke for nothing
#if WEFT_PREEMPTION
    uint32_t preempting;  ///< tasks of the level that preempts
#endif
#if WEFT_METRICS
    uint32_t from_ring;             ///< of the tasks run: from the core's own ring
    uint32_t from_pinned;           ///< for this core alone
    uint32_t from_overflow;         ///< its own overflow
    uint32_t from_injector;         ///< from outside, and from handlers
    uint32_t from_sets;             ///< for some of the cores
    uint32_t from_urgent;           ///< of a level of urgency
    uint32_t from_blocking;         ///< long ones
    uint32_t from_mandatory;        ///< those that run whatever becomes of their pool
    uint32_t from_forks;            ///< other cores' forked children
    uint32_t from_others_overflow;  ///< other cores' overflow
    uint32_t from_others_ring;      ///< other cores' rings
    uint32_t from_strands;          ///< of a strand's burst all but the first
#endif
    uint32_t parks;  ///< times it woke, for something or for nothing
} weft_stats;

/* ---- Pools */

/// The cache line that WEFT_POOL_BYTES assumes: at least that of the port. On Cortex-M, 8 spares memory.
/// @range 8..64 bytes, a power of two
#ifndef WEFT_C_CACHE_LINE
#define WEFT_C_CACHE_LINE 64
#endif

/// @cond
#define WEFT_IN_LINES_(bytes) (((bytes) + WEFT_C_CACHE_LINE - 1u) / WEFT_C_CACHE_LINE * WEFT_C_CACHE_LINE)
#define WEFT_POOL_FIXED_                                                                             \
    (WEFT_IN_LINES_(64u) + WEFT_IN_LINES_(4u * sizeof(void*)) + WEFT_REST * WEFT_IN_LINES_(32u) +    \
     (WEFT_URGENCY_LEVELS - 1u) * WEFT_IN_LINES_(4u * sizeof(void*)) +                               \
     WEFT_CORE_SETS * WEFT_IN_LINES_(4u * sizeof(void*)) +                                           \
     WEFT_TIMERS * WEFT_IN_LINES_(8u * sizeof(void*)) + WEFT_PREEMPTION * WEFT_IN_LINES_(4u) +       \
     WEFT_QUIESCE * WEFT_IN_LINES_(12u) + WEFT_ELASTIC * WEFT_IN_LINES_(12u) +                       \
     WEFT_BLOCKING * WEFT_IN_LINES_(8u + 2u * sizeof(void*)) +                                       \
     WEFT_MANDATORY * WEFT_IN_LINES_(2u * sizeof(void*)) + WEFT_FEW_SEARCHERS * WEFT_IN_LINES_(4u) + \
     WEFT_SLEEP_HOOKS * WEFT_IN_LINES_(4u * sizeof(void*)) +                                         \
     WEFT_METRICS * 8u * (3u + WEFT_URGENCY_LEVELS + WEFT_CORE_SETS))
#define WEFT_POOL_PER_CORE_                                                                                  \
    (WEFT_IN_LINES_(2u * WEFT_C_CACHE_LINE + 80u + 6u * sizeof(void*) +                                      \
                    WEFT_PREEMPTION * (12u + 2u * sizeof(void*)) + WEFT_QUIESCE * 8u +                       \
                    WEFT_TRACE * sizeof(void*) + WEFT_ELASTIC * (16u + sizeof(void*)) + WEFT_BLOCKING * 8u + \
                    WEFT_MANDATORY * 4u + WEFT_METRICS * 76u + WEFT_FEW_SEARCHERS * 4u +                     \
                    WEFT_SLEEP_HOOKS * 4u + (WEFT_FAIR_MOST != 0 ? 16u : 0u) +                               \
                    WEFT_NEWEST_FIRST * (8u + sizeof(void*)) + (WEFT_SEARCH_MOST != 0 ? 4u : 0u)) +          \
     (WEFT_FORK_DEPTH > 0                                                                                    \
          ? WEFT_IN_LINES_(WEFT_C_CACHE_LINE + 32u + (12u + WEFT_FORK_DEPTH) * sizeof(void*))                \
          : 0u))
/// @endcond
/// How many bytes are enough for a pool of `cores` cores, with rings of `ring` tasks: a constant. What it takes is
/// weft_pool_bytes(), which is not more.
#define WEFT_POOL_BYTES(cores, ring) \
    (WEFT_POOL_FIXED_ + (cores) * (WEFT_POOL_PER_CORE_ + (ring) * sizeof(void*)))
/// @cond
#ifdef __cplusplus
#define WEFT_STATIC_ASSERT_ static_assert
#else
#define WEFT_STATIC_ASSERT_ _Static_assert
#endif
/// @endcond
/// Defines the memory for a pool; `static` may stand before it. Sizes that no pool can have do not compile.
#define WEFT_POOL_MEMORY(name, cores, ring)                                                           \
    __attribute__((__aligned__(WEFT_C_CACHE_LINE))) unsigned char name[WEFT_POOL_BYTES(cores, ring)]; \
    WEFT_STATIC_ASSERT_((cores) >= 1 && (cores) <= 24, "weft: a pool has 1 to 24 cores");             \
    WEFT_STATIC_ASSERT_((ring) >= 2 && ((ring) & ((ring)-1)) == 0 && (ring) <= 65536,                 \
                        "weft: the ring size must be a power of two from 2 to 65536")

/// How many bytes of memory a pool of `cores` cores takes in this build, with rings of `ring` tasks; 0 if there is no
/// such pool.
/// @context Any context.
size_t weft_pool_bytes(uint32_t cores, uint32_t ring);

/// @cond
#define WEFT_C_NAMED_(name, abi) name##abi
#define WEFT_C_NAMED(name, abi) WEFT_C_NAMED_(name, abi)
/* Where settings or version differ from those of the library, this name is not there. */
#define weft_pool_init WEFT_C_NAMED(weft_pool_init_, WEFT_ABI_OF(c))
/// @endcond
/// Makes a pool in `bytes` bytes of memory, which need not be zero. Not before main(): a pool of C has no constant
/// start value.
/// @context Task context, before any use of the pool.
/// @return ok, and the pool; out_of_range: `cores` is not 1..24, or more than the port knows (WEFT_MAX_CORES), or
/// `ring` no power of two of 2..65536; wrong_memory: fewer than weft_pool_bytes(), or not aligned (WEFT_POOL_MEMORY);
/// not_made: a null pointer. `*pool` is null with all but ok.
/// @lifetime The memory is the pool's until weft_join() has returned. A pool is used once.
weft_status weft_pool_init(weft_pool** pool, void* memory, size_t bytes, uint32_t cores, uint32_t ring);

/// weft::this_core(): the number of the calling core.
/// @context Any context of any core.
uint32_t weft_this_core(void);
/// Port::now(): the clock that all cores share, in ticks. It wraps, so compare times by their difference.
/// @context Any context.
uint32_t weft_now(void);
/// Port::ticks_per_ms(): how many ticks are a millisecond. Never 0.
/// @context Any context.
uint32_t weft_ticks_per_ms(void);
/// weft::put_trace(): what the recorder of WEFT_TRACE=1 holds, as lines for tools/trace.
/// @context As weft::put_trace().
/// @lifetime The function is called before it returns, not later.
void weft_put_trace(void (*put)(char letter));

/// Port::unpark() of the calling core: in an image in C, what the handler of its alarm ends with
/// (weft_image_set_alarm() in the port's weft_image.hpp, which C reads, too).
/// @context Any context of any core.
void weft_unpark_this_core(void);

/// Bytes of a core's stack: weft::StackUse. weft::StackUse::used() is `bytes - unused`.
typedef struct weft_stack_use {
    uint32_t bytes;   ///< what was painted; 0: not known
    uint32_t unused;  ///< of these, what was never written
} weft_stack_use;
/// weft::paint_stack().
/// @context As weft::paint_stack().
/// @return ok, unknown_core.
weft_status weft_paint_stack(void);
/// weft::stack_use().
/// @context As weft::stack_use().
/// @return What is known.
weft_stack_use weft_stack_use_of(uint32_t core);

/// Scheduler::submit(Task&).
/// @context Task context of any core.
/// @return ok, closed; in checked builds also misaligned_task, null_run, already_queued, wrong_context, not_made.
/// @lifetime As Scheduler::submit(Task&): the task stays until it starts.
weft_status weft_submit(weft_pool* pool, weft_task* task);
/// Scheduler::submit(Batch&).
/// @context As weft_submit().
/// @return ok, closed; in checked builds also wrong_context, not_made.
weft_status weft_submit_batch(weft_pool* pool, weft_batch* batch);
/// Scheduler::submit(Task&, Urgency): level 0 is normal.
/// @context As weft_submit().
/// @return As weft_submit(); out_of_range: no such level (WEFT_URGENCY_LEVELS).
/// @lifetime As weft_submit().
weft_status weft_submit_urgent(weft_pool* pool, weft_task* task, uint8_t level);
/// Scheduler::submit(Batch&, Urgency).
/// @context As weft_submit().
/// @return As weft_submit_batch(); out_of_range: no such level (WEFT_URGENCY_LEVELS).
weft_status weft_submit_batch_urgent(weft_pool* pool, weft_batch* batch, uint8_t level);
/// Scheduler::submit_from_isr(Task&).
/// @context Any context of any core.
/// @return As weft_submit(), without wrong_context.
/// @lifetime As weft_submit().
weft_status weft_submit_from_isr(weft_pool* pool, weft_task* task);
/// Scheduler::submit_from_isr(Task&, Urgency).
/// @context Any context of any core.
/// @return As weft_submit_urgent(), without wrong_context.
/// @lifetime As weft_submit().
weft_status weft_submit_urgent_from_isr(weft_pool* pool, weft_task* task, uint8_t level);
/// Scheduler::submit_on(core, task).
/// @context As weft_submit().
/// @return As weft_submit(); unknown_core, core_unavailable.
/// @lifetime As weft_submit().
weft_status weft_submit_on(weft_pool* pool, uint32_t core, weft_task* task);
#if WEFT_CORE_SETS
/// Scheduler::submit_on(CoreSet, Task&): bit k of the mask stands for core k.
/// @context As weft_submit().
/// @return As Scheduler::submit_on(CoreSet, Task&).
/// @lifetime As weft_submit().
weft_status weft_submit_on_set(weft_pool* pool, uint32_t mask, weft_task* task);
/// Scheduler::submit_on(CoreSet, Batch&).
/// @context As weft_submit().
/// @return As Scheduler::submit_on(CoreSet, Batch&).
weft_status weft_submit_batch_on_set(weft_pool* pool, uint32_t mask, weft_batch* batch);
/// Scheduler::submit_on_from_isr(CoreSet, Task&).
/// @context Any context of any core.
/// @return As Scheduler::submit_on_from_isr().
/// @lifetime As weft_submit().
weft_status weft_submit_on_set_from_isr(weft_pool* pool, uint32_t mask, weft_task* task);
#endif

/// Scheduler::run().
/// @context As Scheduler::run().
/// @return As Scheduler::run(); in checked builds also not_made.
weft_status weft_run(weft_pool* pool);
/// Scheduler::poll(). `*tasks` (which may be null): how many were run.
/// @context As Scheduler::run().
/// @return As Scheduler::poll(); in checked builds also not_made.
weft_status weft_poll(weft_pool* pool, uint32_t max_tasks, uint32_t* tasks);
/// Scheduler::shutdown().
/// @context Any context of any core.
void weft_shutdown(weft_pool* pool, weft_shutdown_mode mode);
/// Scheduler::join(), and with a batch Scheduler::join(Batch&).
/// @context As Scheduler::join().
/// @return As Scheduler::join(); in checked builds also not_made.
weft_status weft_join(weft_pool* pool, weft_batch* left_over);
#if WEFT_QUIESCE
/// Scheduler::quiesce().
/// @context As Scheduler::quiesce().
/// @return As Scheduler::quiesce(); in checked builds also not_made.
weft_status weft_quiesce(weft_pool* pool, uint32_t ticks);
/// Scheduler::resume().
/// @context As Scheduler::resume().
/// @return As Scheduler::resume(); in checked builds also not_made.
weft_status weft_resume(weft_pool* pool);
#endif
#if WEFT_ELASTIC
/// Scheduler::retire().
/// @context As Scheduler::retire().
/// @return As Scheduler::retire(); in checked builds also not_made.
weft_status weft_retire(weft_pool* pool, uint32_t core);
/// Scheduler::admit().
/// @context As Scheduler::admit().
/// @return As Scheduler::admit(); in checked builds also not_made.
weft_status weft_admit(weft_pool* pool, uint32_t core);
/// Scheduler::limit_cores().
/// @context As Scheduler::limit_cores().
/// @return As Scheduler::limit_cores(); in checked builds also not_made.
weft_status weft_limit_cores(weft_pool* pool, uint32_t most);
#if WEFT_TIMERS
/// Scheduler::keep_alive().
/// @context As Scheduler::keep_alive().
/// @return As Scheduler::keep_alive(); in checked builds also not_made.
weft_status weft_keep_alive(weft_pool* pool, uint32_t ticks);
/// Scheduler::keep_alive_for_ever().
/// @context As Scheduler::keep_alive_for_ever().
void weft_keep_alive_for_ever(weft_pool* pool);
#endif
#endif
#if WEFT_BLOCKING
/// Blocking::submit_blocking().
/// @context As Blocking::submit_blocking().
/// @return As Blocking::submit_blocking(); in checked builds also not_made.
/// @lifetime As weft_submit().
weft_status weft_submit_blocking(weft_pool* pool, weft_task* task);
/// Blocking::submit_blocking_from_isr().
/// @context As Blocking::submit_blocking_from_isr().
/// @return As Blocking::submit_blocking_from_isr(); in checked builds also not_made.
/// @lifetime As weft_submit().
weft_status weft_submit_blocking_from_isr(weft_pool* pool, weft_task* task);
/// Blocking::limit_blocking(): at most `most` cores run such tasks.
/// @context As Blocking::limit_blocking().
/// @return As Blocking::limit_blocking(); in checked builds also not_made.
weft_status weft_limit_blocking(weft_pool* pool, uint32_t most);
/// Blocking::blocking_cores().
/// @context As Blocking::blocking_cores().
uint32_t weft_blocking_cores(const weft_pool* pool);
#endif
#if WEFT_MANDATORY
/// Mandatory::submit_mandatory().
/// @context As Mandatory::submit_mandatory().
/// @return As Mandatory::submit_mandatory(); in checked builds also not_made.
/// @lifetime As weft_submit().
weft_status weft_submit_mandatory(weft_pool* pool, weft_task* task);
/// Mandatory::submit_mandatory_from_isr().
/// @context As Mandatory::submit_mandatory_from_isr().
/// @return As Mandatory::submit_mandatory_from_isr(); in checked builds also not_made.
/// @lifetime As weft_submit().
weft_status weft_submit_mandatory_from_isr(weft_pool* pool, weft_task* task);
#endif
#if WEFT_METRICS
/// The queues of a pool: the values of weft::Queue.
typedef enum weft_queue {
    WEFT_INJECTOR,         ///< from outside, and from handlers
    WEFT_RING,             ///< of a core
    WEFT_OVERFLOW,         ///< of a core
    WEFT_PINNED,           ///< of a core
    WEFT_URGENT,           ///< of a level of urgency, 1 or more
    WEFT_OF_SET,           ///< of a set of cores
    WEFT_BLOCKING_TASKS,   ///< long tasks
    WEFT_MANDATORY_TASKS,  ///< tasks that run whatever becomes of their pool
} weft_queue;
/// weft::QueueDepth.
typedef struct weft_queue_depth {
    uint32_t now;   ///< how many tasks stand there
    uint32_t most;  ///< the largest number that ever did
} weft_queue_depth;
/// Metrics::depth().
/// @context Any context of any core.
/// @return As Metrics::depth().
weft_queue_depth weft_depth(const weft_pool* pool, weft_queue queue, uint32_t index);
/// Metrics::queued().
/// @context Any context of any core.
/// @return As Metrics::queued().
uint32_t weft_queued(const weft_pool* pool);
#endif
#if WEFT_FEW_SEARCHERS
/// Searching::searching_cores().
/// @context Any context of any core.
uint32_t weft_searching_cores(const weft_pool* pool);
#endif
/// Scheduler::offer_from_isr(): always with a pool.
/// @context Interrupt handlers of any core.
void weft_offer_from_isr(weft_pool* pool);
/// Scheduler::is_closing().
/// @context As Scheduler::is_closing().
bool weft_is_closing(const weft_pool* pool);
#if WEFT_WATCH
/// Heartbeat: what a core was seen to run.
typedef struct weft_heartbeat {
    const void* task;    ///< Heartbeat::task
    uintptr_t function;  ///< Heartbeat::function: of a weft_task, its run function
    uint32_t core;       ///< Heartbeat::core
    uint32_t ticks;      ///< Heartbeat::ticks
    uint32_t beats;      ///< Heartbeat::beats
    bool asleep;         ///< Heartbeat::asleep
    bool has_pinned;     ///< Heartbeat::has_pinned
} weft_heartbeat;
/// Watching::heartbeat().
/// @context As Watching::heartbeat().
weft_heartbeat weft_heartbeat_of(const weft_pool* pool, uint32_t core);
/// Watching::beat().
/// @context As Watching::beat().
/// @return As Watching::beat().
weft_status weft_beat(void);
/// Unmoved: all zero at first.
typedef struct weft_unmoved {
    uint32_t words_[3];  ///< weft's own
} weft_unmoved;
/// Unmoved::looks().
/// @context As Unmoved::looks().
/// @return As Unmoved::looks().
uint32_t weft_unmoved_looks(weft_unmoved* unmoved, const weft_heartbeat* seen);
#endif
#if WEFT_REST
/// Scheduler::wait_idle().
/// @context As Scheduler::wait_idle().
/// @return As Scheduler::wait_idle(); in checked builds also not_made.
weft_status weft_wait_idle(weft_pool* pool);
/// Scheduler::on_all_asleep().
/// @context As Scheduler::on_all_asleep().
/// @return As Scheduler::on_all_asleep(); in checked builds also not_made.
/// @lifetime Function and argument are used until weft_join() has returned.
weft_status weft_on_all_asleep(weft_pool* pool, void (*function)(void* argument), void* argument);
#endif
#if WEFT_SLEEP_HOOKS
/// Sleeping::on_sleep().
/// @context As Sleeping::on_sleep().
/// @return As Sleeping::on_sleep(); in checked builds also not_made.
/// @lifetime Functions and argument are used until weft_join() has returned.
weft_status weft_on_sleep(weft_pool* pool, void (*before)(uint32_t core, uint32_t last, void* argument),
                          void (*after)(uint32_t core, uint32_t slept, void* argument), void* argument);
#endif

/// Scheduler::cores().
/// @context Any context.
uint32_t weft_cores(const weft_pool* pool);
/// Scheduler::live_cores().
/// @context Any context.
uint32_t weft_live_cores(const weft_pool* pool);
/// Metrics::sleeping_cores().
/// @context Any context of any core.
uint32_t weft_sleeping_cores(const weft_pool* pool);
/// Scheduler::start_failures().
/// @context Any context.
uint32_t weft_start_failures(const weft_pool* pool);
/// Scheduler::stats().
/// @context Any context.
weft_stats weft_core_stats(const weft_pool* pool, uint32_t core);
/// Scheduler::total().
/// @context Any context.
weft_stats weft_total_stats(const weft_pool* pool);

/// Batch::push().
/// @context As Batch::push().
/// @return As Batch::push(); in checked builds also not_made.
/// @lifetime The task stays until it starts, or weft_batch_pop() has returned it.
weft_status weft_batch_push(weft_batch* batch, weft_task* task);
/// Batch::pop(): the first task, or null.
/// @context As Batch::push().
weft_task* weft_batch_pop(weft_batch* batch);
/// Batch::size().
/// @context As Batch::push().
uint32_t weft_batch_size(const weft_batch* batch);

/* ---- Order among tasks. `pool` in an init: the pool that it is for. */

/// weft::Strand.
/// @lifetime As weft::Strand, from weft_strand_init() on.
typedef struct WEFT_FOREIGN_ weft_strand {
    uintptr_t words_[8];  ///< weft's
} weft_strand;
/// Strand::Strand().
/// @context Any context, before any other use.
/// @return ok; in checked builds also not_made.
weft_status weft_strand_init(weft_strand* strand, weft_pool* pool);
/// Strand::submit().
/// @context As weft_submit().
/// @return As weft_submit().
/// @lifetime As weft_submit().
weft_status weft_strand_submit(weft_strand* strand, weft_task* task);
/// Strand::submit_from_isr().
/// @context Any context of any core.
/// @return As weft_submit_from_isr().
/// @lifetime As weft_submit().
weft_status weft_strand_submit_from_isr(weft_strand* strand, weft_task* task);
/// Strand::take_back().
/// @context As Strand::take_back().
void weft_strand_take_back(weft_strand* strand, weft_batch* left_over);

/// weft::Gate.
/// @lifetime As weft::Gate, from weft_gate_init() on.
typedef struct WEFT_FOREIGN_ weft_gate {
    uintptr_t words_[8];  ///< weft's
} weft_gate;
/// Gate::Gate().
/// @context Any context, before any other use.
/// @return ok; in checked builds also not_made.
weft_status weft_gate_init(weft_gate* gate, weft_pool* pool, weft_task* follower, uint32_t arrivals);
/// Gate::arrive().
/// @context As weft_submit().
/// @return As Gate::arrive(); in checked builds also not_made.
weft_status weft_gate_arrive(weft_gate* gate, uint32_t by);
/// Gate::arrive_from_isr().
/// @context Any context of any core.
/// @return As Gate::arrive(); in checked builds also not_made.
weft_status weft_gate_arrive_from_isr(weft_gate* gate, uint32_t by);

/// weft::Event.
/// @lifetime As weft::Event, from weft_event_init() on.
typedef struct WEFT_FOREIGN_ weft_event {
    uintptr_t words_[8];  ///< weft's
} weft_event;
/// Event::Event().
/// @context Any context, before any other use.
/// @return ok; in checked builds also not_made.
weft_status weft_event_init(weft_event* event, weft_pool* pool);
/// Event::wait().
/// @context As weft_submit().
/// @return As weft_submit().
/// @lifetime The task stays until it starts, or weft_event_take_back() has returned it.
weft_status weft_event_wait(weft_event* event, weft_task* task);
/// Event::wait_from_isr().
/// @context Any context of any core.
/// @return As weft_submit_from_isr().
/// @lifetime As weft_event_wait().
weft_status weft_event_wait_from_isr(weft_event* event, weft_task* task);
/// Event::set().
/// @context As weft_submit().
/// @return As Event::set(); in checked builds also not_made.
weft_status weft_event_set(weft_event* event);
/// Event::set_from_isr().
/// @context Any context of any core.
/// @return As Event::set_from_isr(); in checked builds also not_made.
weft_status weft_event_set_from_isr(weft_event* event);
/// Event::signal().
/// @context As weft_submit().
/// @return As Event::set(); in checked builds also not_made.
weft_status weft_event_signal(weft_event* event);
/// Event::signal_from_isr().
/// @context Any context of any core.
/// @return As Event::set_from_isr(); in checked builds also not_made.
weft_status weft_event_signal_from_isr(weft_event* event);
/// Event::clear().
/// @context Any context.
void weft_event_clear(weft_event* event);
/// Event::take_back().
/// @context As Event::take_back().
void weft_event_take_back(weft_event* event, weft_batch* left_over);

/// weft::Work, and weft::Completion: submit its member `task`.
/// @lifetime As weft::Waitable, from its init on.
typedef struct WEFT_FOREIGN_ weft_work {
    weft_task task;       ///< what is submitted
    uintptr_t words_[6];  ///< weft's
} weft_work;
/// Work::Work(): function(argument) is the work.
/// @context Any context, before any other use.
/// @return ok; null_run, not_made in checked builds.
weft_status weft_work_init(weft_work* work, weft_pool* pool, void (*function)(void* argument),
                           void* argument);
/// Completion::Completion(): a task that does nothing but end a wait.
/// @context Any context, before any other use.
/// @return ok; in checked builds also not_made.
weft_status weft_completion_init(weft_work* work, weft_pool* pool);
/// Waitable::wait().
/// @context As Waitable::wait().
/// @return As Waitable::wait(); in checked builds also not_made.
weft_status weft_work_wait(weft_work* work);
/// Waitable::cancel().
/// @context Any context of any core.
/// @return cancelled or too_late.
weft_cancel_result weft_work_cancel(weft_work* work);
/// Waitable::reset().
/// @context As Waitable::reset().
/// @return ok, not_expected; in checked builds also not_made.
weft_status weft_work_reset(weft_work* work);
/// Waitable::is_done().
/// @context Any context.
bool weft_work_is_done(const weft_work* work);
/// Waitable::is_cancelled().
/// @context Any context.
bool weft_work_is_cancelled(const weft_work* work);
#if WEFT_ELASTIC
/// Scheduler::retire() with a follower, which is submitted when the core has left.
/// @context As Scheduler::retire().
/// @return As Scheduler::retire(); in checked builds also not_made.
/// @lifetime As Scheduler::retire().
weft_status weft_retire_then(weft_pool* pool, uint32_t core, weft_work* follower);
#endif

#if WEFT_TIMERS
/// weft::Timer.
/// @lifetime As weft::Timer, from weft_timer_init() on.
typedef struct WEFT_FOREIGN_ weft_timer {
    uintptr_t words_[20];  ///< weft's
} weft_timer;
/// `count` milliseconds in ticks, as weft::milliseconds().
/// @context Any context.
uint32_t weft_milliseconds(uint32_t count);
/// Timer::Timer(). `level`: the urgency of the follower, 0 is normal.
/// @context Any context, before any other use.
/// @return ok; out_of_range: no such level (WEFT_URGENCY_LEVELS); in checked builds also not_made.
weft_status weft_timer_init(weft_timer* timer, weft_pool* pool, weft_task* follower, uint8_t level);
/// Timer::start_after(); times in ticks.
/// @context As weft_submit().
/// @return As Timer::start_after(); in checked builds also not_made.
weft_status weft_timer_start_after(weft_timer* timer, uint32_t delay, uint32_t slack);
/// Timer::start_at(); times in ticks.
/// @context As weft_submit().
/// @return As Timer::start_at(); in checked builds also not_made.
weft_status weft_timer_start_at(weft_timer* timer, uint32_t tick, uint32_t slack);
/// Timer::start_every(); times in ticks.
/// @context As weft_submit().
/// @return As Timer::start_every(); in checked builds also not_made.
weft_status weft_timer_start_every(weft_timer* timer, uint32_t period, uint32_t slack);
/// Timer::start_after_from_isr(); times in ticks.
/// @context Any context of any core.
/// @return As Timer::start_after_from_isr(); in checked builds also not_made.
weft_status weft_timer_start_after_from_isr(weft_timer* timer, uint32_t delay, uint32_t slack);
/// Timer::start_at_from_isr(); times in ticks.
/// @context Any context of any core.
/// @return As Timer::start_at_from_isr(); in checked builds also not_made.
weft_status weft_timer_start_at_from_isr(weft_timer* timer, uint32_t tick, uint32_t slack);
/// Timer::start_every_from_isr(); times in ticks.
/// @context Any context of any core.
/// @return As Timer::start_every_from_isr(); in checked builds also not_made.
weft_status weft_timer_start_every_from_isr(weft_timer* timer, uint32_t period, uint32_t slack);
/// Timer::cancel().
/// @context As Timer::cancel().
/// @return As Timer::cancel().
weft_cancel_result weft_timer_cancel(weft_timer* timer);
/// Timer::cancel_from_isr().
/// @context Any context of any core.
/// @return As Timer::cancel_from_isr().
weft_cancel_result weft_timer_cancel_from_isr(weft_timer* timer);
/// Timer::is_armed().
/// @context Any context.
bool weft_timer_is_armed(const weft_timer* timer);
/// Timer::missed().
/// @context Any context.
uint32_t weft_timer_missed(const weft_timer* timer);
#endif

#if WEFT_FORK_DEPTH
/* ---- Fork-join. `pool`: null in a task (or where all is to run serially), else as with a pool in front in C++. */

/// What is forked: called once, with its argument.
typedef void (*weft_function)(void* argument);
/// Scheduler::call(). Without a pool the function is called here and now.
/// @context As Scheduler::call().
/// @lifetime Nothing is kept: the function has returned when the call returns.
void weft_call(weft_pool* pool, weft_function function, void* argument);
/// weft::fork_join() of two functions.
/// @context As weft::fork_join().
/// @lifetime As weft_call().
void weft_fork_join(weft_pool* pool, weft_function first, void* first_argument, weft_function second,
                    void* second_argument);
/// weft::parallel_for(): body(argument, i) for first <= i < last.
/// @context As weft::parallel_for().
/// @lifetime As weft_call().
void weft_parallel_for(weft_pool* pool, uint32_t first, uint32_t last, uint32_t grain,
                       void (*body)(void* argument, uint32_t index), void* argument);
/// weft::parallel_reduce() of numbers of 64 bits.
/// @context As weft::parallel_reduce().
/// @return The combined value; `identity` for an empty or reversed range.
/// @lifetime As weft_call().
uint64_t weft_parallel_reduce(weft_pool* pool, uint32_t first, uint32_t last, uint32_t grain,
                              uint64_t identity, uint64_t (*map)(void* argument, uint32_t index),
                              uint64_t (*combine)(void* argument, uint64_t one, uint64_t other),
                              void* argument);

/// weft::GroupTask.
/// @lifetime As weft::GroupTask. It has no end that could be checked: let weft_group_wait() come before it.
typedef struct WEFT_FOREIGN_ weft_child {
    uintptr_t words_[8];  ///< weft's
} weft_child;
/// weft::TaskGroup.
/// @lifetime As weft::TaskGroup, but its end does not wait: weft_group_wait() does.
typedef struct WEFT_FOREIGN_ weft_group {
    uintptr_t words_[4];  ///< weft's
} weft_group;
/// GroupTask::GroupTask().
/// @context Any context, before any other use.
/// @return ok; null_run, not_made in checked builds.
weft_status weft_child_init(weft_child* child, weft_function function, void* argument);
/// TaskGroup::TaskGroup().
/// @context Task context of any core, before any other use.
/// @return ok; in checked builds also not_made.
weft_status weft_group_init(weft_group* group, weft_pool* pool);
/// TaskGroup::run().
/// @context As TaskGroup::run().
/// @lifetime The child stays until weft_group_wait() has returned.
void weft_group_run(weft_group* group, weft_child* child);
/// TaskGroup::wait().
/// @context As TaskGroup::run().
void weft_group_wait(weft_group* group);
#endif

#ifdef __cplusplus
}
#endif

#endif
