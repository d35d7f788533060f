// SPDX-License-Identifier: MIT OR Apache-2.0
// Replay on the host: runs in which one thread at a time goes on, application code included. At its next event it
// hands the turn on: to whom the log names, or to whom a seeded choice names.
//
// A random walk prefers some threads for a while and redraws them now and then, so that the others stand still for
// long. Priorities (PCT: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized scheduler with probabilistic
// guarantees of finding bugs", 2010): each thread has one by chance, the highest goes on, and at a few events, by
// chance too, the one that goes on gets one below all others. So a mistake for which d choices must be right is found
// with a chance of 1 in n * k^(d-1), for n threads and k events, whatever the rest of the program does. How many events
// a run has is not known before: the few are among the first 2^6 to 2^15. Who waits for others goes below them all; so
// does who goes on for long, for it may wait without telling.
#include "weft_port.hpp"

#include "internal.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace weft {
namespace host {
namespace replay {
namespace {

struct Thread {
    uint32_t go;  // 1: has the turn
    uint32_t ended;
    bool preferred;
    int32_t priority;
};
Thread threads[most_threads];

// Touched by the one whose turn it is, all of them.
uint32_t living[most_threads];
uint32_t living_count = 1;  // main's
uint32_t state = 1;
uint32_t time_us = 1000;

Chooser chooser = Chooser::walk;
constexpr uint32_t most_changes = 3;
uint32_t changes[most_changes];  // events at which the one that goes on gets a low priority
uint32_t choices = 0;
uint32_t in_a_row = 0;
int32_t lowest = 0;

uint32_t holder = 0;  // for messages

// xorshift32 (Marsaglia).
uint32_t random_below(uint32_t limit) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return static_cast<uint32_t>((static_cast<uint64_t>(state) * limit) >> 32);
}

uint32_t walk() {
    if (random_below(64) == 0) {
        for (uint32_t i = 0; i < living_count; ++i) threads[living[i]].preferred = random_below(2) == 0;
    }
    const uint32_t any = living[random_below(living_count)];
    if (random_below(64) == 0) return any;
    const uint32_t first = random_below(living_count);
    for (uint32_t i = 0; i < living_count; ++i) {
        const uint32_t candidate = living[(first + i) % living_count];
        if (threads[candidate].preferred) return candidate;
    }
    return any;
}

void draw_priority(Thread& thread) { thread.priority = static_cast<int32_t>(1 + random_below(1u << 30)); }

uint32_t highest() {
    constexpr uint32_t patience = 4096;
    ++choices;
    for (const uint32_t change : changes) {
        if (choices == change) threads[this_thread].priority = --lowest;
    }
    if (++in_a_row == patience) gives_way();
    uint32_t found = living[0];
    for (uint32_t i = 1; i < living_count; ++i) {
        if (threads[living[i]].priority > threads[found].priority) found = living[i];
    }
    if (found != this_thread) in_a_row = 0;
    return found;
}

uint32_t choose() {
    if (!follows_log()) return chooser == Chooser::walk ? walk() : highest();
    const uint32_t next = logged_thread();
    for (uint32_t i = 0; i < living_count; ++i) {
        if (living[i] == next) return next;
    }
    die("diverged at event %llu: thread %u is expected, and it does not exist",
        static_cast<unsigned long long>(events()), next);
}

void hand_on(uint32_t next) {
    __atomic_store_n(&holder, next, __ATOMIC_RELAXED);
    __atomic_store_n(&threads[next].go, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &threads[next].go, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, nullptr, nullptr, 0);
}

void wait_for_turn() {
    Patience patience;
    Thread& own = threads[this_thread];
    while (__atomic_load_n(&own.go, __ATOMIC_ACQUIRE) == 0) {
        const timespec time = {0, 50'000'000};
        syscall(SYS_futex, &own.go, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, &time, nullptr, 0);
        if (patience.has_ended()) {
            die("event %llu: thread %u has the turn and does not come to its next event (it waits for "
                "something "
                "that weft does not know)",
                static_cast<unsigned long long>(events()), __atomic_load_n(&holder, __ATOMIC_RELAXED));
        }
    }
}

}  // namespace

void begin_serial(uint32_t seed, Chooser chosen) {
    state = (seed + 1) * 2654435761u;
    if (state == 0) state = 1;
    chooser = chosen;
    if (chooser == Chooser::priorities) {
        for (uint32_t i = 0; i < 8; ++i) random_below(2);  // the first numbers of near seeds are alike
        const uint32_t among = 64u << random_below(10);
        for (uint32_t& change : changes) change = 1 + random_below(among);
        draw_priority(threads[0]);
    }
    threads[0].go = 1;
}

void gives_way() {
    threads[this_thread].priority = --lowest;
    in_a_row = 0;
}

void take_turn(bool is_first) {
    Thread& own = threads[this_thread];
    if (is_first) {
        wait_for_turn();  // nobody is chosen here, whether it has come already or not
    } else {
        const uint32_t next = choose();
        if (next != this_thread) {
            __atomic_store_n(&own.go, 0, __ATOMIC_RELAXED);  // before anybody can hand it back
            hand_on(next);
            wait_for_turn();
        }
    }
    ++time_us;
}

void add_thread(uint32_t number) {
    living[living_count++] = number;
    threads[number].preferred = random_below(2) == 0;
    if (chooser == Chooser::priorities) draw_priority(threads[number]);
}

void end_thread() {
    for (uint32_t i = 0; i < living_count; ++i) {
        if (living[i] != this_thread) continue;
        living[i] = living[--living_count];
        break;
    }
    __atomic_store_n(&threads[this_thread].ended, 1, __ATOMIC_RELEASE);
    if (living_count != 0) hand_on(choose());
}

bool has_ended(uint32_t number) { return __atomic_load_n(&threads[number].ended, __ATOMIC_ACQUIRE) != 0; }
uint32_t virtual_now() { return time_us; }
void pass_time(uint32_t us) { time_us += us; }

}  // namespace replay
}  // namespace host
}  // namespace weft
