// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Coroutines of C++20 as tasks. Not a part of weft.hpp: include it where the compiler has C++20. Where it has no
/// `<coroutine>`, as compilers for bare metal without a C++ library, weft says what the compiler must know.
#pragma once

#if !defined(__cpp_impl_coroutine)
#error "weft: coroutine.hpp needs -std=c++20 (or later)"
#else

#if __has_include(<coroutine>)
#include <coroutine>
#else
#include <weft/detail/coroutine_std.hpp>
#endif

#include <weft/arrivals.hpp>
#include <weft/detail/coroutine_group.hpp>
#include <weft/event.hpp>
#include <weft/frame_arena.hpp>
#include <weft/scheduler.hpp>
#include <weft/strand.hpp>
#include <weft/timer.hpp>
#include <weft/trace.hpp>

namespace weft {
inline namespace WEFT_ABI {

template <class T = void>
class Coroutine;
class CoroutinePromise;
class Delay;

namespace detail {

template <uint32_t count>
struct Children {
    Scheduler* pool;
    CoroutinePromise* first[count];
};

template <uint32_t count>
struct WhenAll {
    Children<count> children;
    Status status = Status::ok;
    CoroutineGroup group{};

    bool await_ready() noexcept { return false; }
    // Until its own part of the count is given back, nobody goes on with the frame that this object is in.
    template <class Promise>
    [[gnu::noinline]] bool await_suspend(std::coroutine_handle<Promise> self) noexcept {
        self.promise().witness_.note();
        group.begin(count + 1);
        uint32_t refused = 0;
        for (CoroutinePromise* child : children.first) {
            const Status result = child == nullptr ? Status::null_run : start(*child, self.promise());
            if (result == Status::ok) continue;
            if (status == Status::ok) status = result;
            ++refused;
        }
        return !group.end(1 + refused);
    }
    Status await_resume() noexcept { return status; }

private:
    Status start(CoroutinePromise& child, CoroutinePromise& parent);
};

// Whether a coroutine's object is itself an arena. By a pointer: a lambda's type is not complete in its body, where GCC
// asks this.
struct PointsToSource {
    static constexpr bool check(const volatile FrameSource*) { return true; }
    static constexpr bool check(const volatile void*) { return false; }
};
template <class Object>
inline constexpr bool is_source = PointsToSource::check(static_cast<Object*>(nullptr));

// What a coroutine can wait for by `Waits`, which is derived from this.
template <class Waits>
struct OfDelay {};

}  // namespace detail

/// What all promises have: the task that resumes the coroutine. For Coroutine.
/// @lifetime That of the frame.
/// @panics An exception leaves the coroutine; in checked builds also a coroutine that does not go on, because GCC 12
/// has compiled it wrongly (Coroutine).
class CoroutinePromise : public Task {
public:
    CoroutinePromise(const CoroutinePromise&) = delete;
    CoroutinePromise& operator=(const CoroutinePromise&) = delete;

    /// @cond
    // For the compiler, from here to the end of the public part: what the standard asks of a promise.

    // The arena is the first argument of the coroutine (after the object, for a member function or a lambda).
    template <class... Arguments>
    static void* operator new(size_t bytes, FrameSource& source, Arguments&...) noexcept {
        return detail::FrameAccess::take(source, bytes);
    }
    template <class Object, class... Arguments,
              class = typename detail::OnlyIf<!detail::is_source<Object>>::Type>
    static void* operator new(size_t bytes, Object&, FrameSource& source, Arguments&...) noexcept {
        return detail::FrameAccess::take(source, bytes);
    }
    // No heap: a coroutine without an arena does not compile.
    static void* operator new(size_t) = delete;
    // Inlined also by -O0: GCC warns there of a delete that is no template beside a new that is one.
    [[gnu::always_inline]] static void operator delete(void* frame) noexcept {
        detail::FrameAccess::give_back(frame);
    }

    std::suspend_always initial_suspend() noexcept { return {}; }

    // A spawned one does not stop at its end: so its frame ends there. Others are owned by who waits for them.
    struct Final {
        bool is_spawned;
        bool await_ready() noexcept { return is_spawned; }
        template <class Promise>
        [[gnu::noinline]] std::coroutine_handle<> await_suspend(
            std::coroutine_handle<Promise> self) noexcept {
            CoroutinePromise& promise = self.promise();
            CoroutinePromise* const parent = promise.parent_;
            const Witness witness = promise.witness_;
            // From here on, unless it is the last one of its group, its parent may go on, and end, on another core.
            if (promise.group_ != nullptr && !promise.group_->end()) {
                witness.note();
                return std::noop_coroutine();
            }
            parent->witness_ = witness;
            return detail::tell_of_coroutine(parent->self_);
        }
        void await_resume() noexcept {}
    };
    Final final_suspend() noexcept {
        if (parent_ == nullptr) witness_.note();
        return {parent_ == nullptr};
    }

    [[noreturn]] void unhandled_exception() noexcept {
        Port::panic("weft: an exception left a coroutine; catch it inside", Port::core_id(), this);
    }

    // Once the task is handed over, the frame may run on another core, or be gone: so await_suspend() only looks at
    // locals then. Not inlined, so that those are not in the frame.
    template <class Place>
    struct Hop {
        Place& place;
        Status status;
        bool await_ready() noexcept { return false; }
        template <class Promise>
        [[gnu::noinline]] bool await_suspend(std::coroutine_handle<Promise> self) noexcept {
            self.promise().witness_.note();
            const Status result = hand_over(place, self.promise());
            if (result == Status::ok) return true;
            status = result;  // refused: nobody else has the frame
            return false;
        }
        Status await_resume() noexcept { return status; }
    };
    Hop<Scheduler> await_transform(Scheduler& pool) noexcept { return {pool, Status::ok}; }
    Hop<Strand> await_transform(Strand& strand) noexcept { return {strand, Status::ok}; }
    Hop<Event> await_transform(Event& event) noexcept { return {event, Status::ok}; }
    Hop<Event> await_transform(Arrivals& arrivals) noexcept { return {arrivals.rounds_, Status::ok}; }
    template <class T>
    Coroutine<T>&& await_transform(Coroutine<T>&& child) noexcept {
        return static_cast<Coroutine<T>&&>(child);
    }
    template <uint32_t count>
    detail::WhenAll<count> await_transform(const detail::Children<count>& children) noexcept {
        return {children};
    }
    template <class Waits>
    Waits await_transform(const detail::OfDelay<Waits>& delay) noexcept {
        return static_cast<const Waits&>(delay);
    }
    /// @endcond

protected:
    /// For Coroutine.
    /// @context Task context.
    explicit CoroutinePromise(std::coroutine_handle<> self) : Task(&CoroutinePromise::resume), self_(self) {}

private:
    template <class>
    friend class Coroutine;
    template <uint32_t>
    friend struct detail::WhenAll;
    friend class Delay;
    friend bool destroy_coroutine(Task& task);

    static Status hand_over(Scheduler& pool, Task& task) { return pool.submit(task); }
    static Status hand_over(Strand& strand, Task& task) { return strand.submit(task); }
    static Status hand_over(Event& event, Task& task) { return event.wait(task); }

    void go_on() { detail::tell_of_coroutine(self_).resume(); }

    // Around the start, by who owns it: it begins; it was refused.
#if WEFT_CHECKS
    // Whether what is resumed goes on at all (COROUTINES 3.1): it waits for something, or it ends. Where one goes on in
    // another one's place, this goes with it.
    class Witness {
    public:
        Witness() = default;
        explicit Witness(bool& seen) : seen_(&seen) {}
        void note() const {
            if (seen_ != nullptr) *seen_ = true;
        }

    private:
        bool* seen_ = nullptr;
    };
    static void resume(Task& self) {
        CoroutinePromise& promise = static_cast<CoroutinePromise&>(self);
        bool goes_on = false;
        promise.witness_ = Witness(goes_on);
        promise.go_on();
        if (!goes_on) {
            Port::panic(
                "weft: a coroutine does not go on: GCC 12 has compiled it wrongly; give what a co_await "
                "returns a name, and let the if or the loop ask that",
                Port::core_id(), &self);
        }
    }
    void begins() {
        if (has_begun_) {
            Port::panic("weft: a coroutine that has begun is begun again; await, submit or spawn it once",
                        Port::core_id(), this);
        }
        has_begun_ = true;
    }
    void is_refused() { has_begun_ = false; }
    bool has_begun_ = false;
#else
    struct Witness {
        void note() const {}
    };
    static void resume(Task& self) { static_cast<CoroutinePromise&>(self).go_on(); }
    void begins() {}
    void is_refused() {}
#endif

    [[no_unique_address]] Witness witness_{};
    std::coroutine_handle<> self_;
    CoroutinePromise* parent_ = nullptr;       // who waits for it
    detail::CoroutineGroup* group_ = nullptr;  // in its parent's frame, if that waits for several
};

/// Ends the coroutine that waits in this task, and those that wait for it: all their frames. For what join() and
/// take_back() hand back. One that waits for several ends with the last of them: hand all of them to this.
/// @context Task context of one core, after join().
/// @lifetime The task is in the frame: it is gone when this returns true.
/// @return false: the task is no coroutine's, and nothing was done.
inline bool destroy_coroutine(Task& task) {
    if (detail::TaskAccess::run(task) != &CoroutinePromise::resume) return false;
    CoroutinePromise* top = static_cast<CoroutinePromise*>(&task);
    while (top->parent_ != nullptr) {
        // Who waits for several ends with the last of them: the others may be in the same batch.
        if (top->group_ != nullptr && !top->group_->end()) return true;
        top = top->parent_;
    }
    top->self_.destroy();  // its locals own the frames below
    return true;
}

namespace detail {
template <uint32_t count>
Status WhenAll<count>::start(CoroutinePromise& child, CoroutinePromise& parent) {
    child.begins();
    child.parent_ = &parent;
    child.group_ = &group;
    const Status result = children.pool->submit(child);
    if (result == Status::ok) return result;
    child.parent_ = nullptr;  // its owner's, as before
    child.group_ = nullptr;
    child.is_refused();
    return result;
}

template <class T>
struct CoroutineValue {
    T value_{};
    void return_value(T value) noexcept { value_ = static_cast<T&&>(value); }
    T result() { return static_cast<T&&>(value_); }
};
template <>
struct CoroutineValue<void> {
    void return_void() noexcept {}
    void result() {}
};
}  // namespace detail

/// A coroutine that has not begun, and its owner. Await it from another one, or spawn() it. `T` has a default value.
///
///     weft::Coroutine<void> blink(weft::FrameSource&, weft::Event& tick) { co_await tick; led.toggle(); }
///
/// It may co_await, and goes on when
/// - a Scheduler: a core of that pool has taken it up (at once, on this core, if the submit is refused);
/// - a Strand: its turn on that strand has come;
/// - an Event: it is set or signalled; Arrivals: they are complete;
/// - another Coroutine, as an rvalue: that has ended, and the co_await returns what it returned;
/// - when_all(): all of them have ended;
/// - Delay::after(): that time is over.
/// But for a Coroutine the co_await returns a Status: ok, or why it went on at once.
///
/// A compiler may put the frame of a child that is awaited at once into its parent's (Clang does with -O2): then the
/// child takes no block, and the parent a larger one. So sizes are for one compiler and its options.
/// Give what a co_await returns a name, and ask that. GCC 12 makes wrong code, whatever the library, of a
/// coroutine that declares no variable and has a co_await in the condition of an `if`, `while`, `do` or `switch`:
/// it never goes on. Checked builds panic then (CoroutinePromise).
/// @lifetime Its frame ends with it; a spawned one's when it has run to its end.
template <class T>
class [[nodiscard]] Coroutine {
public:
    /// @cond
    // For the compiler.
    struct promise_type : CoroutinePromise, detail::CoroutineValue<T> {
        promise_type() : CoroutinePromise(std::coroutine_handle<promise_type>::from_promise(*this)) {}
        Coroutine get_return_object() noexcept {
            return Coroutine(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        static Coroutine get_return_object_on_allocation_failure() noexcept { return Coroutine(nullptr); }
    };
    /// @endcond

    /// Hands the frame over: the other one has none from now on.
    /// @context Any context.
    Coroutine(Coroutine&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
    Coroutine& operator=(Coroutine&&) = delete;
    /// Ends its frame, if it has one.
    /// @context Any context, when it has not begun, or has ended.
    ~Coroutine() {
        if (handle_) handle_.destroy();
    }

    /// Has it a frame? False: the arena had no block for one; or it was spawned, or moved from.
    /// @context Any context.
    explicit operator bool() const noexcept { return static_cast<bool>(handle_); }

    /// Submits it; from then on it owns itself. Only for Coroutine<void>, which was not awaited.
    /// @context As Scheduler::submit(Task&).
    /// @return As Scheduler::submit(Task&); null_run: there is no frame. If it is not ok, nothing has changed.
    /// @panics Checked builds: it has begun already.
    Status spawn(Scheduler& pool) {
        static_assert(port_check::same<T, void>,
                      "weft: spawn() is for a Coroutine<void>: of another one nobody would have the result");
        if (!handle_) return Status::null_run;
        const std::coroutine_handle<promise_type> frame = handle_;
        frame.promise().begins();
        handle_ = nullptr;  // before the submit: it may end before that returns
        const Status status = pool.submit(frame.promise());
        if (status == Status::ok) return status;
        handle_ = frame;
        frame.promise().is_refused();
        return status;
    }

    /// What it returned, once, after the co_await of a when_all() that says ok. (A co_await of itself has it at once.)
    /// @context The coroutine that waited for it.
    /// @panics Checked builds: it has not ended.
    T result() {
#if WEFT_CHECKS
        if (!handle_ || !handle_.done()) {
            Port::panic("weft: the result of a coroutine that has not ended; wait for it before",
                        Port::core_id(), nullptr);
        }
#endif
        return handle_.promise().result();
    }

    /// @cond
    // For the compiler: what a co_await of it does.
    struct Join {
        std::coroutine_handle<promise_type> child;
        bool await_ready() noexcept {
            if (!child) {
                Port::panic(
                    "weft: co_await of a coroutine without a frame: ask it, or give the arena more blocks",
                    Port::core_id(), nullptr);
            }
            child.promise().begins();
            return false;
        }
        template <class Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) noexcept {
            child.promise().parent_ = &self.promise();
            child.promise().witness_ = self.promise().witness_;
            return detail::tell_of_coroutine(child);
        }
        T await_resume() { return child.promise().result(); }
    };
    /// @endcond
    /// co_await of it, in another coroutine: runs it on this core at once, and goes on when it has ended. The co_await
    /// returns what the coroutine returned.
    /// @context A coroutine.
    /// @panics It has no frame; in checked builds also: it has begun already.
    Join operator co_await() && noexcept { return {handle_}; }

private:
    template <class... Results>
    friend detail::Children<sizeof...(Results)> when_all(Scheduler& pool, Coroutine<Results>&... children);

    explicit Coroutine(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
    CoroutinePromise* promise() const { return handle_ ? &handle_.promise() : nullptr; }

    std::coroutine_handle<promise_type> handle_;
};

/// To co_await: submits these coroutines, which have not begun, and goes on when the last one has ended, on its core.
///
///     auto left = sum(frames, data, half);
///     auto right = sum(frames, data + half, half);
///     const weft::Status both = co_await weft::when_all(pool, left, right);
///     if (both == weft::Status::ok) total = left.result() + right.result();
///
/// The co_await returns ok, or why the first one that was refused was: as Scheduler::submit(Task&), or null_run (it has
/// no frame). The others are waited for all the same; one that was refused has not begun, and is still its owner's.
/// @context A coroutine.
/// @lifetime The coroutines are locals of the one that waits.
/// @panics Checked builds: one of them has begun already.
template <class... Results>
[[nodiscard]] detail::Children<sizeof...(Results)> when_all(Scheduler& pool,
                                                            Coroutine<Results>&... children) {
    static_assert(sizeof...(Results) != 0, "weft: when_all() of no coroutine: there is nothing to wait for");
    return {&pool, {children.promise()...}};
}

#if WEFT_TIMERS

/// Time that one coroutine at a time waits for. Only with WEFT_TIMERS=1.
///
///     weft::Delay pause{pool};
///     weft::Coroutine<void> blink(weft::FrameSource&) {
///         for (;;) {
///             const weft::Status slept = co_await pause.after(weft::milliseconds(500));
///             if (slept != weft::Status::ok) co_return;
///             led.toggle();
///         }
///     }
///
/// What goes on runs inside the timer's run until it waits for something else. A timer is touched after that, so
/// this is not in the frame: that may be gone then.
/// @lifetime That of a Timer: not in a frame, best static. A pool that ends forgets who waits: take_back().
class Delay {
public:
    /// For coroutines of this pool.
    /// @context Any context, also at compile time.
    constexpr explicit Delay(Scheduler& pool) : timer_(pool, follower_) {}
    Delay(const Delay&) = delete;
    Delay& operator=(const Delay&) = delete;

    struct After;
    /// To co_await: goes on `ticks` later, and up to `slack` ticks after that, as Timer::start_after(). The co_await
    /// returns at once, and what that returns, if it is not ok.
    /// @context A coroutine.
    /// @panics Checked builds: another coroutine waits here already.
    [[nodiscard]] After after(uint32_t ticks, uint32_t slack = 0);

    /// Appends the task of the coroutine that waits, if one does.
    /// @context Task context of one core, after join().
    void take_back(Batch& left_over) {
        static_cast<void>(timer_.cancel());
        if (follower_.waiting != nullptr) static_cast<void>(left_over.push(*follower_.waiting));
        follower_.waiting = nullptr;
    }

private:
    struct Follower : Task {
        constexpr Follower() : Task(&Follower::run) {}
        static void run(Task& self) {
            Task& task = *static_cast<Follower&>(self).waiting;
            static_cast<Follower&>(self).waiting = nullptr;  // it may wait here again before this returns
            detail::TaskAccess::run(task)(task);
        }
        Task* waiting = nullptr;  // for who waits, and from the start on for the run
    };

    Status start(Task& task, uint32_t ticks, uint32_t slack) {
#if WEFT_CHECKS
        if (follower_.waiting != nullptr) {
            Port::panic("weft: a second coroutine waits for one Delay; give each its own", Port::core_id(),
                        &task);
        }
#endif
        follower_.waiting = &task;
        const Status status = timer_.start_after(ticks, slack);
        if (status != Status::ok) follower_.waiting = nullptr;
        return status;
    }

    Follower follower_{};
    Timer timer_;
};

/// @cond
// For the compiler: what that co_await does.
struct Delay::After : detail::OfDelay<Delay::After> {
    After(Delay& of, uint32_t after_ticks, uint32_t with_slack)
        : delay(of), ticks(after_ticks), slack(with_slack) {}
    Delay& delay;
    uint32_t ticks;
    uint32_t slack;
    Status status = Status::ok;

    bool await_ready() noexcept { return false; }
    // As CoroutinePromise::Hop.
    template <class Promise>
    [[gnu::noinline]] bool await_suspend(std::coroutine_handle<Promise> self) noexcept {
        self.promise().witness_.note();
        const Status result = delay.start(self.promise(), ticks, slack);
        if (result == Status::ok) return true;
        status = result;
        return false;
    }
    Status await_resume() noexcept { return status; }
};

inline Delay::After Delay::after(uint32_t ticks, uint32_t slack) { return After(*this, ticks, slack); }
/// @endcond

#else

/// Not in this build: the message says what to do.
/// @lifetime Does not compile.
class Delay {
public:
    /// Not in this build: the message says what to do.
    /// @context Does not compile.
    template <class Pool>
    constexpr explicit Delay(Pool&) {
        static_assert(
            sizeof(Pool) == 0,
            "weft: timers are a setting: build the library and all that uses it with -DWEFT_TIMERS=1");
    }
};

#endif

namespace detail {

struct TakesFrames {
    static void take(FrameSource& source);
    template <class Argument>
    static constexpr auto check(int) -> decltype(take(any<Argument>()), true) {
        return true;
    }
    template <class Argument>
    static constexpr bool check(...) {
        return false;
    }
};
template <class...>
inline constexpr bool has_frames = false;
template <class First>
inline constexpr bool has_frames<First> = TakesFrames::check<First>(0);
template <class First, class Second, class... More>
inline constexpr bool has_frames<First, Second, More...> =
    TakesFrames::check<First>(0) || TakesFrames::check<Second>(0);

}  // namespace detail
}  // namespace WEFT_ABI
}  // namespace weft

/// @cond
// For the compiler, which asks here what promise a coroutine has: so one without an arena is refused here.
template <class T, class... Arguments>
struct std::coroutine_traits<weft::Coroutine<T>, Arguments...> {
    static_assert(weft::detail::has_frames<Arguments...>,
                  "weft: the first parameter of a coroutine is a weft::FrameSource&: where its frame is");
    using promise_type = typename weft::Coroutine<T>::promise_type;
};
/// @endcond
#endif
