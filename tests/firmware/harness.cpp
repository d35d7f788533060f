// SPDX-License-Identifier: MIT OR Apache-2.0
// For the firmware tests: see harness.hpp.
#include "harness.hpp"

#include "portrait.hpp"

namespace firmware {

namespace {

Room<Pool> room;
bool room_is_used = false;

}  // namespace

void in_vain(const char* what) {
    if (room_is_used) tap::draw(room.last());
    tap::note("core ", Port::core_id(), " waited in vain for: ", what);
    tap::bail_out(what);
}

void pass_time(uint32_t ms) {
    constexpr uint32_t looks = 200;  // for one relax(), which takes long where it ends an emulator's turn
    tap::Stopwatch stopwatch;
    while (stopwatch.elapsed_ms() < ms) {
        Port::relax();
        for (uint32_t i = 0; i < looks && stopwatch.elapsed_ms() < ms; ++i) {
        }
    }
}

// ---- Guard. One at a time, on core 0, which also takes its interrupts.

namespace {

const char* volatile guarded = nullptr;  // volatile: read by interrupts of the core that writes it
tap::Stopwatch guard_stopwatch;
constexpr uint32_t guard_patience_ms = patience_ms + 5000;  // a wait inside ends the run first, and says more

}  // namespace

void Guard::look() {
    if (guarded != nullptr && guard_stopwatch.elapsed_ms() >= guard_patience_ms) tap::bail_out(guarded);
}

Guard::Guard(const char* what, By by) : by_(by) {
    guard_stopwatch.restart();
    guarded = what;
    if (by_ == By::own_timer) board::start_timer(1, look);
}

Guard::~Guard() {
    if (by_ == By::own_timer) board::stop_timer();
    guarded = nullptr;
}

// ---- Cores

namespace {

bool core_is_present[cores];
uint32_t cores_present = 0;  // 0: not known yet

struct Probe : Task {
    constexpr Probe() : Task(&Probe::run) {}
    static void run(Task& self) { static_cast<Probe&>(self).came.store(1, release); }
    Atomic<uint32_t> came{};
};
Probe probes[cores];

bool all_probes_came(const bool (&sent)[cores]) {
    for (uint32_t core = 1; core < cores; ++core) {
        if (sent[core] && probes[core].came.load(acquire) == 0) return false;
    }
    return true;
}

// Cores that say they start and have not come after some seconds are left out. One that comes later all the same would
// steal what a test means to keep.
void find_cores() {
    constexpr uint32_t muster_ms = 5000;
    Pool& pool = room.build();
    bool sent[cores] = {};
    for (uint32_t core = 1; core < cores; ++core) {
        sent[core] = pool.submit_on(core, probes[core]) == Status::ok;
    }
    tap::Stopwatch stopwatch;
    while (!all_probes_came(sent) && stopwatch.elapsed_ms() < muster_ms) Port::relax();
    pool.shutdown(Shutdown::abandon);
    Batch missed;
    static_cast<void>(join(pool, &missed));
    while (missed.pop() != nullptr) {
    }
    core_is_present[0] = true;
    cores_present = 1;
    for (uint32_t core = 1; core < cores; ++core) {
        core_is_present[core] = probes[core].came.load(acquire) != 0;
        if (core_is_present[core]) ++cores_present;
    }
}

}  // namespace

void muster() {
    if (cores_present == 0) find_cores();
}

bool is_present(uint32_t core) {
    muster();
    return core_is_present[core];
}

uint32_t present() {
    muster();
    return cores_present;
}

Pool& new_pool() {
    muster();
    room_is_used = true;
    return room.build();
}

namespace {

Gathering workers_gathering;
struct Nudge : Task {
    constexpr Nudge() : Task(&Nudge::run) {}
    static void run(Task& self) { static_cast<Nudge&>(self).queued.store(0, release); }
    Atomic<uint32_t> queued{};
};
Nudge nudge;

}  // namespace

// A core that says it starts and never comes holds up the others until a submit after its deadline: the
// nudges.
void start_workers(Scheduler& pool) {
    if (present() == 1) return;
    workers_gathering.begin(present() - 1);
    for (uint32_t i = 0; i + 1 < present(); ++i) CHECK_EQ(pool.submit(workers_gathering.task(i)), Status::ok);
    await(
        [&] {
            if (present() != cores && nudge.queued.exchange(1, acquire) == 0) {
                CHECK_EQ(pool.submit(nudge), Status::ok);
            }
            return workers_gathering.over();
        },
        "all cores to become workers");
    await([] { return nudge.queued.load(acquire) == 0; },
          "a task that was submitted while the cores started");
}

void await_rest(Scheduler& pool) {
#if defined(WEFT_HOST_DELAYS)
    constexpr uint32_t still_ms = 20;  // a core may be held up on its way to sleep
#else
    constexpr uint32_t still_ms = 2;
#endif
    await(
        [&] {
            const uint32_t before = pool.total().steal_attempts;
            pass_time(still_ms);
            return pool.total().steal_attempts == before;
        },
        "workers without work to stop searching");
}

namespace {

struct TimerSwitch : Task {
    constexpr TimerSwitch() : Task(&TimerSwitch::run) {}
    static void run(Task& self) {
        TimerSwitch& timer = static_cast<TimerSwitch&>(self);
        if (timer.isr != nullptr) {
            board::start_timer(timer.hz, timer.isr);
        } else {
            board::stop_timer();
        }
        timer.done.store(1, release);
    }
    uint32_t hz = 0;
    void (*isr)() = nullptr;
    Atomic<uint32_t> done{};
};
TimerSwitch timer_switches[cores];

}  // namespace

void switch_timers(Scheduler& pool, uint32_t hz, void (*isr)()) {
    for (uint32_t core = 1; core < cores; ++core) {
        if (!is_present(core)) continue;
        TimerSwitch& timer = timer_switches[core];
        timer.hz = hz;
        timer.isr = isr;
        timer.done.store(0, relaxed);
        CHECK_EQ(pool.submit_on(core, timer), Status::ok);
        await([&] { return timer.done.load(acquire) != 0; }, "a timer of another core");
    }
    if (isr != nullptr) {
        board::start_timer(hz, isr);
    } else {
        board::stop_timer();
    }
}

void stall_in_interrupt() {
    const uint32_t start = Port::now();
    while (Port::now() - start < Port::ticks_per_ms() / 2) {
    }
}

#if !__has_include("weft_host_faults.hpp")  // the host's are in host.cpp
Spread::Spread(Scheduler&) {}
Spread::~Spread() = default;
#endif

void run(Scheduler& pool) {
    const Guard guard("run() to return after the shutdown");
    CHECK_EQ(pool.run(), Status::ok);
}

Status join(Scheduler& pool, Batch* left_over) {
    const Guard guard("join() to return after the shutdown");
    return left_over != nullptr ? pool.join(*left_over) : pool.join();
}

void end(Scheduler& pool, Shutdown mode) {
    pool.shutdown(mode);
    CHECK_EQ(join(pool), Status::ok);
    CHECK_EQ(pool.live_cores(), 0);
}

// ---- Tasks

Counted counted[most_tasks];
Atomic<uint32_t> counted_runs;

void Counted::run(Task& self) {
    Counted& task = static_cast<Counted&>(self);
    task.core.store(weft::this_core(), relaxed);  // published by the next
    task.result.set(task.result.get() + 1);
    task.runs.fetch_add(1, release);  // from here on the task may be submitted again
    counted_runs.fetch_add(1, release);
}

void forget_runs() {
    counted_runs.store(0, relaxed);
    for (Counted& task : counted) {
        task.runs.store(0, relaxed);
        task.result.set(0);
    }
}

void submit_counted(Scheduler& pool, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) CHECK_EQ(pool.submit(counted[i]), Status::ok);
}

