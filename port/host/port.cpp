// SPDX-License-Identifier: MIT OR Apache-2.0
// weft: the host port: numbers of threads, events, clock, stack, panic. Cores and faults are in cores.cpp.
#include <weft/port.hpp>

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "internal.hpp"

namespace weft {
namespace host {

Event events[ids];
#if defined(WEFT_HOST_TSAN)
Word fence_word;
#endif

static_assert(sizeof(Word) == sizeof(uint32_t),
              "weft host port: the kernel compares 32 bits at the address of the word");

namespace {

// ---- Numbers of foreign threads. No call here blocks: the first one of a thread may be in a signal handler.

Word foreign_taken[foreign_threads];  // 1: a living thread has this number
Word exit_key_plus_1;                 // the key whose destructor gives numbers back; 0: not made yet

// Runs at thread exit. A later destructor of this thread that asks for core_id() registers again, and the C
// library calls this once more.
void give_back(void* taken) {
    this_core = unregistered;
    static_cast<Word*>(taken)->store(0, Order::release);  // [H2]
}

pthread_key_t exit_key() {
    uint32_t known = exit_key_plus_1.load(Order::acquire);  // [H3]
    if (known != 0) return known - 1;
    pthread_key_t key;
    if (pthread_key_create(&key, give_back) != 0)
        Port::panic("no thread-specific key is left", unregistered, nullptr);
    while (!exit_key_plus_1.compare_exchange(known, key + 1, Order::release, Order::acquire)) {  // [H3]
        if (known == 0) continue;  // failed without cause
        pthread_key_delete(key);   // another thread was faster
        return known - 1;
    }
    return key;
}

bool claim(Word& taken) {
    uint32_t seen = 0;
    // [H2] After give_back(): whoever has this number now sees all that its last owner did under it.
    // relaxed on failure: nothing is read then.
    while (!taken.compare_exchange(seen, 1, Order::acquire, Order::relaxed)) {
        if (seen != 0) return false;
    }
    return true;
}

uint32_t register_foreign_thread() {
    for (uint32_t left = foreign_threads; left != 0; --left) {
        Word& taken = foreign_taken[left - 1];
        if (!claim(taken)) continue;
        this_core = cores + left - 1;
        if (pthread_setspecific(exit_key(), &taken) != 0) Port::panic("out of memory", this_core, nullptr);
        return this_core;
    }
    Port::panic("more foreign threads than the host port has numbers for", unregistered, nullptr);
}

long futex(Word& word, int operation, uint32_t value, const timespec* timeout) {
    return syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, timeout, nullptr, 0);
}

// The alarm of this thread. It goes off in park(), also in one that begins later.
struct Alarm {
    bool is_set;
    uint32_t at;
};
thread_local Alarm alarm;

// Microseconds until then; 0: it has come.
uint32_t time_left() {
    const uint32_t left = alarm.at - Port::now();
    return static_cast<int32_t>(left) < 0 ? 0 : left;
}

// False: the alarm has come.
bool wait_while_parked(Word& event) {
    const uint32_t left = alarm.is_set ? time_left() : 1;
    if (left == 0) return false;
#if defined(WEFT_HOST_REPLAY)
    if (sleeps_by_events()) {  // the next access waits for its turn
        pause_in_turn();
        return true;
    }
#endif
    timespec time = {};
    time.tv_sec = static_cast<time_t>(left / 1'000'000);
    time.tv_nsec = static_cast<long>(left % 1'000'000) * 1'000;
#if defined(WEFT_HOST_TSAN)
    // ThreadSanitizer holds a signal back until the thread enters its runtime, and it cannot see this system
    // call. A signal in the few instructions before it would wait as long as the thread does. So wake up now
    // and then; the load in sleep() lets the handler run.
    if (!alarm.is_set || left > 10'000) time = {0, 10'000'000};
    futex(event, FUTEX_WAIT, parked, &time);
#elif defined(WEFT_HOST_REPLAY)
    // A handler runs at the next event. A signal that comes just before the system call would wait as long as that.
    if (!alarm.is_set || left > 10'000) time = {0, 10'000'000};
    futex(event, FUTEX_WAIT, parked, &time);
#else
    futex(event, FUTEX_WAIT, parked, alarm.is_set ? &time : nullptr);
#endif
    return true;
}

void give_event(Word& event) {
    if (event.exchange(notified, Order::release) == parked) futex(event, FUTEX_WAKE, 1, nullptr);  // [H1]
}

}  // namespace

uint32_t register_thread() {
    // The thread that runs main() is the one whose number is the process's. That it asks first is not needed.
    if (syscall(SYS_gettid) == getpid()) {
        this_core = 0;
        return 0;
    }
    // A signal handler that asks in the middle would get a second number.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const uint32_t core = register_foreign_thread();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return core;
}

// The exchange in park() has found no event. Between that and the kernel's comparison an unpark() finds
// either `empty` (our exchange fails, we do not sleep) or `parked` (the kernel's comparison fails or the wake
// comes after it). The same holds for a signal handler on this thread.
void sleep(Word& event) {
    uint32_t seen = empty;
    bool sleeping = false;
    do {
        // relaxed: publishes nothing.
        sleeping = event.compare_exchange(seen, parked, Order::relaxed, Order::relaxed);
    } while (!sleeping && seen == empty);
    if (sleeping && !returns_early()) {
        // relaxed: [H1] is taken below.
        while (event.load(Order::relaxed) == parked && wait_while_parked(event)) {
        }
        if (alarm.is_set && time_left() == 0) alarm.is_set = false;
    }
    event.exchange(empty, Order::acquire);  // [H1]
}

void wake(Word& event) {
    futex(event, FUTEX_WAKE, 1, nullptr);
    if (!wakes_everyone()) return;
    for (Event& other : events) give_event(other.word);
}

void yield() { sched_yield(); }

// ---- The interrupt of a level that preempts.

namespace {

using Handler = void (*)();
Words::Atomic<Handler> preempt;
Word is_prepared;        // 1: and the signal has its handler
Word thread_ids[cores];  // of those that the port has created

void on_urgent_signal(int) {
    if (isr_depth != 0) {
        preemption_waits = true;
        return;
    }
    const int interrupted_errno = errno;
    preempt.load(Order::acquire)();  // [H5]
    errno = interrupted_errno;
}

#if defined(WEFT_HOST_REPLAY)
void send_urgent_signal(uint32_t thread) { signal_in_turn(thread, SIGURG); }
#else
void send_urgent_signal(uint32_t thread) { syscall(SYS_tgkill, getpid(), thread, SIGURG); }
#endif

}  // namespace

// At the end of a handler. No raise(): under the thread sanitizer a handler that raises a signal may return to code in
// which all signals are masked (libtsan of GCC 12).
void interrupt_self() { send_urgent_signal(static_cast<uint32_t>(syscall(SYS_gettid))); }

void thread_of_core(uint32_t core) {
    thread_ids[core].store(static_cast<uint32_t>(syscall(SYS_gettid)), Order::release);  // [H4]
}

void sleep_ms(uint32_t ms) {
    timespec left = {};
    left.tv_sec = static_cast<time_t>(ms / 1000);
    left.tv_nsec = static_cast<long>(ms % 1000) * 1'000'000;
    while (nanosleep(&left, &left) != 0) {
    }  // a signal came: sleep what is left
}

}  // namespace host

uint32_t Port::now() {
    uint32_t tick = 0;
    if (host::clock_stands(tick)) return tick;
    timespec time = {};
    clock_gettime(CLOCK_MONOTONIC, &time);
    tick = static_cast<uint32_t>(static_cast<uint64_t>(time.tv_sec) * 1'000'000u +
                                 static_cast<uint64_t>(time.tv_nsec) / 1'000u);
#if defined(WEFT_HOST_REPLAY)
    tick = host::recorded_tick(tick);
#endif
    return tick;
}

namespace {

thread_local sigset_t signals_before;  // the first call that holds
thread_local bool holds_signals = false;

}  // namespace

// 0: they were held already.
uint32_t Port::hold_interrupts() {
    if (holds_signals) return 0;
    sigset_t all;
    sigfillset(&all);
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    signals_before = before;
    holds_signals = true;
    return 1;
}

void Port::release_interrupts(uint32_t held) {
    if (held == 0) return;
    const sigset_t before = signals_before;
    holds_signals = false;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Port::interrupt(uint32_t core, void (*handler)()) {
    if (host::is_prepared.load(Order::acquire) == 0) {  // [H5]
        struct sigaction action = {};
        action.sa_handler = host::on_urgent_signal;
        action.sa_flags = SA_RESTART;
        sigemptyset(&action.sa_mask);
        host::preempt.store(handler, Order::release);  // [H5]
        sigaction(SIGURG, &action, nullptr);
        host::is_prepared.store(1, Order::release);  // [H5] and the signal has its handler
    }
    if (core == core_id()) {
        if (host::isr_depth != 0) {
            host::preemption_waits = true;
        } else {
#if defined(WEFT_HOST_REPLAY)
            host::interrupt_self();  // it comes at the next event
#else
            raise(SIGURG);  // it has come when this returns, unless it is masked
#endif
        }
        return;
    }
    // [H4] The main thread's number is that of the process. A core that works for a pool has stored its own.
    const uint32_t thread =
        core == 0 ? static_cast<uint32_t>(getpid()) : host::thread_ids[core].load(Order::acquire);
    host::send_urgent_signal(thread);
}

void Port::set_alarm(uint32_t tick) { host::alarm = {true, tick}; }

void Port::clear_alarm() { host::alarm.is_set = false; }

uint32_t* Port::stack_limit() {
    static thread_local uint32_t* limit = nullptr;
    if (limit != nullptr || core_id() == 0) return limit;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
    void* lowest = nullptr;
    size_t size = 0;
    if (pthread_attr_getstack(&attributes, &lowest, &size) == 0) limit = static_cast<uint32_t*>(lowest);
    pthread_attr_destroy(&attributes);
    return limit;
}

// Not through stdio: the panic may come from a signal handler that interrupted it.
void Port::panic(const char* reason, uint32_t core, const void* task) {
    char text[256];
    int wanted = 0;
    if (task == nullptr) {
        wanted = snprintf(text, sizeof text, "panic on core %u: %s\n", core, reason);
    } else {
        wanted = snprintf(text, sizeof text, "panic on core %u, object %p: %s\n", core, task, reason);
    }
    const size_t length = wanted < 0 ? 0 : static_cast<size_t>(wanted);
    const ssize_t written = write(STDERR_FILENO, text, length < sizeof text ? length : sizeof text - 1);
    static_cast<void>(written);  // nothing is left to be done about it
    abort();
}

}  // namespace weft
