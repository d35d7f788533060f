// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Settings of the build, and the version. A project overrides a setting, or one of its port, with -D or in one header,
/// weft_config.h, on its include path. Every object of one image must be built with the same settings. Where a setting
/// changes the layout, or what a port's inline code does, a mixture fails to link, as the names differ (WEFT_ABI): they
/// list what is not as usual. The value of a setting is a plain decimal number.
/// C reads it, too (weft.h): the settings, not what a port is.
#pragma once

#if defined(__cplusplus)
#include <weft/port.hpp>
#elif defined(__has_include)
#if __has_include("weft_config.h")
#include "weft_config.h"
#endif
#endif

/// The version's first number. All three are those of the first entry of CHANGELOG.md.
#define WEFT_VERSION_MAJOR 0
/// The version's second number.
#define WEFT_VERSION_MINOR 1
/// The version's third number.
#define WEFT_VERSION_PATCH 0

/// 1, a checked build: every misuse that can be seen is reported, by a Status or by a panic. 0: no cost, and misuse is
/// undefined: a task that is submitted twice may hang its pool for good. As with assert(), 1 unless NDEBUG is defined.
/// Changes the layout.
/// @range 0 or 1
#ifndef WEFT_CHECKS
#if defined(NDEBUG)
#define WEFT_CHECKS 0
#else
#define WEFT_CHECKS 1
#endif
#endif

/// After this many tasks a worker looks at the shared queues before its own ring.
/// @range 2..65535 tasks
#ifndef WEFT_FAIR_INTERVAL
#define WEFT_FAIR_INTERVAL 61
#endif

/// Not 0: after how many tasks that look comes adapts to how long tasks turn out to be, from WEFT_FAIR_INTERVAL up to
/// this many. Between two looks of a core that does not run dry are WEFT_FAIR_MS then, by a moving average, or
/// WEFT_FAIR_INTERVAL tasks where these take longer. Where tasks become long at once, the interval that has begun goes
/// on to its end: up to this many long tasks. So choose it by that, too. Best together with a small WEFT_FAIR_INTERVAL,
/// as 8. The objects of an image must agree.
/// @range 0, or 2 * WEFT_FAIR_INTERVAL..65535 tasks
#ifndef WEFT_FAIR_MOST
#define WEFT_FAIR_MOST 0
#endif

/// With WEFT_FAIR_MOST: the time between two such looks. The objects of an image must agree.
/// @range 1..4000 milliseconds
#ifndef WEFT_FAIR_MS
#define WEFT_FAIR_MS 1
#endif

/// Not 0: a search begins at another core at random each time, in a sequence that this seed and the core give; it still
/// looks at all of them. Else it begins after the victim of its last steal, and all take turns. The objects of an
/// image must agree.
/// @range 0..2147483647: none, or the seed
#ifndef WEFT_RANDOM_VICTIMS
#define WEFT_RANDOM_VICTIMS 0
#endif

/// 1: what a task submits last is run first on its core, up to three times in a row: it is what the caches hold.
/// Thieves may take it. 0: first in, first out. Changes the layout.
/// @range 0 or 1
#ifndef WEFT_NEWEST_FIRST
#define WEFT_NEWEST_FIRST 0
#endif

/// Further rounds of searching, with relax() between them, before a worker parks.
/// @range 0..65535 rounds
#ifndef WEFT_SEARCH_ROUNDS
#define WEFT_SEARCH_ROUNDS 2
#endif

/// Not 0: how many rounds a worker searches before it parks adapts to how long its sleeps turn out to be, from
/// WEFT_SEARCH_ROUNDS up to this many. Where tasks come one soon after the other it goes on searching, and spares the
/// wakes. Where pauses are long it parks early. The objects of an image must agree.
/// @range 0, or WEFT_SEARCH_ROUNDS..65534 rounds
#ifndef WEFT_SEARCH_MOST
#define WEFT_SEARCH_MOST 0
#endif

/// A worker that searches leaves another worker's only task alone for this many calls of relax(). Most often that
/// worker runs it itself, and moving it costs more than it gains. A core that was woken takes it at once. A join that
/// finds nothing to help with waits as long between two looks. A core that finds another one just taking an urgent task
/// waits as long for it at most.
/// @range 0..65535 calls of relax()
#ifndef WEFT_STEAL_PATIENCE
#define WEFT_STEAL_PATIENCE 64
#endif

