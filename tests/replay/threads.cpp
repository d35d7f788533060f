// SPDX-License-Identifier: MIT OR Apache-2.0
// Replay on the host: calls of the C library that this file takes the place of (threads get numbers, signals come at
// events), and the hint after a failure.
#include "weft_port.hpp"

#include "internal.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace weft {
namespace host {
namespace replay {
namespace {

template <class Function>
Function* real(const char* name) {
    void* const found = dlsym(RTLD_NEXT, name);
    if (found == nullptr) die("the C library has no %s", name);
    return reinterpret_cast<Function*>(found);
}

// ---- Threads

struct Start {
    void* (*entry)(void*);
    void* arg;
    uint32_t number;
};
uint32_t last_number = 0;           // the turn owns it
pthread_t handle_of[most_threads];  // written by the creator
pid_t kernel_number[most_threads];  // written by the thread, or for main's by the one that has the turn
pthread_key_t end_key;
pthread_once_t end_key_once = PTHREAD_ONCE_INIT;

// Destructors run in rounds. In the second one the port has given the thread's number back.
void at_thread_end(void* round) {
    static int second;
    if (round != &second) {
        pthread_setspecific(end_key, &second);
    } else {
        end_thread();
    }
}

void make_end_key() { pthread_key_create(&end_key, at_thread_end); }

void* begin_thread(void* of) {
    const Start start = *static_cast<Start*>(of);
    free(of);
    this_thread = start.number;
    kernel_number[this_thread] = static_cast<pid_t>(syscall(SYS_gettid));
    if (serialised) {
        static int first;
        pthread_once(&end_key_once, make_end_key);
        pthread_setspecific(end_key, &first);
        event(begin_thread_event);
    }
    return start.entry(start.arg);
}

uint32_t number_of(pthread_t thread) {
    for (uint32_t number = last_number; number != 0; --number) {
        if (pthread_equal(handle_of[number], thread) != 0) return number;
    }
    return nobody;
}

// ---- Signals

using Handler = void (*)(int);
constexpr int signals = 65;
Handler handlers[signals];
sigset_t masks[signals];
[[gnu::tls_model("initial-exec")]] thread_local volatile uint64_t pending = 0;

// In a run by a seed no signal comes from the kernel. The turn owns all this.
uint64_t pending_by_turn[most_threads];
struct VirtualTimer {
    bool exists = false;
    bool armed = false;
    uint32_t thread = 0;
    int signal = 0;
    uint32_t period = 0;  // us; 0: once
    uint32_t due = 0;
};
VirtualTimer virtual_timers[64];

uint32_t thread_of(pid_t wanted) {
    if (wanted == getpid()) return 0;
    for (uint32_t number = last_number; number != 0; --number) {
        if (kernel_number[number] == wanted) return number;
    }
    die("a signal is sent to a thread that is not known");
}

VirtualTimer& timer_of(timer_t timer) {
    const uintptr_t number = reinterpret_cast<uintptr_t>(timer);
    if (number == 0 || number > sizeof virtual_timers / sizeof virtual_timers[0])
        die("there is no such timer");
    return virtual_timers[number - 1];
}

uint32_t microseconds(const timespec& time) {
    const uint64_t us =
        static_cast<uint64_t>(time.tv_sec) * 1'000'000 + static_cast<uint64_t>(time.tv_nsec) / 1000;
    return us == 0 && time.tv_nsec != 0 ? 1 : static_cast<uint32_t>(us);
}

bool is_fault(int signal) {
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
           signal == SIGABRT || signal == SIGTRAP || signal == SIGTERM || signal == SIGINT;
}

void on_signal(int signal) {
    if (follows_log()) return;  // the log says when
    const uint64_t bit = uint64_t{1} << (signal - 1);
    pending = pending | bit;
}

// ---- The hint

char hint[4096];

void append(const char* text) {
    const size_t used = strlen(hint);
    snprintf(hint + used, sizeof hint - used, "%s", text);
}

void append_quoted(const char* word) {
    const bool plain =
        word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%")] ==
        '\0';
    append(plain ? word : "'");
    if (plain) return;
    for (; *word != '\0'; ++word) {
        const char letter[] = {*word, '\0'};
        append(*word == '\'' ? "'\\''" : letter);
    }
    append("'");
}

void append_command() {
    const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    char text[2048];
    const ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    for (ssize_t at = 0; at < size; at += static_cast<ssize_t>(strlen(text + at)) + 1) {
        text[size] = '\0';
        append(" ");
        append_quoted(text + at);
    }
    append("\n");
}

void at_exit(int status, void*) {
    if (status != 0) say_how_to_replay("this run");
}

void on_death(int signal) {
    say_how_to_replay("this run");
    ::signal(signal, SIG_DFL);
    raise(signal);
}

}  // namespace

uint64_t take_due() {
    uint64_t& own = pending_by_turn[this_thread];
    for (VirtualTimer& timer : virtual_timers) {
        if (!timer.armed || timer.thread != this_thread || virtual_now() - timer.due > UINT32_MAX / 2)
            continue;
        own |= uint64_t{1} << (timer.signal - 1);
        timer.due = virtual_now() + timer.period;
        timer.armed = timer.period != 0;
    }
    if (own == 0) return 0;
    sigset_t masked;
    pthread_sigmask(SIG_SETMASK, nullptr, &masked);
    uint64_t due = 0;
    for (int signal = 1; signal < signals; ++signal) {
        if (sigismember(&masked, signal) == 0) due |= own & uint64_t{1} << (signal - 1);
    }
    own &= ~due;
    return due;
}

void prepare_hint(const char* log, const char* seed) {
    char setting[1024];
    if (log != nullptr) {
        snprintf(setting, sizeof setting, "replay:%s", log);
    } else {
        snprintf(setting, sizeof setting, "%s", seed);
    }
    append("WEFT_REPLAY=");
    append_quoted(setting);
    append_command();
    on_exit(at_exit, nullptr);
    struct sigaction action = {};
    action.sa_handler = on_death;
    constexpr int deadly[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGINT};
    for (const int signal : deadly) real<decltype(sigaction)>("sigaction")(signal, &action, nullptr);
}

void say_how_to_replay(const char* what) {
    char text[sizeof hint + 64];
    const int length = snprintf(text, sizeof text, "# to replay %s: %s", what, hint);
    const ssize_t written = write(STDERR_FILENO, text, static_cast<size_t>(length));
    static_cast<void>(written);  // nothing is left to be done about it
}

void run_handler(uint32_t signal) {
    const Handler handler = signal < signals ? __atomic_load_n(&handlers[signal], __ATOMIC_ACQUIRE) : nullptr;
    if (handler == nullptr) die("diverged: a handler of signal %u is expected, and there is none", signal);
    sigset_t blocked = masks[signal];
    sigset_t before;
    sigaddset(&blocked, static_cast<int>(signal));
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    handler(static_cast<int>(signal));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void deliver_pending() {
    if (pending == 0) return;
    sigset_t masked;
    pthread_sigmask(SIG_SETMASK, nullptr, &masked);
    for (int signal = 1; signal < signals; ++signal) {
        const uint64_t bit = uint64_t{1} << (signal - 1);
        if ((pending & bit) == 0 || sigismember(&masked, signal) == 1) continue;
        __atomic_fetch_and(const_cast<uint64_t*>(&pending), ~bit, __ATOMIC_RELAXED);
        begin_event(interrupt_event, static_cast<uint32_t>(signal));
        end_event();
        run_handler(static_cast<uint32_t>(signal));
    }
}

}  // namespace replay

void signal_in_turn(uint32_t thread, int signal) {
    if (replay::serialised) {
        replay::pending_by_turn[replay::thread_of(static_cast<pid_t>(thread))] |= uint64_t{1} << (signal - 1);
    } else {
        syscall(SYS_tgkill, getpid(), thread, signal);
    }
}

}  // namespace host
}  // namespace weft

