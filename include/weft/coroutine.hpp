// SPDX-License-Identifier: MIT OR Apache-2.0
/// @file
/// Coroutines of C++20 as tasks. Not a part of weft.hpp: include it where the compiler has C++20 and <coroutine>.
#pragma once

#if !defined(__cpp_impl_coroutine) || !__has_include(<coroutine>)
#error "weft: coroutine.hpp needs -std=c++20 (or later) and a toolchain with the header <coroutine>"
#else

#include <coroutine>

#include <weft/event.hpp>
#include <weft/scheduler.hpp>
#include <weft/strand.hpp>

namespace weft {
inline namespace WEFT_ABI {

template <class T = void>
class Coroutine;

/// Where the frames of coroutines are: blocks of one size, each free or taken. One size, so that taking and giving back
/// is a bit of a word each: no list whose links could change in between (ABA), and nothing that falls into fragments.
/// Frames of very different sizes are best put in several arenas. This is the part that does not depend on the sizes.
/// @lifetime It must outlive each frame in it.
class FrameSource {
public:
    FrameSource(const FrameSource&) = delete;
    FrameSource& operator=(const FrameSource&) = delete;

    /// How many bytes the largest frame that was asked for needs, with the two words that weft puts before it.
    /// @context Any context.
    size_t most_wanted() const { return wanted_.load(relaxed); }
    /// How many blocks were taken at most at the same time.
    /// @context Any context.
    uint32_t most_used() const { return most_.load(relaxed); }
    /// How many blocks are taken.
    /// @context Any context.
    uint32_t used() const { return used_.load(relaxed); }

protected:
    /// For FrameArena.
    /// @context Any context, also at compile time.
    constexpr FrameSource(unsigned char* blocks, size_t bytes, Atomic<uint32_t>* taken, uint32_t count)
        : blocks_(blocks), bytes_(bytes), taken_(taken), count_(count) {}

private:
    friend class CoroutinePromise;

    struct alignas(2 * sizeof(void*)) Header {
        FrameSource* source;
        uint32_t index;
    };

    // relaxed (all the figures): they are for who tunes sizes, and order nothing.
    template <class T>
    static void raise(Atomic<T>& most, T value) {
        T seen = most.load(relaxed);
        while (seen < value && !most.compare_exchange(seen, value, relaxed, relaxed)) {
        }
    }

    void* take(size_t frame) noexcept {
        const size_t bytes = frame + sizeof(Header);
        raise(wanted_, static_cast<uintptr_t>(bytes));
        if (bytes > bytes_) {
#if WEFT_CHECKS
            Port::panic(
                "weft: a coroutine's frame is larger than the blocks of its FrameArena; most_wanted() of the "
                "arena (the object named here) says how many bytes it needs",
                Port::core_id(), this);
#else
            return nullptr;
#endif
        }
        for (uint32_t index = 0; index < count_; ++index) {
            const uint32_t bit = 1u << index % 32;
            Atomic<uint32_t>& word = taken_[index / 32];
            if ((word.load(relaxed) & bit) != 0) continue;
            // acquire: what the last owner did with the block is over.
            if ((word.fetch_or(bit, acquire) & bit) != 0) continue;
            raise(most_, used_.fetch_add(1, relaxed) + 1);
            unsigned char* const block = blocks_ + index * bytes_;
            Header* const header = reinterpret_cast<Header*>(block);
            header->source = this;
            header->index = index;
            return block + sizeof(Header);
        }
        return nullptr;
    }

    static void give_back(void* frame) noexcept {
        const Header* const header =
            reinterpret_cast<const Header*>(static_cast<unsigned char*>(frame) - sizeof(Header));
        FrameSource& source = *header->source;
        const uint32_t index = header->index;
        source.used_.fetch_sub(1, relaxed);
        // release: see take().
        source.taken_[index / 32].fetch_and(~(1u << index % 32), release);
    }

    unsigned char* const blocks_;
    const size_t bytes_;
    Atomic<uint32_t>* const taken_;
    const uint32_t count_;
    Atomic<uint32_t> used_{};
    Atomic<uint32_t> most_{};
    Atomic<uintptr_t> wanted_{};
};

/// `Count` blocks of `Bytes` bytes for frames; any core may take and give back.
/// @lifetime As FrameSource.
template <size_t Bytes, uint32_t Count>
class FrameArena : public FrameSource {
    static_assert(Count >= 1, "weft: an arena has at least one block");
    static_assert(Bytes % (2 * sizeof(void*)) == 0 && Bytes > 2 * sizeof(void*),
                  "weft: the blocks of an arena are a multiple of two words, and larger than two words");

public:
    /// All blocks free.
    /// @context Any context, also at compile time.
    constexpr FrameArena() : FrameSource(memory_, Bytes, words_, Count) {}

private:
    alignas(2 * sizeof(void*)) unsigned char memory_[Bytes * Count] = {};
    Atomic<uint32_t> words_[(Count + 31) / 32] = {};
};

/// What all promises have: the task that resumes the coroutine. For Coroutine.
/// @lifetime That of the frame.
class CoroutinePromise : public Task {
public:
    CoroutinePromise(const CoroutinePromise&) = delete;
    CoroutinePromise& operator=(const CoroutinePromise&) = delete;

    /// The arena is the first argument of the coroutine (after the object, for a member function or a lambda).
    /// @context Any context.
    template <class... Arguments>
    static void* operator new(size_t bytes, FrameSource& source, Arguments&...) noexcept {
        return source.take(bytes);
    }
    template <class Object, class... Arguments>
    static void* operator new(size_t bytes, Object&, FrameSource& source, Arguments&...) noexcept {
        return source.take(bytes);
    }
    /// No heap: a coroutine without an arena does not compile.
    static void* operator new(size_t) = delete;
    static void operator delete(void* frame) noexcept { FrameSource::give_back(frame); }

    std::suspend_always initial_suspend() noexcept { return {}; }

    struct Final {
        bool await_ready() noexcept { return false; }
        template <class Promise>
        [[gnu::noinline]] std::coroutine_handle<> await_suspend(
            std::coroutine_handle<Promise> self) noexcept {
            CoroutinePromise& promise = self.promise();
            if (promise.parent_ != nullptr) return promise.parent_->self_;
            self.destroy();  // it was spawned, so it is its own owner
            return std::noop_coroutine();
        }
        void await_resume() noexcept {}
    };
    Final final_suspend() noexcept { return {}; }

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
    template <class T>
    Coroutine<T>&& await_transform(Coroutine<T>&& child) noexcept {
        return static_cast<Coroutine<T>&&>(child);
    }

protected:
    explicit CoroutinePromise(std::coroutine_handle<> self) : Task(&CoroutinePromise::resume), self_(self) {}

private:
    template <class>
    friend class Coroutine;
    friend bool destroy_coroutine(Task& task);

    static Status hand_over(Scheduler& pool, Task& task) { return pool.submit(task); }
    static Status hand_over(Strand& strand, Task& task) { return strand.submit(task); }
    static Status hand_over(Event& event, Task& task) { return event.wait(task); }
    static void resume(Task& self) { static_cast<CoroutinePromise&>(self).self_.resume(); }

    std::coroutine_handle<> self_;
    CoroutinePromise* parent_ = nullptr;
};

/// Ends the coroutine that waits in this task, and those that wait for it: all their frames. For what join() and
/// take_back() hand back.
/// @context Task context of one core, after join().
/// @return false: the task is no coroutine's, and nothing was done.
inline bool destroy_coroutine(Task& task) {
    if (detail::TaskAccess::run(task) != &CoroutinePromise::resume) return false;
    CoroutinePromise* top = static_cast<CoroutinePromise*>(&task);
    while (top->parent_ != nullptr) top = top->parent_;
    top->self_.destroy();  // its locals own the frames below
    return true;
}

namespace detail {
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
/// A compiler may put the frame of a child that is awaited at once into its parent's (Clang does with -O2): then the
/// child takes no block, and the parent a larger one. So sizes are for one compiler and its options.
/// @lifetime Its frame ends with it; a spawned one's when it has run to its end.
template <class T>
class [[nodiscard]] Coroutine {
public:
    struct promise_type : CoroutinePromise, detail::CoroutineValue<T> {
        promise_type() : CoroutinePromise(std::coroutine_handle<promise_type>::from_promise(*this)) {}
        Coroutine get_return_object() noexcept {
            return Coroutine(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        static Coroutine get_return_object_on_allocation_failure() noexcept { return Coroutine(nullptr); }
    };

    Coroutine(Coroutine&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
    Coroutine& operator=(Coroutine&&) = delete;
    ~Coroutine() {
        if (handle_) handle_.destroy();
    }

    /// False: the arena had no block for the frame.
    explicit operator bool() const noexcept { return static_cast<bool>(handle_); }

    /// Submits it; from then on it owns itself. Only for Coroutine<void>, which was not awaited.
    /// @context As Scheduler::submit(Task&).
    /// @return As Scheduler::submit(Task&); null_run: there is no frame. If it is not ok, nothing has changed.
    Status spawn(Scheduler& pool) {
        static_assert(port_check::same<T, void>,
                      "weft: spawn() is for a Coroutine<void>: of another one nobody would have the result");
        if (!handle_) return Status::null_run;
        const std::coroutine_handle<promise_type> frame = handle_;
        handle_ = nullptr;  // before the submit: it may end before that returns
        const Status status = pool.submit(frame.promise());
        if (status != Status::ok) handle_ = frame;
        return status;
    }

    /// Runs it on this core at once, and goes on when it has ended. A coroutine without a frame panics.
    struct Join {
        std::coroutine_handle<promise_type> child;
        bool await_ready() noexcept {
            if (!child) {
                Port::panic(
                    "weft: co_await of a coroutine without a frame: ask it, or give the arena more blocks",
                    Port::core_id(), nullptr);
            }
            return false;
        }
        template <class Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) noexcept {
            child.promise().parent_ = &self.promise();
            return child;
        }
        T await_resume() { return child.promise().result(); }
    };
    Join operator co_await() && noexcept { return {handle_}; }

private:
    explicit Coroutine(std::coroutine_handle<promise_type> handle) : handle_(handle) {}

    std::coroutine_handle<promise_type> handle_;
};

}  // namespace WEFT_ABI
}  // namespace weft
#endif
