// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Batch: tasks linked together, so that one submit and one wake serve them all.
#pragma once

#include <weft/detail/traits.hpp>
#include <weft/task.hpp>
#include <weft/urgency.hpp>

namespace weft {
inline namespace WEFT_ABI {

namespace detail {
class Source;
class TimerQueue;
}  // namespace detail

/// A list of tasks in the order in which they were pushed. It uses no memory but the tasks' own. It is not
/// synchronised: one context at a time.
/// @lifetime Any. A batch that ends with tasks in it forgets them: pop() each first. Else checked builds refuse these
/// tasks as already_queued from then on.
class Batch {
public:
    /// An empty batch.
    /// @context Any context, also at compile time.
    constexpr Batch() = default;
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    /// Appends a task.
    /// @context Any context, one at a time for each batch.
    /// @return ok; in checked builds also misaligned_task, null_run, already_queued: nothing is changed then.
    /// @lifetime The task stays alive and in place until its run function starts, or pop() has returned it.
    Status push(Task& task) {
        const Status status = detail::check(task);
        if (status != Status::ok) return status;
        if (!detail::link(&task).claim()) return Status::already_queued;
        append(&task);
        return Status::ok;
    }

    /// For whatever else is pushed: the message says what to do instead.
    /// @context Does not compile.
    /// @return Nothing: it does not compile.
    template <class Other, class = detail::Refused<Other&&, Task>>
    auto push(Other&&) {
        return detail::refuse<Other, Task>();
    }

    /// Takes the first task out again. The task is free for any use afterwards.
    /// @context As push().
    /// @return the task; nullptr if the batch is empty.
    Task* pop() {
        if (count_ == 0) return nullptr;
        Task* task = first_;
        if (--count_ != 0) first_ = detail::link(task).next();
        detail::link(task).unclaim();
        return task;
    }

    /// Is there no task in it?
    /// @context As push().
    bool empty() const { return count_ == 0; }
    /// How many tasks are in it.
    /// @context As push().
    uint32_t size() const { return count_; }

private:
    friend class Scheduler;
    friend class detail::Source;
    friend class detail::TimerQueue;
    friend class Event;
    friend class Timer;

    // Takes over a claimed task.
    void append(Task* task) {
        if (count_++ == 0) {
            first_ = task;
        } else {
            detail::link(last_).append(task);
        }
        last_ = task;
    }
    // Takes over a task that is free.
    void append_free(Task* task) {
        static_cast<void>(detail::link(task).claim());
        append(task);
    }
    void forget() { count_ = 0; }
    // Its chain; `count_` may stand for what a strand holds back.
    uint32_t length() const { return first_ == last_ ? 1 : count_; }

    Task* first_ = nullptr;  // this and the next: valid while count_ > 0
    Task* last_ = nullptr;
    uint32_t count_ = 0;
    WEFT_LEVEL level_{};  // at which it is submitted: set before each hand_in()
};

}  // namespace WEFT_ABI
}  // namespace weft
