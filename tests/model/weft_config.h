// SPDX-License-Identifier: MIT OR Apache-2.0
// Model: the settings under which src/ is checked, besides those in the Makefile.
#pragma once

#ifndef WEFT_FAIR_INTERVAL
#define WEFT_FAIR_INTERVAL 4  // the fair look comes within a scenario's few tasks
#endif

// What changes no call, a bit each, for generated programs; and a level that preempts.
#ifndef WEFT_MODEL_POLICIES
#define WEFT_MODEL_POLICIES 0
#endif
#if WEFT_MODEL_POLICIES & 1
#define WEFT_METRICS 1
#endif
#if WEFT_MODEL_POLICIES & 2
#define WEFT_SEARCH_MOST 2
#endif
#if WEFT_MODEL_POLICIES & 4
#define WEFT_FEW_SEARCHERS 1
#endif
#if WEFT_MODEL_POLICIES & 8
#define WEFT_FAIR_MOST 16
#endif
#if WEFT_MODEL_POLICIES & 16
#define WEFT_RANDOM_VICTIMS 7
#endif
#if WEFT_MODEL_POLICIES & 32
#define WEFT_NEWEST_FIRST 1
#endif
#if WEFT_MODEL_POLICIES & 64
#undef WEFT_URGENCY_LEVELS
#define WEFT_URGENCY_LEVELS 3  // `urgent` does not preempt
#define WEFT_PREEMPTION 1
#endif