using namespace weft::host::replay;

// A thread gets its number at an event of its creator.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*entry)(void*),
                              void* arg) noexcept {
    static auto* const create =
        real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
    if (mode == Mode::off || mode == Mode::unknown) return create(thread, attributes, entry, arg);
    Start* const start = static_cast<Start*>(malloc(sizeof(Start)));
    if (start == nullptr) return EAGAIN;
    begin_event(create_event, 0);
    const uint32_t number = ++last_number;
    if (number == most_threads) die("more than %u threads", most_threads);
    *start = {entry, arg, number};
    if (serialised) add_thread(number);
    const int status = create(thread, attributes, begin_thread, start);
    if (status != 0) die("a thread cannot be created: %s", strerror(status));
    handle_of[number] = *thread;
    end_event();
    return status;
}

extern "C" int pthread_join(pthread_t thread, void** result) {
    static auto* const join = real<int(pthread_t, void**)>("pthread_join");
    if (serialised) {
        const uint32_t number = number_of(thread);
        while (number != nobody && !has_ended(number)) {
            gives_way();
            event(join_event);
        }
    }
    return join(thread, result);
}

extern "C" int nanosleep(const timespec* wanted, timespec* left) {
    static auto* const sleep = real<int(const timespec*, timespec*)>("nanosleep");
    if (!serialised) return sleep(wanted, left);
    const uint32_t begin = virtual_now();
    const uint64_t seconds = static_cast<uint64_t>(wanted->tv_sec);
    const uint64_t us = seconds * 1'000'000 + static_cast<uint64_t>(wanted->tv_nsec) / 1000;
    while (virtual_now() - begin < us) {
        gives_way();
        event(pause_event);
        pass_time(100);
    }
    return 0;
}

