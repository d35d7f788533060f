// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the host port. Every core is a Linux thread; an event is one futex word.
//
// Who is which core:
//     0                    the thread that runs static initialisation and main()
//     1 .. max_cores-1     threads that start_core creates, once each; they wait in the pen between entries
//     max_cores .. ids-1   foreign threads (anybody else who asks), counted down from the top. They have an
//                          event of their own, so park, unpark and join work there too. The number is free
//                          again at thread exit. Where all are taken, core_id() panics.
//
// What the host adds to the contract: unpark() and core_id() are async-signal-safe (a signal handler plays
// the interrupt, see weft_image.hpp). A process that has started cores must not fork() and go on in the
// child.
#pragma once

#if !defined(__linux__)
#error "weft: port/host is for Linux: a firmware image takes the port of its cores"
#endif

#include <stdint.h>

#include <weft/order.hpp>

#include "generic/atomic_builtins.hpp"
#include "generic/name.hpp"

// Tests may build the port with words whose every access may be delayed: tests/delays.
#if defined(WEFT_HOST_DELAYS)
#include "delays.hpp"
#define WEFT_HOST_NAME host_port_delays
#elif defined(WEFT_HOST_REPLAY)  // or whose every access is recorded: tests/replay
#include "replay.hpp"
#define WEFT_HOST_NAME host_port_replay
#else
#define WEFT_HOST_NAME host_port
namespace weft {
namespace host {
using Words = generic::BuiltinWords;
}  // namespace host
}  // namespace weft
#endif

#if defined(__SANITIZE_THREAD__)
#define WEFT_HOST_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WEFT_HOST_TSAN 1
#endif
#endif

#if defined(WEFT_HOST_TSAN)
#define WEFT_PORT_NAME WEFT_NAMED(WEFT_HOST_NAME, _tsan)
#else
#define WEFT_PORT_NAME WEFT_HOST_NAME
#endif

// Thread-local words that signal handlers and hot paths read. "initial-exec": at a fixed offset from the
// thread pointer, so an access is one instruction and never allocates, not even in a library that dlopen()
// brought in.
#define WEFT_HOST_THREAD_LOCAL [[gnu::tls_model("initial-exec")]] inline thread_local

namespace weft {
namespace host {

using Word = Words::Atomic<uint32_t>;

inline constexpr uint32_t cores = 64;
inline constexpr uint32_t foreign_threads = 192;
inline constexpr uint32_t ids = cores + foreign_threads;
inline constexpr uint32_t line = 64;

// The event of one core, and the word its thread sleeps on.
//     empty     no event, the thread is awake
//     parked    no event, the thread sleeps or is about to
//     notified  the event is set
// Only the thread itself goes to `parked` and leaves `notified`; anybody may go to `notified`.
struct alignas(line) Event {
    Word word;
};
enum : uint32_t { empty, parked, notified };

extern Event events[ids];

inline constexpr uint32_t unregistered = UINT32_MAX;
WEFT_HOST_THREAD_LOCAL uint32_t this_core = unregistered;
WEFT_HOST_THREAD_LOCAL uint32_t spins = 0;
// volatile: written by a signal handler on the thread that reads it.
WEFT_HOST_THREAD_LOCAL volatile uint32_t isr_depth = 0;
WEFT_HOST_THREAD_LOCAL volatile bool preemption_waits = false;  // until isr_depth is 0 again

uint32_t register_thread();  // a thread that asks for the first time: 0 for main's, else a foreign number
void sleep(Word& event);     // the part of park() that may sleep
void wake(Word& event);      // the part of unpark() for a thread that sleeps
void yield();                // gives the processor to another thread
void interrupt_self();       // what Port::interrupt() does, on this thread

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__ volatile("yield" ::: "memory");
#else
    __asm__ volatile("" ::: "memory");
#endif
}

#if defined(WEFT_HOST_TSAN)
extern Word fence_word;
#endif

}  // namespace host

inline namespace WEFT_PORT_NAME {

struct Port : host::Words {
    static constexpr uint32_t max_cores = host::cores;
    static constexpr uint32_t cache_line = host::line;

    enum class Start { started, refused, absent };

    static uint32_t core_id() {
        const uint32_t core = host::this_core;
        if (__builtin_expect(core != host::unregistered, 1)) return core;
        return host::register_thread();
    }

    static void fence() {
#if defined(WEFT_HOST_TSAN)
        // ThreadSanitizer does not know fences. A read-modify-write of one word orders the same: of two
        // fences one comes first in that word's order, and the second acquires what the first released.
        // ThreadSanitizer takes this for synchronisation of all that stands before the one with all that
        // stands after the other, which is more than a fence promises: it may miss a race between plain
        // accesses that only fences separate, and it reports none that is not there, as long as every
        // hand-over of plain data has its own release and acquire.
        host::fence_word.fetch_add(1, Order::acq_rel);
#elif defined(__x86_64__)
        // Any locked instruction drains the store buffer, at a fraction of the cost of MFENCE. OR with zero
        // changes nothing, so it may hit whatever is there; 64 bytes away from the return address it delays
        // nobody.
        __asm__ volatile("lock orl $0, -64(%%rsp)" ::: "memory", "cc");
#else
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
    }

    // The one we wait for may be a thread that has no processor: after some turns let it have ours.
    static void relax() {
#if defined(WEFT_HOST_REPLAY)
        host::relax_in_turn();
#endif
        constexpr uint32_t spins_per_yield = 128;
        host::pause();
        if (++host::spins % spins_per_yield == 0) host::yield();
    }

    static void park() {
        host::Word& event = host::events[core_id()].word;
        if (event.exchange(host::empty, Order::acquire) == host::notified) return;  // [H1]
        host::sleep(event);
    }

    // [H1] The release makes all earlier stores of the caller visible after the park() that takes the event.
    // Every unpark writes, also on a word that is `notified` already: then it continues the other's release
    // sequence, and the one park() acquires the stores of both.
    static void unpark(uint32_t core) {
        host::Word& event = host::events[core].word;
        // [H1] as above.
        if (event.exchange(host::notified, Order::release) == host::parked) host::wake(event);
    }

    static Start start_core(uint32_t core, void (*entry)(void*), void* arg);
    static bool cancel_start(uint32_t core, void* arg);
    static void vacate();

    static uint32_t now();  // microseconds of CLOCK_MONOTONIC
    static uint32_t ticks_per_ms() { return 1000; }

    // By the time-out of the sleep itself, in microseconds.
    static void set_alarm(uint32_t tick);
    static void clear_alarm();

    // A signal, SIGURG: a process that does not use it ignores it. It is held back while a signal handler of the
    // program's runs (weft_image.hpp).
    static void interrupt(uint32_t core, void (*handler)());

    // Signals of this thread. The program's code is in no flash: a core may be anywhere but in an entry that it has
    // not vacated. (What it does after that, for what follows on its leaving, is not waited for.)
    static uint32_t hold_interrupts();
    static void release_interrupts(uint32_t held);
    static uint32_t pen_turn(uint32_t core);

    static bool in_isr() { return host::isr_depth != 0; }

    // nullptr on core 0: the kernel grows main's stack on demand, it has no lowest word until it is full.
    static uint32_t* stack_limit();

    [[noreturn]] static void panic(const char* reason, uint32_t core, const void* task);
};

}  // namespace WEFT_PORT_NAME

}  // namespace weft

#undef WEFT_HOST_THREAD_LOCAL
