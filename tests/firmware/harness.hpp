// SPDX-License-Identifier: MIT OR Apache-2.0
// For the firmware tests: pools in static memory, tasks that count, waits that end, and the cores that are
// really there.
//
// Every test runs on core 0, makes its own pool (a pool ends once) and joins it before it returns. Where a
// wait fails the whole run ends, as the workers of that pool cannot be got rid of any more.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <weft/weft.hpp>

#include "board.hpp"
#include "tap.hpp"
#include "wait.hpp"

namespace firmware {

using weft::acq_rel;
using weft::acquire;
using weft::Atomic;
using weft::Batch;
using weft::Job;
using weft::Plain;
using weft::Port;
using weft::relaxed;
using weft::release;
using weft::Scheduler;
using weft::Shutdown;
using weft::Status;
using weft::Task;

inline constexpr uint32_t cores = BOARD_CORES;
inline constexpr uint32_t ring = 16;  // small, so that tests make it overflow
using Pool = weft::Pool<cores, ring>;
inline constexpr const char* one_core = "not on this board: a second core";  // a reason to skip
inline constexpr Shutdown modes[] = {Shutdown::drain, Shutdown::abandon};

// How often a test does what it does. The host does it all; emulators, whose cores share a few processors and
// so wait for each other most of the time, do a fifth.
#if __has_include("weft_host_faults.hpp")
inline constexpr uint32_t host_rounds_per_round = 1;
#else
inline constexpr uint32_t host_rounds_per_round = 5;
#endif
constexpr uint32_t rounds(uint32_t on_host) {
    return (on_host + host_rounds_per_round - 1) / host_rounds_per_round;
}

// Where a test builds an object. (An own type: the usual placement form is declared by <new>, which is not
// everywhere.)
struct Place {
    void* where;
};

}  // namespace firmware

inline void* operator new(size_t, firmware::Place place) noexcept { return place.where; }

namespace firmware {

// Memory for one object after another of a type that needs no destructor. What was there before must be over.
template <class T>
class Room {
public:
    T& build() { return *new (Place{memory_}) T(); }
    T& last() { return *reinterpret_cast<T*>(memory_); }  // the one that was built last

private:
    alignas(T) unsigned char memory_[sizeof(T)] = {};
};

// ---- Waiting. Everything here ends the run with a message where nothing happens for patience_ms.

inline constexpr uint32_t patience_ms = 20000;

[[noreturn]] void in_vain(const char* what);

template <class Condition>
void await(Condition condition, const char* what) {
    tap::Stopwatch stopwatch;
    while (!condition()) {
        if (stopwatch.elapsed_ms() >= patience_ms) in_vain(what);
        Port::relax();
    }
}

// Lets time pass; no test relies on what happens meanwhile.
void pass_time(uint32_t ms);

// While it lives, a slow timer of core 0 ends the run when core 0 is not back in time: for run(), join() and
// the like, which sleep. (Once a second it wakes core 0, which then parks again: core 0 sleeps through a lost
// wake all the same.) A test that needs the timer of core 0 for itself says so, and calls look() in its
// interrupt.
class Guard {
public:
    enum class By { own_timer, timer_of_test };
    explicit Guard(const char* what, By by = By::own_timer);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

    static void look();

private:
    By by_;
};

// ---- Cores

void muster();  // finds out, once, which cores come when they are started; before any pool is in use
bool is_present(uint32_t core);  // whether the core comes
uint32_t present();              // how many do; at least 1: core 0, where the tests run

// A pool on which every core that is present can be started.
Pool& new_pool();

// Starts all cores but core 0 and returns when they are workers. They may be busy for some moments after
// that.
void start_workers(Scheduler& pool);

// Until the cores other than core 0 have stopped searching, so they sleep as far as the machine lets them.
void await_rest(Scheduler& pool);

// Starts the timers of all cores, core 0 included (nullptr: stops them). The others must be workers of the
// pool.
void switch_timers(Scheduler& pool, uint32_t hz, void (*isr)());

// An interrupt that takes long: half a millisecond.
void stall_in_interrupt();

// On the host: one processor for each core while it lives, as far as there are any, so that cores run at the
// same time and not in turns. Uses tasks of the pool.
class Spread {
public:
    explicit Spread(Scheduler& pool);
    ~Spread();
    Spread(const Spread&) = delete;
    Spread& operator=(const Spread&) = delete;
};

// run() and join() under a Guard. end() is shutdown and join; nothing may be left over.
void run(Scheduler& pool);
Status join(Scheduler& pool, Batch* left_over = nullptr);
void end(Scheduler& pool, Shutdown mode = Shutdown::drain);

// Waits for the workers; core 0 does the work itself where it is the only core.
template <class Condition>
void work_until(Scheduler& pool, Condition condition, const char* what) {
    await(
        [&] {
            if (present() == 1) static_cast<void>(pool.poll(1));
            return condition();
        },
        what);
}

// ---- Tasks that count how often they ran, and where.

struct Counted : Task {
    constexpr Counted() : Task(&Counted::run) {}
    static void run(Task& self);

