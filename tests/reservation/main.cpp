// SPDX-License-Identifier: MIT OR Apache-2.0
// RISC-V port: does a compare-exchange survive an interrupt handler that uses compare-exchange, too? A program for
// QEMU's user mode, where a signal plays the interrupt. Unlike the emulated machine, and like silicon that is free to
// do so, user mode keeps the hart's reservation when a trap returns.
//
//     main():   LR sees 5 | interrupt                                             | SC stores 6, though it is 6 already
//     handler:            | 5 -> 6, then a compare-exchange that fails: LR, no SC |
//
// Both sides count their updates of one word. The run ends when enough signals have come between LR and SC: without
// one it proves nothing. Exit status: 0, no update was lost; 1, some were; 2, no signal came there.
#include <stdint.h>

#include "riscv_words.hpp"

namespace {

using weft::relaxed;
template <class T>
using Word = weft::riscv::Words::Atomic<T>;

// ---- Linux, without a C library: the generic system call numbers and structures.

enum : intptr_t { sys_write = 64, sys_exit_group = 94, sys_setitimer = 103, sys_rt_sigaction = 134 };
constexpr intptr_t sigalrm = 14;
constexpr uintptr_t sa_siginfo = 4;

intptr_t call(intptr_t number, intptr_t a, intptr_t b, intptr_t c, intptr_t d) {
    register intptr_t a0 asm("a0") = a;
    register intptr_t a1 asm("a1") = b;
    register intptr_t a2 asm("a2") = c;
    register intptr_t a3 asm("a3") = d;
    register intptr_t a7 asm("a7") = number;
    asm volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a7) : "memory");
    return a0;
}

[[noreturn]] void leave(intptr_t status) {
    for (;;) call(sys_exit_group, status, 0, 0, 0);
}

struct Action {
    void (*handler)(int, void*, void*);
    uintptr_t flags;
    uint64_t mask;
};

struct Interval {
    intptr_t period_seconds, period_microseconds, first_seconds, first_microseconds;
};

// Where the interrupted program goes on: the first register of uc_mcontext, which is 16-byte aligned behind flags,
// link, stack and 128 bytes of signal mask.
uintptr_t interrupted_at(const void* context) {
    constexpr uintptr_t before = 5 * sizeof(uintptr_t) + 128;
    constexpr uintptr_t offset = (before + 15) / 16 * 16;
    return *reinterpret_cast<const uintptr_t*>(reinterpret_cast<uintptr_t>(context) + offset);
}

bool is_store_conditional(uintptr_t address) {
    const auto* half = reinterpret_cast<const uint16_t*>(address);
    constexpr uint16_t opcode_amo = 0x2f;
    constexpr uint16_t funct5_sc = 3;
    return (half[0] & 0x7f) == opcode_amo && half[1] >> 11 == funct5_sc;
}

void print(const char* text) {
    const char* end = text;
    while (*end != '\0') ++end;
    call(sys_write, 1, reinterpret_cast<intptr_t>(text), end - text, 0);
}

void print_count(const char* name, uintptr_t value) {
    char digits[24] = {};
    char* first = digits + sizeof digits - 1;
    do {
        *--first = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value != 0);
    print(name);
    print(first);
}

// ---- The two sides.

constexpr uint32_t wanted = 200;                 // signals between LR and SC
constexpr uint32_t most_signals = 100 * wanted;  // about every third comes there

template <class T>
struct Sides {
    static Word<T> word;
    static T of_handler;        // updates; only the handler writes it
    static volatile T between;  // signals that came between LR and SC
    static volatile T signals;

    static void handler(int, void*, void* context) {
        signals = signals + 1;
        if (is_store_conditional(interrupted_at(context))) between = between + 1;
        T seen = word.load(relaxed);
        while (!word.compare_exchange(seen, static_cast<T>(seen + 1), relaxed, relaxed)) {
        }
        ++of_handler;
        T other = static_cast<T>(~seen);
        if (word.compare_exchange(other, 0, relaxed, relaxed)) leave(3);
    }

    // True: nothing was lost.
    static bool run(const char* name) {
        const Action action = {handler, sa_siginfo, 0};
        call(sys_rt_sigaction, sigalrm, reinterpret_cast<intptr_t>(&action), 0, sizeof action.mask);
        const Interval interval = {0, 20, 0, 20};
        const Interval never = {};
        call(sys_setitimer, 0, reinterpret_cast<intptr_t>(&interval), 0, 0);
        T of_main = 0;
        while (between < wanted && signals < most_signals) {
            T seen = word.load(relaxed);
            while (!word.compare_exchange(seen, static_cast<T>(seen + 1), relaxed, relaxed)) {
            }
            ++of_main;
        }
        call(sys_setitimer, 0, reinterpret_cast<intptr_t>(&never), 0, 0);
        const T lost = static_cast<T>(of_main + of_handler - word.load(relaxed));
        print(name);
        print_count(": updates=", of_main + of_handler);
        print_count(" signals=", signals);
        print_count(" between=", between);
        print_count(" lost=", lost);
        print("\n");
        if (between < wanted) leave(2);
        return lost == 0;
    }
};
template <class T>
Word<T> Sides<T>::word;
template <class T>
T Sides<T>::of_handler;
template <class T>
volatile T Sides<T>::between;
template <class T>
volatile T Sides<T>::signals;

}  // namespace

extern "C" [[noreturn]] void start() {
    const bool words = Sides<uint32_t>::run("uint32_t");
    const bool pointers = Sides<uintptr_t>::run("uintptr_t");
    leave(words && pointers ? 0 : 1);
}

// The stack is the kernel's; relocations there are none, and gp has its value first.
asm(".globl _start\n"
    "_start:\n"
    ".option push\n"
    ".option norelax\n"
    "la gp, __global_pointer$\n"
    ".option pop\n"
    "andi sp, sp, -16\n"
    "j start\n");
