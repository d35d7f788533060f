// SPDX-License-Identifier: MIT OR Apache-2.0
// What the examples need from a machine: a line of text, and a periodic interrupt. On Linux it is done here; on a board
// of the tree by its drivers (boards/). A firmware project has its own.
#pragma once

#include <stdint.h>

#if defined(__linux__) && __STDC_HOSTED__

#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <weft_image.hpp>

inline void print(const char* text) { puts(text); }
inline void print(const char* text, uint32_t number) {
    printf("%s %u\n", text, static_cast<unsigned>(number));
}

inline void (*tick_handler)();
// A signal plays the interrupt. Interrupt says so to weft; a board's hardware does that by itself.
inline void on_signal(int) {
    const weft::host::Interrupt interrupt;
    tick_handler();
}
inline timer_t tick_timer;
inline void start_tick(uint32_t hz, void (*isr)()) {
    tick_handler = isr;
    signal(SIGALRM, on_signal);
    sigevent event = {};
    event.sigev_notify = SIGEV_THREAD_ID;  // as an interrupt of this core: always on this thread
    event.sigev_signo = SIGALRM;
    event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
    timer_create(CLOCK_MONOTONIC, &event, &tick_timer);
    const itimerspec interval = {{0, 1000000000 / static_cast<long>(hz)},
                                 {0, 1000000000 / static_cast<long>(hz)}};
    timer_settime(tick_timer, 0, &interval, nullptr);
}
inline void stop_tick() { timer_delete(tick_timer); }

#else

#include <weft/port.hpp>

#include "board.hpp"
#include "console.hpp"

// In task context only.
inline void write_line(const char* text, const char* separator, const char* rest) {
    board::Console::take();
    const char* const parts[] = {text, separator, rest, "\n"};
    for (const char* part : parts) {
        while (*part != 0) board::put(*part++);
    }
    board::Console::leave();
}
inline void print(const char* text) { write_line(text, "", ""); }
inline void print(const char* text, uint32_t number) {
    char digits[12];
    char* first = digits + sizeof digits;
    *--first = 0;
    do {
        *--first = static_cast<char>('0' + number % 10);
    } while ((number /= 10) != 0);
    write_line(text, " ", first);
}
inline void start_tick(uint32_t hz, void (*isr)()) { board::start_timer(hz, isr); }
inline void stop_tick() { board::stop_timer(); }

#endif