void submit_counted_batch(Scheduler& pool, uint32_t count) {
    Batch batch;
    for (uint32_t i = 0; i < count; ++i) CHECK_EQ(batch.push(counted[i]), Status::ok);
    CHECK_EQ(batch.size(), count);
    CHECK_EQ(pool.submit(batch), Status::ok);
    CHECK(batch.empty());
}

void check_runs(uint32_t count, uint32_t times) {
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (counted[i].runs.load(relaxed) != times || counted[i].result.get() != times) ++wrong;
    }
    CHECK_EQ(wrong, 0);
}

void Blocker::run(Task& self) {
    Blocker& task = static_cast<Blocker&>(self);
    task.entered.store(1, release);
    await([&] { return task.released.load(acquire) != 0; }, "a task that blocks to be let go");
    task.released.store(0, relaxed);
    task.entered.store(0, release);
}

void Blocker::await_entered() const {
    await([&] { return entered.load(acquire) != 0; }, "a task that blocks to be run");
}

void Blocker::let_go() {
    released.store(1, release);
    await([&] { return entered.load(acquire) == 0; }, "a task that was let go");
}

OthersHeld::OthersHeld(Scheduler& pool) {
    for (uint32_t core = 0; core < cores; ++core) {
        if (core == Port::core_id() || !is_present(core)) continue;
        CHECK_EQ(pool.submit_on(core, blockers_[core]), Status::ok);
        blockers_[core].await_entered();
        held_[core] = true;
    }
}

void OthersHeld::let_go(uint32_t core) {
    if (!held_[core]) return;
    held_[core] = false;
    blockers_[core].let_go();
}

void OthersHeld::let_go() {
    for (uint32_t core = 0; core < cores; ++core) let_go(core);
}

void Gathering::begin(uint32_t tasks) {
    count_ = tasks;
    arrived_.store(0, relaxed);  // published by the submit
    left_.store(0, relaxed);
    for (Member& member : tasks_) member.gathering = this;
}

void Gathering::run(Task& self) {
    Gathering& gathering = *static_cast<Member&>(self).gathering;
    const uint32_t count = gathering.count_;
    void (*const when_over)() = gathering.when_over;
    gathering.arrived_.fetch_add(1, acq_rel);
    await([&] { return gathering.arrived_.load(acquire) == count; }, "as many cores as there are long tasks");
    if (gathering.left_.fetch_add(1, acq_rel) + 1 == count && when_over != nullptr) when_over();
}

}  // namespace firmware
