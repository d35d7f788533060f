// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: what several files tell of tasks and waits (weft/trace.hpp).
#pragma once

#include <weft/detail/worker.hpp>
#include <weft/task.hpp>
#include <weft/trace.hpp>

// As WEFT_TRACE_EVENT, with the worker that the calling core is: then the recorder need not look for its ring. nullptr:
// it is not at hand. Hooks are called as ever.
#if WEFT_TRACE && !defined(WEFT_TRACE_HOOKS)
#define WEFT_TRACE_BY(worker, event, object, value) \
    ::weft::detail::tell(worker, ::weft::TraceEvent::event, object, value)
#else
#define WEFT_TRACE_BY(worker, event, object, value) WEFT_TRACE_EVENT(event, object, value)
#endif

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

#if WEFT_TRACE
// One that is about to be queued, or that runs: by then it is no other core's.
inline uintptr_t function_of(const Task& task) { return reinterpret_cast<uintptr_t>(TaskAccess::run(task)); }
#endif

#if WEFT_TRACE && !defined(WEFT_TRACE_HOOKS)
// From now on the calling core is that worker, or does what is left in its name.
inline void tells_as(Worker& worker) { worker.trace.set(trace_ring_of(Port::core_id())); }
[[gnu::always_inline]] inline void tell(const Worker* worker, TraceEvent event, uintptr_t object,
                                        uint32_t value) {
    if (worker == nullptr) return weft_trace_hook(event, object, value);  // known at compile time
    weft_trace_record_in(static_cast<uint32_t>(object), trace_what(event, value), worker->trace.get());
}
#else
inline void tells_as(const Worker&) {}
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
