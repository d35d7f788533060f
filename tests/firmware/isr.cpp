// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: submits from interrupts. The timers of the cores play the interrupts; core 0 stays awake,
// so that its own never wait for a park to end.
#include "harness.hpp"
#include "urgency.hpp"

namespace firmware {
namespace {

Pool* pool;

// ---- Rain: tasks that the interrupts of a core submit again and again, each as soon as it has run.

constexpr uint32_t drops_per_core = 64;
constexpr uint32_t drops_of_flood = board::ram_kib < 1024 ? 768 : 8192;
Counted drops[cores][drops_per_core];
Counted flood[drops_of_flood];

struct Rain {
    Counted* drops = nullptr;
    uint32_t size = 0;
    Atomic<uint32_t> submits{};  // written by the interrupts of its core
};
Rain rains[cores];
uint32_t per_tick;  // submits of one interrupt, at most
uint32_t limit;     // of each core
constexpr uint32_t no_limit = UINT32_MAX;

void rain_in_interrupt() {
    Rain& rain = rains[Port::core_id()];
    uint32_t submits = rain.submits.load(relaxed);
    for (uint32_t i = 0; i < per_tick && submits != limit; ++i) {
        Counted& drop = rain.drops[submits % rain.size];
        if (drop.runs.load(acquire) != submits / rain.size) break;  // it has not run since its last submit
        const weft::Urgency urgency{static_cast<uint8_t>(submits % WEFT_URGENCY_LEVELS)};
        if (!CHECK_EQ(kit::submit_from_isr_at(*pool, drop, urgency), Status::ok)) break;
        ++submits;
    }
    rain.submits.store(submits, relaxed);
}

void prepare(uint32_t core, Counted* drops_of_core, uint32_t size) {
    Rain& rain = rains[core];
    rain.drops = drops_of_core;
    rain.size = size;
    rain.submits.store(0, relaxed);
    for (uint32_t i = 0; i < size; ++i) drops_of_core[i].runs.store(0, relaxed);
}

uint32_t all_submits() {
    uint32_t sum = 0;
    for (const Rain& rain : rains) sum += rain.submits.load(relaxed);
    return sum;
}

void check_each_drop_ran(const Rain& rain) {
    const uint32_t submits = rain.submits.load(relaxed);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < rain.size; ++i) {
        const uint32_t expected = submits / rain.size + (i < submits % rain.size ? 1 : 0);
        if (rain.drops[i].runs.load(acquire) != expected) ++wrong;
    }
    CHECK_EQ(wrong, 0);
}

// Interrupts of core 0 submit `submits` tasks, `each_tick` at a time.
void rain_on_core_0(uint32_t hz, uint32_t each_tick, uint32_t submits) {
    pool = &new_pool();
    start_workers(*pool);
    counted_runs.store(0, relaxed);
    prepare(0, flood, each_tick < drops_per_core ? drops_per_core : drops_of_flood);
    per_tick = each_tick;
    limit = submits;
    board::start_timer(hz, rain_in_interrupt);
    constexpr uint32_t parts = 100;  // each may take as long as other tests in all
    for (uint32_t part = 1; part <= parts; ++part) {
        const uint32_t so_far = part == parts ? submits : submits / parts * part;
        work_until(
            *pool, [=] { return counted_runs.load(acquire) >= so_far; }, "tasks that an interrupt submits");
    }
    board::stop_timer();
    end(*pool);
    CHECK_EQ(rains[0].submits.load(relaxed), submits);
    CHECK_EQ(counted_runs.load(relaxed), submits);
    check_each_drop_ran(rains[0]);
}

// ---- A storm: one interrupt submits many tasks, and none of them ends before the interrupt has.

Atomic<uint32_t> storm_over;

struct Waiting : Task {
    constexpr Waiting() : Task(&Waiting::run) {}
    static void run(Task&) {
        await([] { return storm_over.load(acquire) != 0; }, "the end of an interrupt");
        counted_runs.fetch_add(1, release);
    }
};
constexpr uint32_t storm_size = 256;
Waiting storm[storm_size];

void storm_in_interrupt() {
    board::stop_timer();
    for (Waiting& task : storm) CHECK_EQ(pool->submit_from_isr(task), Status::ok);
    storm_over.store(1, release);
}

// ---- Events without cause: every interrupt unparks every core.

void unpark_all_in_interrupt() {
    for (uint32_t core = 0; core < cores; ++core) {
        if (is_present(core)) Port::unpark(core);
    }
}

// ---- Statistics that an interrupt reads while the cores work.

weft::CoreStats last_seen;
Atomic<uint32_t> times_seen;

void read_statistics_in_interrupt() {
    const weft::CoreStats now = pool->total();
    CHECK(now.executed >= last_seen.executed && now.submitted >= last_seen.submitted);
    CHECK(now.parks >= last_seen.parks && now.wakes >= last_seen.wakes);
    CHECK_EQ(now.parks - now.wakes, now.spurious_wakes);
    last_seen = now;
    times_seen.fetch_add(1, release);
}

void E1_bursts_run_exactly_once() {
    constexpr uint32_t bursts[] = {1, 3, 17, drops_per_core};
    for (const uint32_t burst : bursts) rain_on_core_0(5000, burst, rounds(300 + burst * 50));
}

void E1_storm_coalesces() {
    pool = &new_pool();
    start_workers(*pool);
    for (uint32_t round = 0; round < rounds(20); ++round) {
        await_rest(*pool);
        const uint32_t before = pool->total().wakes;
        counted_runs.store(0, relaxed);
        storm_over.store(0, relaxed);
        board::start_timer(1000, storm_in_interrupt);
        work_until(
            *pool, [] { return counted_runs.load(acquire) == storm_size; }, "the tasks of a storm");
        CHECK(pool->total().wakes - before <= storm_size / 4);
    }
    end(*pool);
}

// The cores park between their interrupts, each of which may come at any step of that.
void E1_interrupts_of_all_cores() {
    pool = &new_pool();
    start_workers(*pool);
    counted_runs.store(0, relaxed);
    for (uint32_t core = 0; core < cores; ++core) prepare(core, drops[core], drops_per_core);
    per_tick = 4;
    limit = no_limit;
    switch_timers(*pool, 1000, rain_in_interrupt);
    work_until(
        *pool,
        [] {
            for (uint32_t core = 0; core < cores; ++core) {
                if (is_present(core) && rains[core].submits.load(relaxed) < rounds(1000)) return false;
            }
            return true;
        },
        "interrupts of all cores");
    switch_timers(*pool, 0, nullptr);
    work_until(
        *pool, [] { return counted_runs.load(acquire) >= all_submits(); }, "what interrupts have submitted");
    end(*pool);
    CHECK_EQ(counted_runs.load(acquire), all_submits());
    for (const Rain& rain : rains) check_each_drop_ran(rain);
}

void E1_million_submits() {
    const uint32_t submits = tap::option("submits", 1000000);
    rain_on_core_0(20000, drops_of_flood, submits);
}

// Interrupts of all cores wake all cores. Nobody takes that for work, nobody misses work, and it is counted.
void P4_storm_of_events() {
    pool = &new_pool();
    start_workers(*pool);
    const uint32_t executed = pool->total().executed;
    await_rest(*pool);
    switch_timers(*pool, 2000, unpark_all_in_interrupt);
    const uint32_t timers = pool->total().executed - executed;
    if (present() > 1) {
        await_rest(*pool);  // who is woken without cause does not search
        await([] { return pool->total().spurious_wakes >= 10; }, "wakes without cause to be counted");
    }
    for (uint32_t round = 0; round < rounds(50); ++round) {
        static Gathering gathering;
        gathering.begin(present() == 1 ? 1 : present() - 1);
        for (uint32_t i = 0; i < gathering.size(); ++i) {
            CHECK_EQ(pool->submit(gathering.task(i)), Status::ok);
        }
        work_until(
            *pool, [] { return gathering.over(); }, "a core for each long task in a storm of events");
    }
    switch_timers(*pool, 0, nullptr);
    end(*pool);
    const uint32_t workers = present() == 1 ? 1 : present() - 1;
    CHECK_EQ(pool->total().executed, executed + 2 * timers + rounds(50) * workers);
}

void V11_statistics_in_interrupt() {
    pool = &new_pool();
    start_workers(*pool);
    last_seen = weft::CoreStats();
    times_seen.store(0, relaxed);
    forget_runs();
    board::start_timer(5000, read_statistics_in_interrupt);
    for (uint32_t round = 1; round <= rounds(100); ++round) {
        submit_counted_batch(*pool, most_tasks);
        work_until(
            *pool, [=] { return counted_runs.load(acquire) == round * most_tasks; }, "batches");
    }
    await([] { return times_seen.load(acquire) >= 3; }, "interrupts that read statistics");
    board::stop_timer();
    end(*pool);
}

constexpr tap::Test tests[] = {
    TEST(E1_bursts_run_exactly_once), TEST(E1_storm_coalesces), TEST(E1_interrupts_of_all_cores),
    TEST(E1_million_submits),         TEST(P4_storm_of_events), TEST(V11_statistics_in_interrupt),
};

}  // namespace

extern const tap::Tests isr_tests{tests};

}  // namespace firmware
