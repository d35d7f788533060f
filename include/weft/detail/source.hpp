// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Source, what strands, gates and events share: they hold tasks back, and hand them to the pool in the end. To
// the pool each is one submit of a chain of tasks; no part of the worker's loop knows of them.
#pragma once

#include <weft/scheduler.hpp>

namespace weft {
inline namespace WEFT_ABI {
namespace detail {

enum class From : bool { task, isr };

// A list of tasks turned round: from the newest first to the oldest first.
Task* in_order(Task* newest);

class Source {
public:
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

protected:
    constexpr explicit Source(Scheduler& pool) : pool_(&pool) {}

    // As Scheduler's submits: claims the task, or says why not.
    Status admit(Task& task, From from) const;
    // May the caller be here? ok or wrong_context (checked builds).
    static Status check(From from) {
        return WEFT_CHECKS && from == From::task && Port::in_isr() ? Status::wrong_context : Status::ok;
    }
    // Queues claimed tasks, with one wake: from a worker's task where thieves find them, else with the injector. A
    // shutdown does not refuse them, only the end: false, and the link of `last` is lost.
    bool hand_in(Task* first, Task* last, From from) const;
    bool is_closing() const { return pool_->idle_.look().is_closing(); }
    bool is_abandoned() const { return pool_->is_abandoned(); }
    // Statistics: the calling worker has run so many tasks more.
    void count_executed(uint32_t more) const;
    // A list of claimed tasks goes to the batch.
    static void give_back(Batch& batch, Task* list);

private:
    Scheduler* const pool_;
};

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