/// A core that was started must check in within this time, and within 2^31 ticks of the port's clock. After that a
/// later submit withdraws the start and may try again. (The clock has 32 bits. If nothing looks at a start for a whole
/// turn of the clock, it counts as young again for this long.)
/// @range 1..4000 milliseconds
#ifndef WEFT_START_DEADLINE_MS
#define WEFT_START_DEADLINE_MS 100
#endif

/// How many forked children that are not joined yet a worker keeps; each costs a pointer per core. For further ones
/// there is no room: their owner runs them itself. Stolen children count too, until thieves have begun all that are
/// kept and another core asks for more. Then the worker has room for as many again. 0: no fork-join, and no memory or
/// code for it. Changes the layout.
/// @range 0..254 children
#ifndef WEFT_FORK_DEPTH
#define WEFT_FORK_DEPTH 32
#endif

/// After this many tasks in a row a Strand lets other tasks of the pool have their turn.
/// @range 1..65535 tasks
#ifndef WEFT_STRAND_BURST
#define WEFT_STRAND_BURST 8
#endif

/// 1: timers (weft/timer.hpp). The port must have an alarm: Port::set_alarm(). 0: no memory or code for them. Changes
/// the layout.
/// @range 0 or 1
#ifndef WEFT_TIMERS
#define WEFT_TIMERS 0
#endif

/// How many levels of urgency a submit may have (weft/urgency.hpp). 1: all tasks are alike, and there is no memory or
/// code for more. Each further level costs a pool one word, and each task boundary one load. Changes the layout.
/// @range 1..4 levels
#ifndef WEFT_URGENCY_LEVELS
#define WEFT_URGENCY_LEVELS 1
#endif

/// 1: the most urgent level preempts (Urgency in weft/urgency.hpp): its tasks begin at once, on top of what a core
/// does. The port must have an interrupt for it: Port::interrupt(). 0: no memory or code for it. Changes the layout.
/// @range 0 or 1; 1 needs WEFT_URGENCY_LEVELS of at least 2
#ifndef WEFT_PREEMPTION
#define WEFT_PREEMPTION 0
#endif

/// 1: Scheduler::wait_idle() and Scheduler::on_all_asleep(). They cost a pool some words, and each sleep a fence and a
/// look at them. 0: no memory or code for them. Changes the layout.
/// @range 0 or 1
#ifndef WEFT_REST
#define WEFT_REST 0
#endif

/// 1: Scheduler::quiesce() and Scheduler::resume() (weft/quiesce.hpp). They cost a pool some words, and each task
/// boundary a load. 0: no memory or code for them. Changes the layout.
/// @range 0 or 1
#ifndef WEFT_QUIESCE
#define WEFT_QUIESCE 0
#endif

/// 1: cores can leave a pool before its end, by hand, above a limit, or when they have slept for some time
/// (weft/elastic.hpp). It costs a pool some words, and each task boundary a look at them. 0: no memory or code for
/// them. Not yet together with WEFT_PREEMPTION or WEFT_CORE_SETS. Changes the layout.
/// @range 0 or 1
#ifndef WEFT_ELASTIC
#define WEFT_ELASTIC 0
#endif

/// 1: what each core runs, and for how long, can be read by a handler of any core (weft/watch.hpp). It costs some words
/// for each core of the port, and each task some stores and two looks at who runs it, one of them at the clock. 0: no
/// memory or code for it.
/// @range 0 or 1
#ifndef WEFT_WATCH
#define WEFT_WATCH 0
#endif

/// 1: long tasks, on a limited number of cores (weft/blocking.hpp). They cost a pool some words, and each sleep two
/// steps of one of these. 0: no memory or code for them. Changes the layout.
/// @range 0 or 1
#ifndef WEFT_BLOCKING
#define WEFT_BLOCKING 0
#endif

/// 1: tasks that run even if their pool is abandoned (weft/mandatory.hpp). They cost a pool a list, and each search and
/// each last look before a sleep a look at it. 0: no memory or code for them. Changes the layout.
/// @range 0 or 1
#ifndef WEFT_MANDATORY
#define WEFT_MANDATORY 0
#endif

/// 1: how many tasks stand in each queue, and the most that ever did (weft/metrics.hpp); and where each core found the
/// tasks that it ran (CoreStats). It costs a pool two words for each queue and 13 for each core, each submit and each
/// search two or three steps of these, and each task a store. 0: no memory or code for them. Changes the layout.
/// @range 0 or 1
#ifndef WEFT_METRICS
#define WEFT_METRICS 0
#endif

