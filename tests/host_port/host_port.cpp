// SPDX-License-Identifier: MIT OR Apache-2.0
// What the host port adds to the contract: foreign threads, signal handlers, panic, and the faults that tests
// inject. Runs on the host only, with at least three cores.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.hpp"
#include "wait.hpp"
#include "weft_host_faults.hpp"
#include "weft_image.hpp"

using weft::acquire;
using weft::Atomic;
using weft::Port;
using weft::relaxed;
using weft::release;
namespace host = weft::host;

namespace {

constexpr uint32_t core = 1;  // the one that faults are injected into

Atomic<uint32_t> calls;

void count_call(void*) { calls.fetch_add(1, release); }

// start_core() until the core takes it again after its last entry.
void start_when_free(uint32_t which) {
    tap::wait_for([=] { return Port::start_core(which, count_call, &calls) == Port::Start::started; },
                  "a free core");
}

void wait_for_calls(uint32_t wanted) {
    tap::wait_for([=] { return calls.load(acquire) == wanted; }, "an entry");
}

void begin() {
    host::clear_faults();
    const uint32_t before = calls.load(acquire);
    start_when_free(core);
    wait_for_calls(before + 1);
    calls.store(0, relaxed);
}

class Thread {
public:
    explicit Thread(void* (*run)(void*), void* arg = nullptr) {
        if (pthread_create(&thread_, nullptr, run, arg) != 0) tap::bail_out("no more threads");
    }
    ~Thread() { pthread_join(thread_, nullptr); }
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;

private:
    pthread_t thread_;
};

// ---- Numbers

const uint32_t core_before_main = Port::core_id();

void main_is_core_0() {
    CHECK_EQ(core_before_main, 0);
    CHECK_EQ(Port::core_id(), 0);
}

Atomic<uint32_t> together;  // how many foreign threads are there at once
Atomic<uint32_t> taken[host::ids];
constexpr uint32_t at_once = 100;

void* live_together(void*) {
    const uint32_t id = Port::core_id();
    CHECK(id >= Port::max_cores);
    CHECK(id < host::ids);
    CHECK_EQ(taken[id].fetch_add(1, relaxed), 0);
    together.fetch_add(1, relaxed);
    while (together.load(relaxed) < at_once) Port::relax();  // all of them come
    CHECK_EQ(Port::core_id(), id);
    taken[id].fetch_sub(1, relaxed);
    return nullptr;
}

void foreign_numbers_differ() {
    pthread_t threads[at_once];
    for (pthread_t& thread : threads) {
        if (pthread_create(&thread, nullptr, live_together, nullptr) != 0) tap::bail_out("no more threads");
    }
    for (const pthread_t thread : threads) pthread_join(thread, nullptr);
}

void foreign_numbers_come_back() {
    for (uint32_t i = 0; i < 2 * host::foreign_threads; ++i) {
        static uint32_t id;
        {
            const Thread thread([](void*) -> void* {
                id = Port::core_id();
                return nullptr;
            });
        }
        CHECK_EQ(id, host::ids - 1);
    }
}

// ---- Foreign threads park

Atomic<uint32_t> foreign_id;
Atomic<uint32_t> turn;

void* park_for_turns(void*) {
    foreign_id.store(Port::core_id(), release);
    for (uint32_t i = 1; i <= 1000; ++i) {
        while (turn.load(relaxed) != 2 * i - 1) Port::park();
        turn.store(2 * i, relaxed);
        Port::unpark(0);
    }
    return nullptr;
}

// How many times core 0 parked for a thousand messages.
uint32_t talk_to_foreign_thread() {
    uint32_t parks = 0;
    foreign_id.store(0, relaxed);
    turn.store(0, relaxed);
    const Thread thread(park_for_turns);
    tap::wait_for([] { return foreign_id.load(acquire) != 0; }, "a foreign thread");
    for (uint32_t i = 1; i <= 1000; ++i) {
        turn.store(2 * i - 1, relaxed);
        Port::unpark(foreign_id.load(relaxed));
        for (; turn.load(relaxed) != 2 * i; ++parks) Port::park();
    }
    return parks;
}

void foreign_threads_park() { talk_to_foreign_thread(); }

// ---- Signal handlers

Atomic<uint32_t> handled;
uint32_t id_in_handler;

void handler(int) {
    const host::Interrupt interrupt;
    id_in_handler = Port::core_id();
    errno = EDOM;
    Port::unpark(id_in_handler);
    handled.fetch_add(1, relaxed);
}

void use_handler() {
    struct sigaction action = {};
    action.sa_handler = handler;
    sigaction(SIGUSR1, &action, nullptr);
}

void handler_keeps_errno() {
    use_handler();
    errno = ERANGE;
    raise(SIGUSR1);
    tap::wait_for([] { return handled.load(relaxed) == 1; }, "a signal");
    CHECK_EQ(errno, ERANGE);
    Port::park();
}

void handler_may_ask_first() {
    use_handler();
    const Thread thread([](void*) -> void* {
        const uint32_t before = handled.load(relaxed);
        raise(SIGUSR1);
        tap::wait_for([=] { return handled.load(relaxed) != before; }, "a signal");
        CHECK_EQ(Port::core_id(), id_in_handler);
        Port::park();
        return nullptr;
    });
}

// ---- Panic

void panic_says_why() {
    int ends[2] = {-1, -1};
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        Port::panic("the reason", 3, nullptr);
    }
    close(ends[1]);
    char text[256] = {};
    size_t used = 0;
    for (ssize_t got = 1; got > 0 && used < sizeof text - 1;) {
        got = read(ends[0], text + used, sizeof text - 1 - used);
        if (got > 0) used += static_cast<size_t>(got);
    }
    close(ends[0]);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    CHECK(strncmp(text, "panic on core 3: the reason\n", sizeof text) == 0);
}

