// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: what several files tell of tasks and waits (weft/trace.hpp).
#pragma once

#include <weft/task.hpp>
#include <weft/trace.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

#if WEFT_TRACE
// One that is about to be queued, or that runs: by then it is no other core's.
inline uintptr_t function_of(const Task& task) { return reinterpret_cast<uintptr_t>(TaskAccess::run(task)); }
#endif

// While it lives, the calling core waits: for that task, or for rest.
class TracedWait {
public:
#if WEFT_TRACE
    TracedWait() { WEFT_TRACE_EVENT(wait_begin, 0, 0); }
    explicit TracedWait(const Task& task) { WEFT_TRACE_EVENT(wait_begin, function_of(task), 0); }
    ~TracedWait() { WEFT_TRACE_EVENT(wait_end, 0, 0); }
    TracedWait(const TracedWait&) = delete;
    TracedWait& operator=(const TracedWait&) = delete;
#else
    TracedWait() {}
    explicit TracedWait(const Task&) {}
#endif
};

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