/// 1: functions of the image around each sleep (weft/sleep.hpp). They cost a pool three words, a worker one, and each
/// sleep two reads of the clock. 0: no memory or code for them. Changes the layout.
/// @range 0 or 1
#ifndef WEFT_SLEEP_HOOKS
#define WEFT_SLEEP_HOOKS 0
#endif

/// 1: at most half of a pool's cores, and at least one, look for work at others at once (weft/searching.hpp). It costs
/// a pool a word, each core one, and each search two steps of the first. Not yet together with WEFT_PREEMPTION. 0: no
/// memory or code for it. Changes the layout.
/// @range 0 or 1
#ifndef WEFT_FEW_SEARCHERS
#define WEFT_FEW_SEARCHERS 0
#endif

/// How many different sets of two or more cores tasks may be submitted for (weft/core_set.hpp). Each costs a pool a
/// cache line, and each search a look. 0: no memory or code for them. Changes the layout.
/// @range 0..8 sets
#ifndef WEFT_CORE_SETS
#define WEFT_CORE_SETS 0
#endif

/// 1: the scheduler tells what it does, event by event (weft/trace.hpp): to a recorder, or to the header that
/// WEFT_TRACE_HOOKS names. 0: no memory or code for that. The objects of an image must agree.
/// @range 0 or 1
#ifndef WEFT_TRACE
#define WEFT_TRACE 0
#endif

/// How many events the recorder keeps of each core, 12 bytes each; then the oldest are overwritten.
/// @range a power of two, 16..65536 events
#ifndef WEFT_TRACE_EVENTS
#define WEFT_TRACE_EVENTS 256
#endif

/// How many cores have a ring of their own in the recorder. The others share one further ring.
/// @range 1..1024 cores
#ifndef WEFT_TRACE_CORES
#define WEFT_TRACE_CORES (weft::Port::max_cores)
#endif

/// Where ring indices begin; tests start them near the wrap of 2^32.
/// @range any uint32_t
#ifndef WEFT_INDEX_START
#define WEFT_INDEX_START 0u
#endif

// For this file alone: a setting is a plain number. With a digit before it, a word as `yes` or `true` is none, and the
// #else is compiled.
#define WEFT_BEHIND_1_(setting) 1##setting
#define WEFT_BEHIND_1(setting) WEFT_BEHIND_1_(setting)
#define WEFT_IS_NUMBER(setting) (WEFT_BEHIND_1(setting) > 1)
#define WEFT_IS_SWITCH(setting) (WEFT_BEHIND_1(setting) == 10 || WEFT_BEHIND_1(setting) == 11)

#if WEFT_IS_SWITCH(WEFT_CHECKS)
#else
#error "weft: WEFT_CHECKS must be 0 or 1"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_SWITCH(WEFT_TIMERS)
#else
#error "weft: WEFT_TIMERS must be 0 or 1"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_SWITCH(WEFT_REST)
#else
#error "weft: WEFT_REST must be 0 or 1"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_SWITCH(WEFT_ELASTIC)
#else
#error "weft: WEFT_ELASTIC must be 0 or 1"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_ELASTIC && (WEFT_PREEMPTION || WEFT_CORE_SETS)
#error \
    "weft: WEFT_ELASTIC=1 goes without WEFT_PREEMPTION and WEFT_CORE_SETS as yet (make run: VARIANT=elastic)"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_SWITCH(WEFT_QUIESCE)
#else
#error "weft: WEFT_QUIESCE must be 0 or 1"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_SWITCH(WEFT_WATCH)
#else
#error "weft: WEFT_WATCH must be 0 or 1"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_SWITCH(WEFT_BLOCKING)
#else
#error "weft: WEFT_BLOCKING must be 0 or 1"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_SWITCH(WEFT_MANDATORY)
#else
#error "weft: WEFT_MANDATORY must be 0 or 1"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_SWITCH(WEFT_METRICS)
#else
#error "weft: WEFT_METRICS must be 0 or 1"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_SWITCH(WEFT_SLEEP_HOOKS)
#else
#error "weft: WEFT_SLEEP_HOOKS must be 0 or 1"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_SWITCH(WEFT_NEWEST_FIRST)
#else
#error "weft: WEFT_NEWEST_FIRST must be 0 or 1"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_SWITCH(WEFT_FEW_SEARCHERS)
#else
#error "weft: WEFT_FEW_SEARCHERS must be 0 or 1"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_FEW_SEARCHERS && WEFT_PREEMPTION
#error "weft: WEFT_FEW_SEARCHERS=1 does not go together with WEFT_PREEMPTION yet"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_SWITCH(WEFT_TRACE)
#else
#error "weft: WEFT_TRACE must be 0 or 1"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_SWITCH(WEFT_PREEMPTION)
#else
#error "weft: WEFT_PREEMPTION must be 0 or 1"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_NUMBER(WEFT_FAIR_INTERVAL) && WEFT_FAIR_INTERVAL >= 2 && WEFT_FAIR_INTERVAL <= 65535
#else
#error "weft: WEFT_FAIR_INTERVAL must be 2..65535"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_NUMBER(WEFT_FAIR_MOST) && (WEFT_FAIR_MOST == 0 || WEFT_FAIR_MOST >= 2 * WEFT_FAIR_INTERVAL) && \
    WEFT_FAIR_MOST <= 65535
