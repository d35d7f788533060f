// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker: Fiber.
#include "fiber.hpp"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

namespace weft {
namespace model {

namespace {
constexpr size_t guard_bytes = 16 * 1024;
}

void Fiber::map_stack() {
    if (stack_ != nullptr) return;
    void* const memory = mmap(nullptr, guard_bytes + stack_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, guard_bytes, PROT_NONE) != 0) {
        perror("model: no memory for a stack");
        exit(2);
    }
    stack_ = static_cast<char*>(memory) + guard_bytes;
}

bool Fiber::guards(const void* address) const {
    const char* const at = static_cast<const char*>(address);
    return stack_ != nullptr && at < stack_ && at >= stack_ - guard_bytes;
}

#if defined(WEFT_MODEL_UCONTEXT)

void Fiber::prepare(void (*entry)()) {
    map_stack();
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack_;
    context_.uc_stack.ss_size = stack_bytes;
    context_.uc_link = nullptr;
    makecontext(&context_, entry, 0);
}

void Fiber::change(Fiber& from, Fiber& to) { swapcontext(&from.context_, &to.context_); }

#else

// Saves the registers that a call must preserve on the stack of the flow that leaves, and the stack pointer in *save;
// then the reverse with the other stack. The first time, the return goes to entry().
extern "C" void weft_model_switch(void** save, void* stack_pointer);

#if defined(__x86_64__)
asm(R"(
    .text
    .globl weft_model_switch
    .type weft_model_switch, @function
weft_model_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size weft_model_switch, . - weft_model_switch
)");

namespace {
constexpr size_t saved_words = 6;  // above them: the return address
constexpr size_t return_at = 6;
constexpr size_t words_above = 2;  // entry() finds the stack as after a call: 8 bytes off a multiple of 16
}  // namespace
#else
asm(R"(
    .text
    .globl weft_model_switch
    .type weft_model_switch, %function
weft_model_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size weft_model_switch, . - weft_model_switch
)");

namespace {
constexpr size_t saved_words = 20;
constexpr size_t return_at = 11;  // x30
constexpr size_t words_above = 2;
}  // namespace
#endif

void Fiber::prepare(void (*entry)()) {
    map_stack();
    void** const top = reinterpret_cast<void**>(stack_ + stack_bytes);
    void** const frame = top - words_above - saved_words;
    for (size_t i = 0; i != saved_words; ++i) frame[i] = nullptr;
    frame[return_at] = reinterpret_cast<void*>(entry);
    stack_pointer_ = frame;
}

void Fiber::change(Fiber& from, Fiber& to) { weft_model_switch(&from.stack_pointer_, to.stack_pointer_); }

#endif

}  // namespace model
}  // namespace weft