// ---- Faults

void fault_refused() {
    begin();
    host::refuse_starts(core, 2);
    CHECK_EQ(Port::start_core(core, count_call, &calls), Port::Start::refused);
    CHECK_EQ(Port::start_core(core, count_call, &calls), Port::Start::refused);
    start_when_free(core);
    wait_for_calls(1);
}

void fault_hidden() {
    begin();
    host::hide_core(core);
    for (uint32_t i = 0; i < 3; ++i)
        CHECK_EQ(Port::start_core(core, count_call, &calls), Port::Start::absent);
    host::clear_faults();
    start_when_free(core);
    wait_for_calls(1);
}

void fault_held_and_cancelled() {
    begin();
    for (uint32_t i = 0; i < 200; ++i) {
        host::hold_starts(core);
        start_when_free(core);
        CHECK_EQ(Port::start_core(core, count_call, &calls), Port::Start::refused);
        CHECK(Port::cancel_start(core, &calls));
        CHECK(!Port::cancel_start(core, &calls));
        host::release_starts(core);
        CHECK_EQ(calls.load(acquire), i);  // of the earlier turns
        start_when_free(core);
        wait_for_calls(i + 1);
    }
}

void fault_held_and_released() {
    begin();
    host::hold_starts(core);
    start_when_free(core);
    CHECK_EQ(calls.load(acquire), 0);
    host::release_starts(core);
    wait_for_calls(1);
    CHECK(!Port::cancel_start(core, &calls));
}

// A core that was never on: the thread is made, and does not come.
void fault_held_from_the_beginning() {
    constexpr uint32_t fresh = 2;
    begin();
    host::hold_starts(fresh);
    CHECK_EQ(Port::start_core(fresh, count_call, &calls), Port::Start::started);
    CHECK(Port::cancel_start(fresh, &calls));
    host::clear_faults();
    start_when_free(fresh);
    wait_for_calls(1);
}

void fault_late() {
    begin();
    host::delay_starts(core, 20);
    const uint32_t before = Port::now();
    start_when_free(core);
    wait_for_calls(1);
    CHECK(Port::now() - before >= 20 * Port::ticks_per_ms());
    // In time to cancel, as far as anybody can tell: then it is not called.
    start_when_free(core);
    const bool cancelled = Port::cancel_start(core, &calls);
    host::clear_faults();
    if (!cancelled) wait_for_calls(2);
    start_when_free(core);
    wait_for_calls(cancelled ? 2 : 3);
}

void fault_spurious_parks() {
    begin();
    host::spurious_parks(2);
    const uint32_t parks = talk_to_foreign_thread();
    host::clear_faults();
    tap::note(parks, " parks for 1000 messages");
}

void fault_storm() {
    begin();
    host::spurious_parks(1);
    for (uint32_t i = 0; i < 1000; ++i) Port::park();
    start_when_free(core);
    wait_for_calls(1);
    host::clear_faults();
    start_when_free(core);
    wait_for_calls(2);
}

void fault_wake_everyone() {
    begin();
    host::wake_everyone(true);
    Port::unpark(0);
    Port::park();
    start_when_free(core);  // its unpark may reach it asleep, and then core 0 has an event too
    wait_for_calls(1);
    host::clear_faults();
}

constexpr tap::Test tests[] = {
    TEST(main_is_core_0),
    TEST(foreign_numbers_differ),
    TEST(foreign_numbers_come_back),
    TEST(foreign_threads_park),
    TEST(handler_keeps_errno),
    TEST(handler_may_ask_first),
    TEST(panic_says_why),
    TEST(fault_refused),
    TEST(fault_hidden),
    TEST(fault_held_and_cancelled),
    TEST(fault_held_and_released),
    TEST(fault_held_from_the_beginning),
    TEST(fault_late),
    TEST(fault_spurious_parks),
    TEST(fault_storm),
    TEST(fault_wake_everyone),
};

}  // namespace

extern const tap::Tests edges_tests;

extern "C" int board_main() { return tap::run({tests, edges_tests}); }
