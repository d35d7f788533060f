// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Task, the unit of work. Intrusive: it is a base or a member of the caller's own object, two words in size.
#pragma once

#include <weft/config.hpp>
#include <weft/detail/traits.hpp>
#include <weft/status.hpp>

namespace weft {
inline namespace WEFT_ABI {

class Task;

namespace detail {

#if WEFT_CHECKS
// The link of a queued task, and the proof that it is queued once: 0 = not queued, else (next | 1).
class Link {
public:
    constexpr Link() = default;

    // Any core. False: the task is queued already. Exactly one of two racing callers wins.
    bool claim() {
        uintptr_t seen = 0;
        while (
            !word_.compare_exchange(seen, queued, relaxed, relaxed)) {  // relaxed: decides only who queues it
            if (seen != 0) return false;
        }
        return true;
    }
    // relaxed (all below): the queue that holds the task orders the link, as it orders the Plain link of the
    // unchecked build; it is atomic here only so that claim() may race with it.
    void unclaim() {
        static_cast<void>(next());
        word_.store(0, relaxed);
    }
    Task* next() const {
        const uintptr_t word = word_.load(relaxed);
        if ((word & low_bits) != queued) lost();
        return reinterpret_cast<Task*>(word - queued);
    }
    void set_next(Task* next) { word_.store(reinterpret_cast<uintptr_t>(next) | queued, relaxed); }
    // Another task comes behind this one: is it still there?
    void append(Task* next) {
        static_cast<void>(this->next());
        set_next(next);
    }

private:
    static constexpr uintptr_t queued = 1;
    static constexpr uintptr_t low_bits = 2 * sizeof(void*) - 1;  // that no address of a task has

    // A queue holds the task, and it does not know. (A destructor would see more, but then start-up code runs for each
    // static task, and an image needs what registers destructors.)
    [[noreturn, gnu::cold, gnu::noinline]] void lost() const {
        Port::panic(
            "weft: a task ended, or was made anew, while it was queued, or its pool ended without join(); "
            "it must live until it has begun",
            Port::core_id(), this);
    }

    Atomic<uintptr_t> word_{};
};
#else
class Link {
public:
    constexpr Link() = default;
    bool claim() { return true; }
    void unclaim() {}
    Task* next() const { return next_.get(); }
    void set_next(Task* next) { next_.set(next); }
    void append(Task* next) { set_next(next); }

private:
    Plain<Task*> next_{};
};
#endif

struct TaskAccess;

}  // namespace detail

/// A piece of work that runs to completion. Derive from it (or hold it as a member) and hand it to Scheduler::submit().
/// A task may be queued once at a time.
/// @lifetime The caller owns the memory, and keeps it alive and in place until the run function starts. From then on
/// weft never touches it again: the run function may free the task or submit it again.
/// @panics Checked builds, where a core takes it or another one beside it: it ended, or was made anew, while it was
/// queued.
class alignas(2 * sizeof(void*)) Task {
public:
    /// The run function: called once per submit, in task context of any core of the pool. It must not throw.
    using Run = void (*)(Task& self);

    /// A task whose work is `run`.
    /// @context Any context, also at compile time.
    constexpr explicit Task(Run run) : run_(run) {}
    /// Refuses a member function, which cannot be a run function: the message names the remedy.
    /// @context Does not compile.
    template <class Result, class Of, class... Arguments>
    constexpr explicit Task(Result (Of::*)(Arguments...)) : run_(nullptr) {
        static_assert(
            sizeof(Of) == 0,
            "weft: a task's run function is static, or derive from weft::TaskOf, which calls run()");
    }
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

private:
    friend struct detail::TaskAccess;

    detail::Link link_{};
    Run run_;
};

static_assert(sizeof(Plain<void*>) != sizeof(void*) || sizeof(Task) == 2 * sizeof(void*),
              "weft: a task is two words (wherever the port's words carry nothing extra)");

/// A task whose work is a member function of your class, `run()`:
///
///     struct Sample : weft::TaskOf<Sample> { void run() { filtered = fir(raw); } uint32_t raw = 0, filtered = 0; };
///
/// @lifetime As Task.
template <class Self>
class TaskOf : public Task {
    friend Self;
    // Private: for `Self` alone. (Compilers show the next line to who has copied another class's.)
    // For `Sample one{};` and for arrays with {} the class needs a constructor of its own.
    constexpr TaskOf() : Task(&TaskOf::call_run) {}  // weft: derive from the TaskOf of itself; write no {}

    // In here, so that a private run() counts whose class has this one as a friend.
    template <class Of>
    static constexpr auto has_run(int) -> decltype(static_cast<void>(detail::any<Of&>().run()), true) {
        return true;
    }
    template <class Of>
    static constexpr bool has_run(...) {
        return false;
    }

    static void call_run(Task& self) {
        static_assert(has_run<Self>(0),
                      "weft: the class of a weft::TaskOf has a public `void run()`: the work of the task");
        if constexpr (has_run<Self>(0)) static_cast<void>(static_cast<Self&>(self).run());
    }
};

namespace detail {

// The run function of a task around a callable; none, if that is a pointer to no function: who submits it is told.
template <class Callable>
constexpr Task::Run unless_null(const Callable&, Task::Run run) {
    return run;
}
// GCC takes the address of a function that is only declared for one that may be null: a static Job of it has a static
// constructor, if it lacks WEFT_CONSTINIT.
template <class Function>
constexpr Task::Run unless_null(Function* const& function, Task::Run run) {
    return function == nullptr ? nullptr : run;
}

}  // namespace detail

/// A task around a callable that is stored inside it: `weft::Job job([&] { blur(image); });` The callable runs once per
/// submit. (Checked builds do not submit a null pointer to a function: null_run.)
/// @lifetime As Task. The callable ends with the Job.
template <class Callable>
class Job : public Task {
public:
    /// Takes the callable over.
    /// @context Any context; at compile time where the callable can be.
    constexpr explicit Job(Callable callable)
        : Task(detail::unless_null(callable, &Job::run_callable)),
          callable_(static_cast<Callable&&>(callable)) {}

private:
    static void run_callable(Task& self) {
        constexpr bool is_called = detail::is_called_with<Callable>;
        static_assert(is_called, "weft: a Job's callable is called without arguments: capture what it needs");
        if constexpr (is_called) static_cast<void>(static_cast<Job&>(self).callable_());
    }

    Callable callable_;
};
template <class Callable>
Job(Callable) -> Job<Callable>;

namespace detail {

// The scheduler's view of a task.
struct TaskAccess {
    static Link& link(Task& task) { return task.link_; }
    static Task::Run run(const Task& task) { return task.run_; }
    static void set_run(Task& task, Task::Run run) { task.run_ = run; }
};
inline Link& link(Task* task) { return TaskAccess::link(*task); }

// Everything about a task that can be judged before anything is written. Unchecked builds: always ok, no code.
inline Status check(const Task& task) {
#if WEFT_CHECKS
    // volatile: the compiler believes that what a reference stands for is aligned.
    const volatile uintptr_t address = reinterpret_cast<uintptr_t>(&task);
    if (address % alignof(Task) != 0) return Status::misaligned_task;
    if (TaskAccess::run(task) == nullptr) return Status::null_run;
#else
    static_cast<void>(task);
#endif
    return Status::ok;
}

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft
