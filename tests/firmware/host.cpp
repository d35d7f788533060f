// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests on the host: which processor plays which core, and interrupts of two priorities. On other
// boards this file is empty.
#if __has_include("weft_host_faults.hpp")

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "harness.hpp"
#include "weft_image.hpp"

#if !defined(sigev_notify_thread_id)
#define sigev_notify_thread_id _sigev_un._tid  // older C libraries know the field by this name only
#endif

namespace firmware {
namespace {

cpu_set_t allowed;  // before

pid_t this_thread() { return static_cast<pid_t>(syscall(SYS_gettid)); }

// The nth processor that this program may use, in turns.
int processor(uint32_t n) {
    uint32_t left = n % static_cast<uint32_t>(CPU_COUNT(&allowed));
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(static_cast<size_t>(cpu), &allowed) && left-- == 0) return cpu;
    }
    return 0;
}

void use_processor(uint32_t n) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<size_t>(processor(n)), &one);
    static_cast<void>(sched_setaffinity(0, sizeof one, &one));  // refused: then they go in turns
}

struct Mover : Task {
    constexpr Mover() : Task(&Mover::run) {}
    static void run(Task& self) {
        Mover& mover = static_cast<Mover&>(self);
        use_processor(Port::core_id());
        mover.thread.store(static_cast<uint32_t>(this_thread()), release);
    }
    Atomic<uint32_t> thread{};  // 0: not moved
};
Mover movers[cores];

// ---- Two timers of core 0, whose signals interrupt each other. Each submits tasks of its own.

constexpr uint32_t levels = 2;
constexpr uint32_t tasks_per_level = 32;
constexpr uint32_t submits_per_level = 4000;
constexpr int signals[levels] = {SIGUSR1, SIGUSR2};
constexpr long periods_ns[levels] = {97000, 61000};

struct Level {
    Counted tasks[tasks_per_level];
    Atomic<uint32_t> submits{};
};
Level priorities[levels];
Pool* interrupted;

void on_signal(int signal) {
    const weft::host::Interrupt interrupt;
    Level& level = priorities[signal == signals[0] ? 0 : 1];
    uint32_t submits = level.submits.load(relaxed);
    for (uint32_t i = 0; i < 4 && submits != submits_per_level; ++i) {
        Counted& task = level.tasks[submits % tasks_per_level];
        if (task.runs.load(acquire) != submits / tasks_per_level)
            break;  // it has not run since its last submit
        CHECK_EQ(interrupted->submit_from_isr(task), Status::ok);
        ++submits;
    }
    level.submits.store(submits, relaxed);
}

timer_t start_signals(uint32_t level) {
    struct sigaction action = {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);  // the other one may come meanwhile
    CHECK_EQ(sigaction(signals[level], &action, nullptr), 0);
    sigevent event = {};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = signals[level];
    event.sigev_notify_thread_id = this_thread();
    timer_t timer = {};
    CHECK_EQ(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
    itimerspec times = {};
    times.it_interval.tv_nsec = periods_ns[level];
    times.it_value = times.it_interval;
    CHECK_EQ(timer_settime(timer, 0, &times, nullptr), 0);
    return timer;
}

void E1_nested_interrupts() {
#if defined(WEFT_HOST_TSAN)
    // Its runtime holds signals back; where one interrupts the handler of another, it leaves both blocked for
    // good.
    return tap::skip("not on this board: signals that interrupt each other, under ThreadSanitizer");
#endif
    interrupted = &new_pool();
    start_workers(*interrupted);
    counted_runs.store(0, relaxed);
    timer_t timers[levels];
    for (uint32_t level = 0; level < levels; ++level) timers[level] = start_signals(level);
    constexpr uint32_t all = levels * submits_per_level;
    work_until(
        *interrupted, [] { return counted_runs.load(acquire) == all; },
        "tasks of interrupts of two priorities");
    for (timer_t timer : timers) timer_delete(timer);
    end(*interrupted);
    for (const Level& level : priorities) {
        for (const Counted& task : level.tasks) {
            CHECK_EQ(task.runs.load(relaxed), submits_per_level / tasks_per_level);
        }
    }
}

constexpr tap::Test tests[] = {
    TEST(E1_nested_interrupts),
};

}  // namespace

extern const tap::Tests host_tests{tests};

Spread::Spread(Scheduler& pool) {
    static_cast<void>(sched_getaffinity(0, sizeof allowed, &allowed));
    use_processor(0);
    for (uint32_t core = 1; core < cores && core < pool.cores(); ++core) {
        Mover& mover = movers[core];
        CHECK_EQ(pool.submit_on(core, mover), Status::ok);
        await([&] { return mover.thread.load(acquire) != 0; }, "a core that moves to a processor of its own");
    }
}

Spread::~Spread() {
    static_cast<void>(sched_setaffinity(0, sizeof allowed, &allowed));
    for (Mover& mover : movers) {
        const uint32_t thread = mover.thread.exchange(0, relaxed);
        if (thread == 0) continue;
        static_cast<void>(sched_setaffinity(static_cast<pid_t>(thread), sizeof allowed, &allowed));
    }
}

}  // namespace firmware

#endif