extern "C" int sigaction(int signal, const struct sigaction* wanted, struct sigaction* before) noexcept {
    static auto* const set = real<int(int, const struct sigaction*, struct sigaction*)>("sigaction");
    if (mode == Mode::off || mode == Mode::unknown || wanted == nullptr || is_fault(signal) ||
        (wanted->sa_flags & SA_SIGINFO) != 0 || wanted->sa_handler == SIG_DFL ||
        wanted->sa_handler == SIG_IGN)
        return set(signal, wanted, before);
    masks[signal] = wanted->sa_mask;
    __atomic_store_n(&handlers[signal], wanted->sa_handler, __ATOMIC_RELEASE);
    struct sigaction own = *wanted;
    own.sa_handler = on_signal;
    return set(signal, &own, before);
}

// Else the C library's own would call sigaction() where nobody sees it.
extern "C" Handler signal(int number, Handler handler) noexcept {
    struct sigaction wanted = {};
    struct sigaction before = {};
    wanted.sa_handler = handler;
    wanted.sa_flags = SA_RESTART;
    const Handler known = number > 0 && number < signals ? handlers[number] : nullptr;
    if (sigaction(number, &wanted, &before) != 0) return SIG_ERR;
    return before.sa_handler == on_signal ? known : before.sa_handler;
}

extern "C" int timer_create(clockid_t clock, sigevent* event, timer_t* made) noexcept {
    static auto* const create = real<int(clockid_t, sigevent*, timer_t*)>("timer_create");
    if (!serialised) return create(clock, event, made);
    if (event == nullptr || event->sigev_notify != SIGEV_THREAD_ID)
        die("a timer that interrupts no thread that it names (SIGEV_THREAD_ID) cannot be in a run by a seed");
    uintptr_t number = 0;
    for (VirtualTimer& timer : virtual_timers) {
        ++number;
        if (timer.exists) continue;
        timer = VirtualTimer();
        timer.exists = true;
        timer.thread = thread_of(event->_sigev_un._tid);
        timer.signal = event->sigev_signo;
        *made = reinterpret_cast<timer_t>(number);
        return 0;
    }
    die("more timers than a run by a seed can have");
}

extern "C" int timer_settime(timer_t which, int flags, const itimerspec* wanted,
                             itimerspec* before) noexcept {
    static auto* const set = real<int(timer_t, int, const itimerspec*, itimerspec*)>("timer_settime");
    if (!serialised) return set(which, flags, wanted, before);
    if ((flags & TIMER_ABSTIME) != 0) die("a timer with an absolute time cannot be in a run by a seed");
    VirtualTimer& timer = timer_of(which);
    const uint32_t first = microseconds(wanted->it_value);
    timer.armed = first != 0;
    timer.period = microseconds(wanted->it_interval);
    timer.due = virtual_now() + first;
    return 0;
}

extern "C" int timer_delete(timer_t which) noexcept {
    static auto* const remove = real<int(timer_t)>("timer_delete");
    if (!serialised) return remove(which);
    timer_of(which) = VirtualTimer();
    return 0;
}
