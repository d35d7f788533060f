// SPDX-License-Identifier: MIT OR Apache-2.0
// The host as a board: cores are threads (port/host), a timer signal of each thread plays its interrupt, the
// console is standard output.
#include "board.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <weft/trace.hpp>

#include "weft_image.hpp"

#if !defined(sigev_notify_thread_id)
#define sigev_notify_thread_id _sigev_un._tid  // older C libraries know the field by this name only
#endif

namespace board {

const char* const name = "host";
const uint32_t cores = BOARD_CORES;
static_assert(BOARD_CORES >= 1 && BOARD_CORES <= weft::Port::max_cores,
              "BOARD_CORES: more than the host port has");

namespace {

int argument_count = 0;
char** arguments = nullptr;

// ---- Console. Whole lines go out with write(): unlike stdio that is allowed in a signal handler, so tests
// may print from "interrupts" here as they may on a board. main() makes stdio line-buffered, so the two mix
// in order.

char console_line[512];
size_t console_used = 0;

void flush_console() {
    size_t sent = 0;
    while (sent < console_used) {
        const ssize_t written = write(STDOUT_FILENO, console_line + sent, console_used - sent);
        if (written < 0) break;  // the reader is gone; there is nobody to tell
        sent += static_cast<size_t>(written);
    }
    console_used = 0;
}

// ---- The timer of each thread. Made by its first start_timer(); stopping it only disarms it, which is
// allowed in a signal handler.

thread_local timer_t timer;
thread_local bool timer_exists = false;
// volatile: read by the signal handler on the thread that writes it. A signal that is still pending when the
// timer is disarmed finds nullptr.
thread_local void (*volatile timer_isr)() = nullptr;

int timer_signal() { return SIGRTMIN; }

void on_timer(int) {
    const weft::host::Interrupt interrupt;
    void (*const isr)() = timer_isr;
    if (isr != nullptr) isr();
}

[[noreturn]] void fail(const char* what) {
    perror(what);
    abort();
}

void create_timer() {
    struct sigaction action = {};
    action.sa_handler = on_timer;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(timer_signal(), &action, nullptr) != 0) fail("sigaction");

    sigevent event = {};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = timer_signal();
    event.sigev_notify_thread_id = static_cast<pid_t>(syscall(SYS_gettid));
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) fail("timer_create");
    timer_exists = true;

    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, timer_signal());
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

// 0 disarms.
void set_period(uint32_t ns) {
    constexpr uint32_t ns_per_second = 1'000'000'000;
    itimerspec times = {};
    times.it_interval.tv_sec = static_cast<time_t>(ns / ns_per_second);
    times.it_interval.tv_nsec = static_cast<long>(ns % ns_per_second);
    times.it_value = times.it_interval;
    if (timer_settime(timer, 0, &times, nullptr) != 0) fail("timer_settime");
}

#if WEFT_TRACE && !defined(WEFT_TRACE_HOOKS)
// What dies, or is told to, writes its trace before: what other threads record meanwhile may be torn.
void write_trace(int signal_number) {
    signal(signal_number, SIG_DFL);
    weft::put_trace(board::put);
    flush_console();
    raise(signal_number);  // as it would have ended
}
void save_trace() {
    const int deadly[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTERM};
    for (const int number : deadly) signal(number, write_trace);
}
#else
void save_trace() {}
#endif

#if defined(WEFT_HOST_DELAYS)
// `seed=N` on the command line, as the tests have it, chooses the delays; `delays=N` others for the same test.
uint32_t number_after(const char* name) {
    const size_t length = strlen(name);
    for (int i = 1; i < argument_count; ++i) {
        if (strncmp(arguments[i], name, length) == 0)
            return static_cast<uint32_t>(strtoul(arguments[i] + length, nullptr, 0));
    }
    return 0;
}

void begin_delays() {
    uint32_t seed = number_after("delays=");
    if (seed == 0) seed = number_after("seed=");
    if (seed == 0) seed = 1;
    weft::host::seed_delays(seed);
    printf("# delays=%u; to repeat it: %s", seed, arguments[0]);
    for (int i = 1; i < argument_count; ++i) printf(" %s", arguments[i]);
    puts(number_after("delays=") == 0 && number_after("seed=") == 0 ? " delays=1" : "");
}

void report_delays() {
    const weft::host::DelayCounts counts = weft::host::delay_counts();
    printf("# delays: %u spins, %u yields, %u sleeps, %u sleeps at hot places, %u epochs\n", counts.spins,
           counts.yields, counts.sleeps, counts.hot_sleeps, counts.epochs);
}
#else
void begin_delays() {}
void report_delays() {}
#endif

}  // namespace

void put(char c) {
    console_line[console_used++] = c;
    if (c == '\n' || console_used == sizeof console_line) flush_console();
}

void exit(int status) {
    weft::put_trace(put);
    flush_console();
    // A status of which the shell would see only zeros is a failure all the same.
    const int code = status != 0 && (status & 0xff) == 0 ? 1 : status;
    if (weft::Port::in_isr()) _exit(code);  // exit() is not allowed in a signal handler
    ::exit(code);
}

void command_line(char* text, size_t size) {
    size_t used = 0;
    for (int i = 1; i < argument_count; ++i) {
        if (i > 1 && used + 1 < size) text[used++] = ' ';
        for (const char* c = arguments[i]; *c != '\0' && used + 1 < size; ++c) text[used++] = *c;
    }
    if (size != 0) text[used] = '\0';
}

void start_timer(uint32_t hz, void (*isr)()) {
    if (!timer_exists) create_timer();
    timer_isr = isr;
    set_period(1'000'000'000 / (hz != 0 ? hz : 1));
}

void stop_timer() {
    timer_isr = nullptr;
    if (timer_exists) set_period(0);
}

uint32_t instructions() { return 0; }

intptr_t file_open(const char* path) { return open(path, O_RDONLY | O_CLOEXEC); }

intptr_t file_size(intptr_t file) {
    struct stat status = {};
    return fstat(static_cast<int>(file), &status) == 0 ? static_cast<intptr_t>(status.st_size) : -1;
}

size_t file_read(intptr_t file, void* to, size_t bytes) {
    size_t got = 0;
    while (got < bytes) {
        const ssize_t now = read(static_cast<int>(file), static_cast<char*>(to) + got, bytes - got);
        if (now <= 0) break;
        got += static_cast<size_t>(now);
    }
    return got;
}

void file_close(intptr_t file) { close(static_cast<int>(file)); }

}  // namespace board

int main(int argc, char** argv) {
    board::argument_count = argc;
    board::arguments = argv;
    setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    board::save_trace();
    board::begin_delays();
#ifndef WEFT_HOST_REPLAY
    if (getenv("WEFT_REPLAY") != nullptr) {
        fputs("weft: WEFT_REPLAY is set, and this image cannot: make image BOARD=host VARIANT=replay\n",
              stderr);
    }
#endif
    const int status = board_main();
    board::report_delays();
    board::exit(status);
}