    Atomic<uint32_t> runs{};   // released after each run
    Atomic<uint32_t> core{};   // where it ran last
    Plain<uint32_t> result{};  // `runs` again, but plain: whoever reads it must have an edge to the run
};

inline constexpr uint32_t most_tasks = 20 * (cores > ring ? cores : ring);
extern Counted counted[most_tasks];
extern Atomic<uint32_t> counted_runs;  // of all of them, since forget_runs(); released after each run

void forget_runs();
void submit_counted(Scheduler& pool, uint32_t count);  // one by one
void submit_counted_batch(Scheduler& pool, uint32_t count);
void check_runs(uint32_t count, uint32_t times);  // each of the first `count` ran so often

// Tasks that submit themselves again, so that the ring of the core which runs two of them never runs dry. They end by
// themselves after very many links: then what waited behind them is found all the same, and too late.
struct Chained : Task {
    constexpr Chained() : Task(&Chained::run) {}
    static void run(Task& self) {
        Chained& link = static_cast<Chained&>(self);
        const uint32_t before = link.links.load(relaxed);
        link.links.store(before + 1, relaxed);
        for (uint32_t i = link.relaxes; i != 0; --i) Port::relax();
        if (before + 1 != most_links && link.stop.load(relaxed) == 0)
            static_cast<void>(link.pool->submit(link));
    }
    bool is_over() const { return links.load(relaxed) == most_links; }

    static constexpr uint32_t most_links = 2000000;
    Scheduler* pool = nullptr;
    Atomic<uint32_t> links{};
    Atomic<uint32_t> stop{};
    uint32_t relaxes = 0;  // for so long each
};

// Calls a function on the core that it is submitted to, and says when it has.
struct Calls : Task {
    constexpr explicit Calls(void (*what)()) : Task(&Calls::run), what_(what) {}
    static void run(Task& self) {
        Calls& task = static_cast<Calls&>(self);
        task.what_();
        task.done.store(1, release);
    }
    Atomic<uint32_t> done{};

private:
    void (*what_)();
};

// A task that stays where it runs until it is let go.
struct Blocker : Task {
    constexpr Blocker() : Task(&Blocker::run) {}
    static void run(Task& self);
    void await_entered() const;
    void let_go();  // also clears it for its next run

    Atomic<uint32_t> entered{};
    Atomic<uint32_t> released{};
};

// While it lives, each other core that is present stays in a task. The pool may be new, or at work.
class OthersHeld {
public:
    explicit OthersHeld(Scheduler& pool);
    ~OthersHeld() { let_go(); }
    OthersHeld(const OthersHeld&) = delete;
    OthersHeld& operator=(const OthersHeld&) = delete;

    void let_go(uint32_t core);
    void let_go();

private:
    Blocker blockers_[cores];
    bool held_[cores] = {};
};

// Tasks that are done when all of them are running at the same time: every one needs a core.
class Gathering {
public:
    void begin(uint32_t tasks);  // 1..cores
    Task& task(uint32_t index) { return tasks_[index]; }
    bool over() const { return left_.load(acquire) == count_; }
    uint32_t size() const { return count_; }

    // Called by the last task to leave; set before begin(). It may begin the next gathering.
    void (*when_over)() = nullptr;

private:
    struct Member : Task {
        constexpr Member() : Task(&Gathering::run) {}
        Gathering* gathering = nullptr;
    };
    static void run(Task& self);

    Member tasks_[cores];
    uint32_t count_ = 0;
    Atomic<uint32_t> arrived_{};
    Atomic<uint32_t> left_{};
};

}  // namespace firmware
