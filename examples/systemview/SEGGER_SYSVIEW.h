/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A stand-in of this tree, not SEGGER's file: the names and parameters that trace_systemview.hpp calls, and counters in
   place of a recorder. With SystemView's own sources in your project, leave this folder off the include path. */
#pragma once

#include <stdint.h>

#include <weft/config.hpp>

using U32 = uint32_t;

struct CountedCalls {
    weft::Atomic<uint32_t> ready{};
    weft::Atomic<uint32_t> begun{};
    weft::Atomic<uint32_t> ended{};
    weft::Atomic<uint32_t> idle{};
    weft::Atomic<uint32_t> records{};
};
inline CountedCalls counted_calls;

inline void SEGGER_SYSVIEW_OnTaskStartReady(U32) { counted_calls.ready.fetch_add(1, weft::relaxed); }
inline void SEGGER_SYSVIEW_OnTaskStartExec(U32) { counted_calls.begun.fetch_add(1, weft::relaxed); }
inline void SEGGER_SYSVIEW_OnTaskStopExec() { counted_calls.ended.fetch_add(1, weft::relaxed); }
inline void SEGGER_SYSVIEW_OnIdle() { counted_calls.idle.fetch_add(1, weft::relaxed); }
inline void SEGGER_SYSVIEW_RecordU32x2(unsigned, U32, U32) {
    counted_calls.records.fetch_add(1, weft::relaxed);
}
