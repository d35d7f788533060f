// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: starts that fail in every way, and wakes without cause. The host port injects these faults;
// on other boards this file is empty.
#if __has_include("weft_host_faults.hpp")

#include "harness.hpp"
#include "weft_host_faults.hpp"

namespace firmware {
namespace {

namespace faults = weft::host;

constexpr uint32_t for_ever = UINT32_MAX;
constexpr uint32_t deadline_ms = WEFT_START_DEADLINE_MS;

struct NoFaultsAfterwards {
    NoFaultsAfterwards() = default;
    ~NoFaultsAfterwards() { faults::clear_faults(); }
    NoFaultsAfterwards(const NoFaultsAfterwards&) = delete;
    NoFaultsAfterwards& operator=(const NoFaultsAfterwards&) = delete;
};

template <class Fault>
void on_each_core(Fault fault) {
    for (uint32_t core = 1; core < cores; ++core) fault(core);
}

bool has_only_core_0() {
    if (cores == 1) tap::skip("not on this board: a second core");
    return cores == 1;
}

void await_runs(uint32_t count) {
    await([=] { return counted_runs.load(acquire) == count; }, "tasks, though starts have failed");
}

// A task that submits itself until `condition()`, then shuts the pool down.
template <class Condition>
class Repeat : public Task {
public:
    Repeat(Scheduler& pool, Condition condition) : Task(&Repeat::run), pool_(pool), condition_(condition) {}
    uint32_t turns() const { return turns_; }

private:
    static void run(Task& self) {
        Repeat& repeat = static_cast<Repeat&>(self);
        ++repeat.turns_;
        const bool over = repeat.condition_();
        if (!over && repeat.stopwatch_.elapsed_ms() >= patience_ms) in_vain("what a task repeats itself for");
        if (over) return repeat.pool_.shutdown();
        CHECK_EQ(repeat.pool_.submit(repeat), Status::ok);
    }
    Scheduler& pool_;
    Condition condition_;
    uint32_t turns_ = 0;
    tap::Stopwatch stopwatch_;
};

void Z6_refused_once() {
    if (has_only_core_0()) return;
    Pool& pool = new_pool();
    const NoFaultsAfterwards cleared;
    on_each_core([](uint32_t core) { faults::refuse_starts(core, 1); });
    forget_runs();
    CHECK_EQ(pool.submit(counted[0]), Status::ok);
    CHECK_EQ(pool.start_failures(), cores - 1);  // each was tried once
    CHECK_EQ(pool.live_cores(), 0);
    CHECK_EQ(pool.submit(counted[1]), Status::ok);  // tries again, and nobody refuses any more
    CHECK(pool.live_cores() >= 1);
    await_runs(2);
    CHECK_EQ(pool.start_failures(), cores - 1);
    check_runs(2, 1);
    end(pool);
}

void Z6_refused_core_k() {
    if (has_only_core_0()) return;
    for (uint32_t k = 1; k < cores; ++k) {
        Pool& pool = new_pool();
        const NoFaultsAfterwards cleared;
        faults::refuse_starts(k, for_ever);
        static Blocker blockers[cores];
        for (uint32_t i = 0; i + 2 < cores; ++i) CHECK_EQ(pool.submit(blockers[i]), Status::ok);
        for (uint32_t i = 0; i + 2 < cores; ++i) blockers[i].await_entered();
        forget_runs();
        CHECK_EQ(pool.submit(counted[0]), Status::ok);  // only core k is left to be tried
        CHECK(pool.start_failures() >= 1);
        CHECK_EQ(pool.live_cores(), cores - 2);
        for (uint32_t i = 0; i + 2 < cores; ++i) blockers[i].let_go();
        if (cores == 2) CHECK_EQ(pool.poll(1).tasks, 1);
        await_runs(1);
        end(pool);
    }
}

void Z6_all_refused_then_retried() {
    if (has_only_core_0()) return;
    Pool& pool = new_pool();
    const NoFaultsAfterwards cleared;
    on_each_core([](uint32_t core) { faults::refuse_starts(core, for_ever); });
    forget_runs();
    submit_counted(pool, 20);
    CHECK_EQ(pool.live_cores(), 0);
    CHECK(pool.start_failures() >= cores - 1);
    CHECK_EQ(pool.poll(100).tasks, 20);
    check_runs(20, 1);
    faults::clear_faults();
    start_workers(pool);
    CHECK_EQ(pool.live_cores(), cores - 1);
    end(pool);
}

void Z6_tasks_retry_now_and_then() {
    if (has_only_core_0()) return;
    Pool& pool = new_pool();
    const NoFaultsAfterwards cleared;
    on_each_core([](uint32_t core) { faults::refuse_starts(core, for_ever); });
    uint32_t turn = 0;
    Repeat until_another_lives(pool, [&] {
        if (++turn == 10) faults::clear_faults();
        return pool.live_cores() >= 2;
    });
    CHECK_EQ(pool.submit(until_another_lives), Status::ok);
    run(pool);
    end(pool);
    CHECK(until_another_lives.turns() <= 10 + 2 * WEFT_FAIR_INTERVAL);
}

void Z6_all_absent() {
    if (has_only_core_0()) return;
    Pool& pool = new_pool();
    const NoFaultsAfterwards cleared;
    on_each_core([](uint32_t core) { faults::hide_core(core); });
    forget_runs();
    for (uint32_t round = 0; round < 3; ++round) {
        submit_counted(pool, 5);
        CHECK_EQ(pool.live_cores(), 0);
        CHECK_EQ(pool.start_failures(), cores - 1);  // a core that does not exist is tried once
        CHECK_EQ(pool.poll(100).tasks, 5);
    }
    on_each_core(
        [&](uint32_t core) { CHECK_EQ(pool.submit_on(core, counted[0]), Status::core_unavailable); });
    check_runs(5, 3);
    end(pool);
}

// "Started", but core 1 never arrives: a submit after the deadline withdraws the start, reports it and tries
// the next.
void Z6_never_checks_in() {
    if (has_only_core_0()) return;
    Pool& pool = new_pool();
    const NoFaultsAfterwards cleared;
    faults::hold_starts(1);
    forget_runs();
    CHECK_EQ(pool.submit(counted[0]), Status::ok);
    CHECK_EQ(pool.live_cores(), 1);
    CHECK_EQ(pool.start_failures(), 0);
    pass_time(deadline_ms + 10);
    CHECK_EQ(pool.start_failures(), 0);  // nobody looked
    CHECK_EQ(pool.submit(counted[1]), Status::ok);
    CHECK_EQ(pool.start_failures(), 1);
    if (cores == 2) faults::release_starts(1);  // it was tried again, and now it comes
    await_runs(2);
    check_runs(2, 1);
    CHECK_EQ(pool.start_failures(), 1);
    faults::release_starts(1);  // where it was withdrawn it arrives too late, and must stay outside
    end(pool);
}

// The same where core 0 becomes a worker before the deadline, and only tasks submit.
void Z6_never_checks_in_beside_run() {
    if (has_only_core_0()) return;
    Pool& pool = new_pool();
    const NoFaultsAfterwards cleared;
    faults::hold_starts(1);
    Repeat until_reported(pool, [&] { return pool.start_failures() != 0; });
    CHECK_EQ(pool.submit(until_reported), Status::ok);
    run(pool);
    end(pool);
}

void Z6_never_checks_in_for_submit_on() {
    if (has_only_core_0()) return;
    Pool& pool = new_pool();
    const NoFaultsAfterwards cleared;
    faults::hold_starts(1);
    forget_runs();
    CHECK_EQ(pool.submit_on(1, counted[0]), Status::ok);
    CHECK_EQ(pool.live_cores(), 1);
    uint32_t submits = 1;
    await(
        [&] {
            if (submits < most_tasks) CHECK_EQ(pool.submit(counted[submits++]), Status::ok);
            pass_time(deadline_ms / 10);
            static_cast<void>(pool.poll(1));
            return pool.start_failures() != 0;
        },
        "the report that a core which submit_on() started does not come");
    await(
        [&] {
            static_cast<void>(pool.poll(1));
            return counted_runs.load(acquire) == submits - 1;
        },
        "the tasks that are not pinned");
    pool.shutdown();
    Batch left;
    CHECK_EQ(join(pool, &left), Status::ok);
    CHECK_EQ(pool.live_cores(), 0);
    CHECK_EQ(left.size(), 1);
    CHECK_EQ(left.pop(), &counted[0]);
    CHECK_EQ(counted[0].runs.load(relaxed), 0);
}

// The core arrives around the moment at which its start is withdrawn.
void Z6_races_the_deadline() {
    if (has_only_core_0()) return;
    for (uint32_t ms = deadline_ms - 3; ms <= deadline_ms + 3; ++ms) {
        Pool& pool = new_pool();
        const NoFaultsAfterwards cleared;
        faults::delay_starts(1, ms);
        forget_runs();
        uint32_t submits = 0;
        tap::Stopwatch stopwatch;
        while (stopwatch.elapsed_ms() < deadline_ms + 10 && submits < most_tasks) {
            CHECK_EQ(pool.submit(counted[submits++]), Status::ok);
            if (stopwatch.elapsed_ms() < deadline_ms - 5) pass_time(1);
            for (uint32_t i = 0; i < 200; ++i) Port::relax();
        }
        const uint32_t ran = pool.poll(most_tasks).tasks;
        CHECK(ran <= submits);
        end(pool);
        check_runs(submits, 1);
    }
}

void Z6_checks_in_late_but_in_time() {
    if (has_only_core_0()) return;
    Pool& pool = new_pool();
    const NoFaultsAfterwards cleared;
    on_each_core([](uint32_t core) { faults::delay_starts(core, deadline_ms / 4); });
    forget_runs();
    CHECK_EQ(pool.submit(counted[0]), Status::ok);
    await_runs(1);
    CHECK_EQ(pool.start_failures(), 0);
    end(pool);
}

// No park lasts, and every wake wakes all.
void Z6_spurious_wakes() {
    if (has_only_core_0()) return;
    Pool& pool = new_pool();
    const NoFaultsAfterwards cleared;
    start_workers(pool);
    static Gathering gathering;
    for (uint32_t every = 1; every <= 3; ++every) {
        faults::spurious_parks(every);
        faults::wake_everyone(every != 2);
        await_rest(pool);  // they go on sleeping and do not search
        for (uint32_t round = 0; round < 30; ++round) {
            gathering.begin(cores - 1);
            for (uint32_t i = 0; i + 1 < cores; ++i) CHECK_EQ(pool.submit(gathering.task(i)), Status::ok);
            await([&] { return gathering.over(); }, "a core for each long task in a storm of events");
        }
        await([&] { return pool.total().spurious_wakes != 0; }, "wakes without cause to be counted");
    }
    CHECK_EQ(pool.total().executed, cores - 1 + 3 * 30 * (cores - 1));
    end(pool);
}

void Z7_join_withdraws_starts() {
    if (has_only_core_0()) return;
    for (const Shutdown mode : modes) {
        Pool& pool = new_pool();
        const NoFaultsAfterwards cleared;
        on_each_core([](uint32_t core) { faults::hold_starts(core); });
        forget_runs();
        submit_counted(pool, 3);
        on_each_core([&](uint32_t core) { CHECK_EQ(pool.submit_on(core, counted[2 + core]), Status::ok); });
        CHECK_EQ(pool.live_cores(), cores - 1);
        pool.shutdown(mode);
        Batch left;
        CHECK_EQ(join(pool, &left), Status::ok);
        CHECK_EQ(pool.live_cores(), 0);
        CHECK_EQ(pool.start_failures(), cores - 1);
        // Drained: join() ran what any core may run. What is pinned to the others comes back.
        const bool drained = mode == Shutdown::drain;
        CHECK_EQ(counted_runs.load(acquire), drained ? 3 : 0);
        CHECK_EQ(left.size(), drained ? cores - 1 : cores + 2);
        while (left.pop() != nullptr) {
        }
    }
}

constexpr tap::Test tests[] = {
    TEST(Z6_refused_once),
    TEST(Z6_refused_core_k),
    TEST(Z6_all_refused_then_retried),
    TEST(Z6_tasks_retry_now_and_then),
    TEST(Z6_all_absent),
    TEST(Z6_never_checks_in),
    TEST(Z6_never_checks_in_beside_run),
    TEST(Z6_never_checks_in_for_submit_on),
    TEST(Z6_races_the_deadline),
    TEST(Z6_checks_in_late_but_in_time),
    TEST(Z6_spurious_wakes),
    TEST(Z7_join_withdraws_starts),
};

}  // namespace

extern const tap::Tests faults_tests{tests};

}  // namespace firmware

#endif
