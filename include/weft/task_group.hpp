// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// TaskGroup: children that are forked one by one and joined together. Which cores share the work, what callables may
/// do and what panics: weft/fork_join.hpp.
///
///     weft::GroupTask left([&] { sort(a); });
///     weft::GroupTask right([&] { sort(b); });
///     weft::TaskGroup group;
///     group.run(left);
///     group.run(right);
///     group.wait();
#pragma once

#include <weft/fork_join.hpp>

namespace weft {
inline namespace WEFT_ABI {

class TaskGroup;

namespace detail {

struct GroupFrame : Frame {
    using Frame::Frame;

    Unset<GroupFrame*> before{};  // until wait()
    // Where it is kept; with a pool's group any, until wait(). In checked builds otherwise nullptr.
#if WEFT_CHECKS
    ForkDeque::Slot* slot = nullptr;
    ForkDeque::Slot* kept_in() const { return slot; }
    void keep(ForkDeque::Slot* in) { slot = in; }
    void forget() { slot = nullptr; }
#else
    Unset<ForkDeque::Slot*> slot{};
    ForkDeque::Slot* kept_in() const { return slot.get(); }
    void keep(ForkDeque::Slot* in) { slot.set(in); }
    static void forget() {}
#endif
};

}  // namespace detail

/// A callable to be run by a TaskGroup: `weft::GroupTask left([&] { ... });` After the group's wait() it may be run
/// again.
/// @lifetime Until the group's wait() returns: declare it before the group. Its end before that panics.
template <class Callable>
class GroupTask : private detail::GroupFrame {
public:
    /// Takes the callable over.
    /// @context Any context.
    constexpr explicit GroupTask(Callable callable)
        : GroupFrame(&GroupTask::call), callable_(static_cast<Callable&&>(callable)) {}
    GroupTask(const GroupTask&) = delete;
    GroupTask& operator=(const GroupTask&) = delete;
#if WEFT_CHECKS
    /// Checked builds only.
    /// @context As TaskGroup::wait().
    /// @panics Before its group's wait().
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

/// Any number of children, forked one by one and joined together. Strictly nested like everything here: the task that
/// made the group, on whose stack it is, calls run() and wait(). (These names are those of other libraries' groups:
/// run() forks.) Outside of all pools run() runs each child at once.
/// @lifetime The group ends before anything that was forked before it is joined. Its end waits for its children.
class TaskGroup {
public:
    /// A group of the worker that the calling core is: looks it up.
    /// @context Task context of any core.
    TaskGroup() : TaskGroup(Here()) {}
    /// A group of this worker.
    /// @context Where the Here is good.
    explicit TaskGroup(Here here) : deque_(detail::HereAccess::deque(here)) {}
    /// With a pool in front, from outside of its tasks: the children are forked when wait() is called, as by
    /// Scheduler::call().
    /// @context Task context of any core.
    explicit TaskGroup(Scheduler& pool) : pool_(&pool) {}
    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;
    /// Waits for the children.
    /// @context As wait().
    ~TaskGroup() { wait(); }

    /// Forks the child. If there is no room for it (WEFT_FORK_DEPTH), it runs at once.
    /// @context Task context, where the group was made.
    /// @panics A child on its way, whose last run() has not been waited for (one that had no room, or ran outside of
    /// all pools, has run already: it runs again); another core or task than where the group was made, if that was in
    /// a pool; an interrupt handler.
    /// @lifetime See GroupTask.
    template <class Callable>
    void run(GroupTask<Callable>& child) {
        detail::GroupFrame& frame = child;
#if WEFT_CHECKS
        if (frame.slot != nullptr) {
            Port::panic("weft: a GroupTask is run() again before its group's wait()", Port::core_id(),
                        &child);
        }
#endif
        // For each turn again: a thief may have ended the one before. relaxed: after the offer [F1]
        frame.function.store(&GroupTask<Callable>::call, relaxed);
        if (pool_ != nullptr) {
            keep(frame, &waits_for_its_pool);
        } else {
            fork(frame);
        }
    }
    /// For whatever else is run: the message says what to do instead.
    /// @context Does not compile.
    template <class Other, class = typename detail::OnlyIf<
                               !__is_base_of(detail::GroupFrame, typename detail::Bare<Other>::T)>::Type>
    void run(Other&&) {
        static_assert(sizeof(Other) == 0,
                      "weft: TaskGroup::run() takes a weft::GroupTask: weft::GroupTask child([&] { ... });");
    }

    /// Returns when all children have been run; those that no other core has taken are run here, the newest first. The
    /// group may be used again.
    /// @context As run().
    /// @panics Something was forked after them and is not joined yet (a later group); another core.
    void wait() {
        if (pool_ != nullptr && last_ != nullptr) return wait_in_pool();
        while (last_ != nullptr) {
            detail::GroupFrame& frame = *last_;
            detail::ForkDeque::Slot* const slot = frame.kept_in();
            last_ = frame.before.get();
            frame.forget();
            if (!deque_->pop(slot) && !deque_->join(slot, frame)) continue;
            deque_->share();
            frame.function.load(relaxed)(frame, deque_);  // relaxed: no thief has had it
        }
    }

private:
    static inline detail::ForkDeque::Slot waits_for_its_pool{};

    void keep(detail::GroupFrame& frame, detail::ForkDeque::Slot* slot) {
        frame.keep(slot);
        frame.before.set(last_);
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
            last_ = frame->before.get();
            frame->before.set(first);
            first = frame;
        }
        pool_->call([first] {
            TaskGroup group;
            for (detail::GroupFrame* frame = first; frame != nullptr;) {
                detail::GroupFrame* const next = frame->before.get();
                frame->forget();
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
