// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: TaskGroup, children that are forked one by one and joined together. Who shares the work, what callables may do
// and what panics: weft/fork_join.hpp.
//
//     weft::GroupTask left([&] { sort(a); });
//     weft::GroupTask right([&] { sort(b); });
//     weft::TaskGroup group;
//     group.run(left);
//     group.run(right);
//     group.wait();
#pragma once

#include <weft/fork_join.hpp>

namespace weft {
inline namespace WEFT_ABI {

class TaskGroup;

namespace detail {

struct GroupFrame : Frame {
    GroupFrame* before;
    ForkDeque::Slot* slot;  // where it is kept; with a pool's group any, until wait(); otherwise nullptr
};

}  // namespace detail

// A callable to be run by a TaskGroup: weft::GroupTask left([&] { ... }); It must live until the group's wait()
// returns (declare it before the group): its end before that panics. Then it may be run again.
template <class Callable>
class GroupTask : private detail::GroupFrame {
public:
    constexpr explicit GroupTask(Callable callable)
        : GroupFrame{{&GroupTask::call, nullptr}, nullptr, nullptr},
          callable_(static_cast<Callable&&>(callable)) {}
    GroupTask(const GroupTask&) = delete;
    GroupTask& operator=(const GroupTask&) = delete;
#if WEFT_CHECKS
    ~GroupTask() {
        if (slot == nullptr) return;
        Port::panic("weft: a GroupTask ends before its group's wait(); declare it before the group",
                    Port::core_id(), this);
    }
#endif

private:
    friend class TaskGroup;
    static void call(detail::Frame& self, detail::ForkDeque* deque) {
        detail::invoke(static_cast<GroupTask&>(static_cast<GroupFrame&>(self)).callable_, deque);
    }

    Callable callable_;
};
template <class Callable>
GroupTask(Callable) -> GroupTask<Callable>;

// Any number of children, forked one by one and joined together. Strictly nested like everything here: run() and
// wait() by the task that made the group, on whose stack it is, and the group ends before anything that was forked
// before it. In no pool, each child is run at once by run(). With a pool in front, from outside of its tasks, the
// children are forked when wait() is called.
class TaskGroup {
public:
    TaskGroup() : TaskGroup(Here()) {}  // looks the worker up; in task context
    explicit TaskGroup(Here here) : deque_(detail::HereAccess::deque(here)) {}
    explicit TaskGroup(Scheduler& pool) : pool_(&pool) {}
    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;
    ~TaskGroup() { wait(); }  // so a group that ends waits for its children

    // Forks the child. Without room in the deque, it runs at once. Panics: a child whose last run() has not been waited
    // for; another core or pool than where the group was made; an interrupt handler.
    template <class Callable>
    void run(GroupTask<Callable>& child) {
        detail::GroupFrame& frame = child;
#if WEFT_CHECKS
        if (frame.slot != nullptr) {
            Port::panic("weft: a GroupTask is run() again before its group's wait()", Port::core_id(),
                        &child);
        }
#endif
        // Anew for each turn: a thief may have ended the one before. relaxed: behind the offer [F1]
        frame.function.store(&GroupTask<Callable>::call, relaxed);
        if (pool_ != nullptr) {
            keep(frame, &waits_for_its_pool);
        } else {
            fork(frame);
        }
    }
    template <class Other, class = typename detail::OnlyIf<
                               !__is_base_of(detail::GroupFrame, typename detail::Bare<Other>::T)>::Type>
    void run(Other&&) {
        static_assert(sizeof(Other) == 0,
                      "weft: TaskGroup::run() takes a weft::GroupTask: weft::GroupTask child([&] { ... });");
    }

    // Returns when all children have been run; the newest that nobody has taken are run here. The group may be used
    // again. Panics: something was forked after them and is not joined yet (a later group); another core.
    void wait() {
        if (pool_ != nullptr && last_ != nullptr) return wait_in_pool();
        while (last_ != nullptr) {
            detail::GroupFrame& frame = *last_;
            detail::ForkDeque::Slot* const slot = frame.slot;
            last_ = frame.before;
            frame.slot = nullptr;
            if (!deque_->pop(slot) && !deque_->join(slot)) continue;
            deque_->share();
            frame.function.load(relaxed)(frame, deque_);  // relaxed: no thief has had it
        }
    }

private:
    static inline detail::ForkDeque::Slot waits_for_its_pool{};

    void keep(detail::GroupFrame& frame, detail::ForkDeque::Slot* slot) {
        frame.slot = slot;
        frame.before = last_;
        last_ = &frame;
    }
    void fork(detail::GroupFrame& frame) {
        detail::Frame* const pushed = last_ == nullptr ? &frame : detail::ForkDeque::sibling(&frame);
        detail::ForkDeque::Slot* const slot = deque_ != nullptr ? deque_->push(pushed) : nullptr;
        if (slot != nullptr) return keep(frame, slot);
        frame.function.load(relaxed)(frame, deque_);  // relaxed: no thief has had it
        if (deque_ != nullptr && last_ == nullptr) deque_->end_skip();
    }
    // In the pool's task, the children in the order of their run().
    [[gnu::cold]] void wait_in_pool() {
        detail::GroupFrame* first = nullptr;
        while (last_ != nullptr) {
            detail::GroupFrame* const frame = last_;
            last_ = frame->before;
            frame->before = first;
            first = frame;
        }
        pool_->call([first] {
            TaskGroup group;
            for (detail::GroupFrame* frame = first; frame != nullptr;) {
                detail::GroupFrame* const next = frame->before;
                frame->slot = nullptr;
                group.fork(*frame);
                frame = next;
            }
        });
    }

    detail::ForkDeque* deque_ = nullptr;
    Scheduler* pool_ = nullptr;
    detail::GroupFrame* last_ = nullptr;
};

}  // namespace WEFT_ABI
}  // namespace weft
