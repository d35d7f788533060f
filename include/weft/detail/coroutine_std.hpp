// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: what the compiler looks up in namespace std to compile a coroutine, for toolchains that have the language
// feature and no header <coroutine> (compilers for bare metal without a C++ library). Only coroutine.hpp includes it:
// where there is a <coroutine>, that one counts. The names are those of the standard, and of them the ones that weft
// uses. The builtins are those of GCC and Clang.
#pragma once

#include <stddef.h>

namespace std {

template <class Result, class... Arguments>
struct coroutine_traits {
    using promise_type = typename Result::promise_type;
};

template <class Promise = void>
struct coroutine_handle;

template <>
struct coroutine_handle<void> {
    constexpr coroutine_handle() noexcept = default;
    constexpr coroutine_handle(decltype(nullptr)) noexcept {}
    static constexpr coroutine_handle from_address(void* frame) noexcept {
        coroutine_handle handle;
        handle.frame_ = frame;
        return handle;
    }
    constexpr void* address() const noexcept { return frame_; }
    constexpr explicit operator bool() const noexcept { return frame_ != nullptr; }
    bool done() const noexcept { return __builtin_coro_done(frame_); }
    void resume() const { __builtin_coro_resume(frame_); }
    void operator()() const { resume(); }
    void destroy() const { __builtin_coro_destroy(frame_); }

protected:
    void* frame_ = nullptr;
};

template <class Promise>
struct coroutine_handle : coroutine_handle<> {
    constexpr coroutine_handle() noexcept = default;
    constexpr coroutine_handle(decltype(nullptr)) noexcept {}
    static coroutine_handle from_promise(Promise& promise) noexcept {
        return from_address(
            __builtin_coro_promise(reinterpret_cast<char*>(&promise), alignof(Promise), true));
    }
    static constexpr coroutine_handle from_address(void* frame) noexcept {
        coroutine_handle handle;
        handle.frame_ = frame;
        return handle;
    }
    Promise& promise() const noexcept {
        return *static_cast<Promise*>(__builtin_coro_promise(frame_, alignof(Promise), false));
    }
};

using noop_coroutine_handle = coroutine_handle<>;

// A frame of the layout that GCC and Clang share begins with the functions that resume and destroy.
inline noop_coroutine_handle noop_coroutine() noexcept {
    struct Frame {
        void (*resume)(void*);
        void (*destroy)(void*);
        void* room[2];
    };
    static Frame frame = {[](void*) {}, [](void*) {}, {}};
    return coroutine_handle<>::from_address(&frame);
}

struct suspend_always {
    constexpr bool await_ready() const noexcept { return false; }
    constexpr void await_suspend(coroutine_handle<>) const noexcept {}
    constexpr void await_resume() const noexcept {}
};

struct suspend_never {
    constexpr bool await_ready() const noexcept { return true; }
    constexpr void await_suspend(coroutine_handle<>) const noexcept {}
    constexpr void await_resume() const noexcept {}
};

}  // namespace std