#else
#error "weft: WEFT_FAIR_MOST must be 0, or 2 * WEFT_FAIR_INTERVAL..65535"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_NUMBER(WEFT_FAIR_MS) && WEFT_FAIR_MS >= 1 && WEFT_FAIR_MS <= 4000
#else
#error "weft: WEFT_FAIR_MS must be 1..4000"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_NUMBER(WEFT_RANDOM_VICTIMS) && WEFT_RANDOM_VICTIMS >= 0 && WEFT_RANDOM_VICTIMS <= 2147483647
#else
#error "weft: WEFT_RANDOM_VICTIMS must be 0..2147483647"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_NUMBER(WEFT_SEARCH_ROUNDS) && WEFT_SEARCH_ROUNDS >= 0 && WEFT_SEARCH_ROUNDS <= 65535
#else
#error "weft: WEFT_SEARCH_ROUNDS must be 0..65535"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_NUMBER(WEFT_SEARCH_MOST) && (WEFT_SEARCH_MOST == 0 || WEFT_SEARCH_MOST >= WEFT_SEARCH_ROUNDS) && \
    WEFT_SEARCH_MOST <= 65534
#else
#error "weft: WEFT_SEARCH_MOST must be 0, or WEFT_SEARCH_ROUNDS..65534"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_NUMBER(WEFT_STEAL_PATIENCE) && WEFT_STEAL_PATIENCE >= 0 && WEFT_STEAL_PATIENCE <= 65535
#else
#error "weft: WEFT_STEAL_PATIENCE must be 0..65535"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_NUMBER(WEFT_FORK_DEPTH) && WEFT_FORK_DEPTH >= 0 && WEFT_FORK_DEPTH <= 254
#else
#error "weft: WEFT_FORK_DEPTH must be 0..254"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_NUMBER(WEFT_STRAND_BURST) && WEFT_STRAND_BURST >= 1 && WEFT_STRAND_BURST <= 65535
#else
#error "weft: WEFT_STRAND_BURST must be 1..65535"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_NUMBER(WEFT_URGENCY_LEVELS) && WEFT_URGENCY_LEVELS >= 1 && WEFT_URGENCY_LEVELS <= 4
#else
#error "weft: WEFT_URGENCY_LEVELS must be 1..4"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_PREEMPTION && WEFT_URGENCY_LEVELS < 2
#error "weft: WEFT_PREEMPTION=1 makes the most urgent level preempt: WEFT_URGENCY_LEVELS must be 2..4"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_NUMBER(WEFT_CORE_SETS) && WEFT_CORE_SETS >= 0 && WEFT_CORE_SETS <= 8
#else
#error "weft: WEFT_CORE_SETS must be 0..8"
#define WEFT_WRONG_SETTING
#endif
#if WEFT_IS_NUMBER(WEFT_START_DEADLINE_MS) && WEFT_START_DEADLINE_MS >= 1 && WEFT_START_DEADLINE_MS <= 4000
#else
#error "weft: WEFT_START_DEADLINE_MS must be 1..4000"
#define WEFT_WRONG_SETTING
#endif
#if defined(WEFT_WRONG_SETTING)
// Ends the compilation: what else a compiler could say would only follow from it.
#include "weft: a setting is wrong, see the #error above"
#endif
#if defined(__cplusplus)
static_assert(!WEFT_QUIESCE || weft::port_check::has_hold<weft::Port>,
              "weft: WEFT_QUIESCE=1 needs a port with hold_interrupts(), release_interrupts(uint32_t) and "
              "uint32_t pen_turn(uint32_t)");
static_assert(!WEFT_PREEMPTION || weft::port_check::has_interrupt<weft::Port>,
              "weft: WEFT_PREEMPTION=1 needs a port with void interrupt(uint32_t core, void (*handler)())");
