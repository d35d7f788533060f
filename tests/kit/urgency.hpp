// SPDX-License-Identifier: MIT OR Apache-2.0
// For tests that run with one level of urgency, too: there a submit has no level (it would not compile).
#pragma once

#include <weft/scheduler.hpp>

namespace kit {

template <class Tasks>
weft::Status submit_at(weft::Scheduler& pool, Tasks& tasks, [[maybe_unused]] weft::Urgency urgency) {
#if WEFT_URGENCY_LEVELS > 1
    return pool.submit(tasks, urgency);
#else
    return pool.submit(tasks);
#endif
}

inline weft::Status submit_from_isr_at(weft::Scheduler& pool, weft::Task& task,
                                       [[maybe_unused]] weft::Urgency urgency) {
#if WEFT_URGENCY_LEVELS > 1
    return pool.submit_from_isr(task, urgency);
#else
    return pool.submit_from_isr(task);
#endif
}

}  // namespace kit
