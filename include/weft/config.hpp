// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: build-time settings. A project overrides them with -D or in one header, weft_config.h, found on its include
// path (the settings of a port, too). Every object of one image must be built with the same settings; where a setting
// changes the layout, or what a port's inline code does, mixing fails at link time because the names differ (WEFT_ABI
// below).
#pragma once

#include <weft/port.hpp>

// The first entry of CHANGELOG.md.
#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 1
#define WEFT_VERSION_PATCH 0

// 1: every misuse that can be seen is answered (Status or panic). 0: no cost, misuse is undefined. Changes the layout.
#ifndef WEFT_CHECKS
#define WEFT_CHECKS 0
#endif

// A worker looks at the shared queues before its own ring once every so many tasks (1..65535).
#ifndef WEFT_FAIR_INTERVAL
#define WEFT_FAIR_INTERVAL 61
#endif

// Extra rounds of searching, with relax() between them, before a worker parks (0..65535).
#ifndef WEFT_SEARCH_ROUNDS
#define WEFT_SEARCH_ROUNDS 2
#endif

// A worker that searches leaves another one's only task alone for so many relax() (0..65535): most often that worker
// runs it itself, and to move it costs more than it is worth. A core that comes from its sleep takes it at once.
// A join that finds nothing to help with waits so long between two looks.
#ifndef WEFT_STEAL_PATIENCE
#define WEFT_STEAL_PATIENCE 64
#endif

// A core that was started must check in within this many milliseconds (1..4000), at most 2^31 ticks of the port's
// clock; after that a later submit withdraws the start and may try again. (The clock has 32 bits: if nobody looks for a
// whole turn of it, the start counts as young again for this long.)
#ifndef WEFT_START_DEADLINE_MS
#define WEFT_START_DEADLINE_MS 100
#endif

// How many forked children that are not joined yet a worker keeps (1..254); a pointer each per core. For further ones
// there is no room: their owner runs them itself. Stolen children count too, until thieves have begun all that are kept
// and somebody asks for more: then the worker keeps so many again. 0: no fork-join, and no memory or code for it.
// Changes the layout.
#ifndef WEFT_FORK_DEPTH
#define WEFT_FORK_DEPTH 32
#endif

// Where ring indices begin; tests start them near the wrap of 2^32.
#ifndef WEFT_INDEX_START
#define WEFT_INDEX_START 0u
#endif

#if WEFT_CHECKS != 0 && WEFT_CHECKS != 1
#error "weft: WEFT_CHECKS must be 0 or 1"
#endif
static_assert(WEFT_FAIR_INTERVAL >= 1 && WEFT_FAIR_INTERVAL <= 65535,
              "weft: WEFT_FAIR_INTERVAL must be 1..65535");
static_assert(WEFT_SEARCH_ROUNDS >= 0 && WEFT_SEARCH_ROUNDS <= 65535,
              "weft: WEFT_SEARCH_ROUNDS must be 0..65535");
static_assert(WEFT_STEAL_PATIENCE >= 0 && WEFT_STEAL_PATIENCE <= 65535,
              "weft: WEFT_STEAL_PATIENCE must be 0..65535");
static_assert(WEFT_FORK_DEPTH >= 0 && WEFT_FORK_DEPTH <= 254, "weft: WEFT_FORK_DEPTH must be 0..254");
static_assert(WEFT_START_DEADLINE_MS >= 1 && WEFT_START_DEADLINE_MS <= 4000,
              "weft: WEFT_START_DEADLINE_MS must be 1..4000");

// What cannot happen: the compiler may rely on it. The model checker's build traps there.
#ifndef WEFT_NEVER
#define WEFT_NEVER() __builtin_unreachable()
#endif

// For small functions with many callers: one copy for all where size counts; elsewhere the compiler may copy them to
// where time counts.
#if defined(__OPTIMIZE_SIZE__)
#define WEFT_SHARED [[gnu::noinline]]
#else
#define WEFT_SHARED
#endif

// The inline namespace of everything that depends on the port or on a layout-changing setting.
#define WEFT_ABI_JOIN_(port, checks, forks) v0_##port##_checks##checks##_forks##forks
#define WEFT_ABI_JOIN(port, checks, forks) WEFT_ABI_JOIN_(port, checks, forks)
#define WEFT_ABI WEFT_ABI_JOIN(WEFT_PORT_NAME, WEFT_CHECKS, WEFT_FORK_DEPTH)

// Put it before a pool at namespace scope, and {} behind it: the compiler then proves that no start-up code runs for
// it. Not without the {}: GCC 11 and 12 leave an array of pools all zero then, and say nothing. (So they do with an
// array of anything that holds its own address.)
#if defined(__clang__)
#define WEFT_CONSTINIT [[clang::require_constant_initialization]]
#else
#define WEFT_CONSTINIT __constinit
#endif