static_assert(!WEFT_TIMERS || weft::port_check::has_alarm<weft::Port>,
              "weft: WEFT_TIMERS=1 needs a port with void set_alarm(uint32_t tick) and void clear_alarm()");
static_assert(WEFT_TRACE_EVENTS >= 16 && WEFT_TRACE_EVENTS <= 65536 &&
                  (WEFT_TRACE_EVENTS & (WEFT_TRACE_EVENTS - 1)) == 0,
              "weft: WEFT_TRACE_EVENTS must be a power of two, 16..65536");
static_assert(WEFT_TRACE_CORES >= 1 && WEFT_TRACE_CORES <= 1024, "weft: WEFT_TRACE_CORES must be 1..1024");
#endif

/// For weft's own code: this cannot happen, and the compiler may rely on it. The model checker's build traps there.
#ifndef WEFT_NEVER
#define WEFT_NEVER() __builtin_unreachable()
#endif

/// For weft's own small functions with many callers: one copy for all where size counts. Elsewhere the compiler may
/// inline them.
#if defined(__OPTIMIZE_SIZE__)
#define WEFT_SHARED [[gnu::noinline]]
#else
#define WEFT_SHARED
#endif

// For this file alone: a word of the name is nothing where the setting is as usual (0, but 32 forked children and 1
// level), else it has the value, too. WEFT_ABI_OFF_0 and so on are commas: then the second argument is another one.
#define WEFT_ABI_OFF_0 ,
#define WEFT_ABI_FORKS_32 ,
#define WEFT_ABI_LEVELS_1 ,
#define WEFT_ABI_SECOND_(first, second, ...) second
#define WEFT_ABI_SECOND(...) WEFT_ABI_SECOND_(__VA_ARGS__)
#define WEFT_ABI_WORD_(usual, word, value) WEFT_ABI_SECOND(usual##value, word##value, )
#define WEFT_ABI_WORD(usual, word, value) WEFT_ABI_WORD_(usual, word, value)
#define WEFT_ABI_JOIN_(x, y, z, p, c, f, t, l, i, r, q, e, h, b, m, d, a, s, o, u, g, n, k, w) \
    v##x##_##y##_##z##_##p##_checks##c##f##t##l##i##r##q##e##h##b##m##d##a##s##o##u##g##n##k##w
#define WEFT_ABI_JOIN(...) WEFT_ABI_JOIN_(__VA_ARGS__)

/// The names of the version, of a port, and of the settings that change the layout or how objects of an image have to
/// agree; those that are as usual are left out.
#define WEFT_ABI_OF(port)                                                                        \
    WEFT_ABI_JOIN(WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH, port, WEFT_CHECKS, \
                  WEFT_ABI_WORD(WEFT_ABI_FORKS_, _forks, WEFT_FORK_DEPTH),                       \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _timers, WEFT_TIMERS),                            \
                  WEFT_ABI_WORD(WEFT_ABI_LEVELS_, _levels, WEFT_URGENCY_LEVELS),                 \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _preempt, WEFT_PREEMPTION),                       \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _rest, WEFT_REST),                                \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _quiesce, WEFT_QUIESCE),                          \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _elastic, WEFT_ELASTIC),                          \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _watch, WEFT_WATCH),                              \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _blocking, WEFT_BLOCKING),                        \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _mandatory, WEFT_MANDATORY),                      \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _metrics, WEFT_METRICS),                          \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _few, WEFT_FEW_SEARCHERS),                        \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _sets, WEFT_CORE_SETS),                           \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _fair, WEFT_FAIR_MOST),                           \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _random, WEFT_RANDOM_VICTIMS),                    \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _newest, WEFT_NEWEST_FIRST),                      \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _search, WEFT_SEARCH_MOST),                       \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _hooks, WEFT_SLEEP_HOOKS),                        \
                  WEFT_ABI_WORD(WEFT_ABI_OFF_, _trace, WEFT_TRACE))
/// The inline namespace of everything that depends on the port or on a setting that changes the layout. Objects that
/// were built differently, or from another version, have other names and do not link together.
#define WEFT_ABI WEFT_ABI_OF(WEFT_PORT_NAME)

/// Put it before a pool at namespace scope, and {} after it. The compiler then proves that no start-up code runs for
/// it. The {} is needed: without it GCC 11 and 12 leave an array of pools all zero, and say nothing. (They do the same
/// with an array of anything that holds its own address.)
#if defined(__clang__)
#define WEFT_CONSTINIT __attribute__((__require_constant_initialization__))
#else
#define WEFT_CONSTINIT __constinit
#endif
