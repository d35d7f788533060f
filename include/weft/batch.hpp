// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: Batch, tasks linked together so that one submit and one notify serve them all.
#pragma once

#include <weft/task.hpp>

namespace weft {
inline namespace WEFT_ABI {

// A list of tasks in the order they were pushed. Not synchronised: one context at a time. The tasks' own memory is the
// only memory used. A batch that goes out of scope forgets its tasks; in a checked build they then still
// count as queued.
class Batch {
public:
    constexpr Batch() = default;
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    // Appends a task; it must stay alive until it has started (or was popped again).
    // Checked builds return misaligned_task, null_run, already_queued; nothing is changed then.
    Status push(Task& task) {
        const Status status = detail::check(task);
        if (status != Status::ok) return status;
        if (!detail::link(&task).claim()) return Status::already_queued;
        append(&task);
        return Status::ok;
    }

    // Takes the first task out again, or nullptr. The task is free for any use afterwards.
    Task* pop() {
        if (count_ == 0) return nullptr;
        Task* task = first_;
        if (--count_ != 0) first_ = detail::link(task).next();
        detail::link(task).unclaim();
        return task;
    }

    bool empty() const { return count_ == 0; }
    uint32_t size() const { return count_; }

private:
    friend class Scheduler;

    // Takes over a claimed task.
    void append(Task* task) {
        if (count_++ == 0) {
            first_ = task;
        } else {
            detail::link(last_).set_next(task);
        }
        last_ = task;
    }
    void forget() { count_ = 0; }

    Task* first_ = nullptr;  // this and the next: valid while count_ > 0
    Task* last_ = nullptr;
    uint32_t count_ = 0;
};

}  // namespace WEFT_ABI
}  // namespace weft
