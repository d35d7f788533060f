// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Fiber, a stack with its own flow of control. Switching costs a few instructions on x86-64 and AArch64,
// a system call (ucontext) elsewhere or with WEFT_MODEL_UCONTEXT.
#pragma once

#include <stddef.h>

#if !defined(WEFT_MODEL_UCONTEXT) && !defined(__x86_64__) && !defined(__aarch64__)
#define WEFT_MODEL_UCONTEXT
#endif

#ifdef WEFT_MODEL_UCONTEXT
#include <ucontext.h>
#endif

namespace weft {
namespace model {

class Fiber {
public:
    Fiber() = default;
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    // The stack is mapped at the first call, with a guard page below it, and stays.
    // The fiber will begin with entry(), which must not return.
    void prepare(void (*entry)());

    // From the fiber (or the main flow) that runs now to `to`.
    static void change(Fiber& from, Fiber& to);

    bool guards(const void* address) const;

    // Of a fiber that does not run: what is in use of its stack, so that it can be copied and put back in its place.
#ifdef WEFT_MODEL_UCONTEXT
    static constexpr bool can_be_copied = false;
    void* used() const { return stack_; }
    size_t used_bytes() const { return 0; }
#else
    static constexpr bool can_be_copied = true;
    void* used() const { return stack_pointer_; }
    size_t used_bytes() const {
        return static_cast<size_t>(stack_ + stack_bytes - static_cast<char*>(stack_pointer_));
    }
#endif

private:
    static constexpr size_t stack_bytes = 256 * 1024;

    void map_stack();

    char* stack_ = nullptr;  // lowest byte, above the guard page
#ifdef WEFT_MODEL_UCONTEXT
    ucontext_t context_;
#else
    void* stack_pointer_ = nullptr;
#endif
};

}  // namespace model
}  // namespace weft
