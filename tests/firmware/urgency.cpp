// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: levels of urgency.
#include "harness.hpp"

#if WEFT_URGENCY_LEVELS > 1

namespace firmware {
namespace {

using weft::Urgency;

using OnePool = weft::Pool<1, ring>;
Room<OnePool> one_room;
OnePool* pool;

constexpr uint32_t levels = WEFT_URGENCY_LEVELS - WEFT_PREEMPTION;  // one that preempts has other tests
constexpr Urgency most_urgent{levels - 1};

// ---- One core, always busy, and an interrupt that submits what is urgent.

// Tasks that began since the interrupt. The interrupt is of the same core: no atomic steps are needed.
Atomic<uint32_t> begun_since;
Atomic<uint32_t> most_begun;
Atomic<uint32_t> waits;  // the urgent task
Atomic<uint32_t> urgent_runs;
bool stop;

struct Urgent : weft::TaskOf<Urgent> {
    void run() {
        const uint32_t begun = begun_since.load(relaxed);
        if (begun > most_begun.load(relaxed)) most_begun.store(begun, relaxed);
        urgent_runs.fetch_add(1, relaxed);
        waits.store(0, relaxed);
    }
} urgent;

struct Busy : weft::TaskOf<Busy> {
    void run() {
        begun_since.fetch_add(1, relaxed);  // in one step: an interrupt may come at any time
        if (!stop) CHECK_EQ(injected ? pool->submit_from_isr(*this) : pool->submit(*this), Status::ok);
    }
    bool injected = false;
};
Busy busy[ring / 2];

void submit_urgent_in_interrupt() {
    if (waits.load(relaxed) != 0) return;
    waits.store(1, relaxed);
    begun_since.store(0, relaxed);
    CHECK_EQ(
        pool->submit_from_isr(urgent, urgent_runs.load(relaxed) % 2 == 0 ? most_urgent : Urgency::urgent),
        Status::ok);
}

// The task that an interrupt comes into ends, or the one that it comes before is the last one: no second one begins.
void E8_one_task_at_most_comes_between() {
    pool = &one_room.build();
    stop = false;
    waits.store(0, relaxed);
    urgent_runs.store(0, relaxed);
    most_begun.store(0, relaxed);
    for (uint32_t i = 0; i < ring / 2; ++i) {
        busy[i].injected = i % 2 != 0;
        CHECK_EQ(pool->submit(busy[i]), Status::ok);
    }
    board::start_timer(5000, submit_urgent_in_interrupt);
    tap::Stopwatch stopwatch;
    while (urgent_runs.load(relaxed) < rounds(500)) {
        CHECK_EQ(pool->poll(100).tasks, 100);
        if (stopwatch.elapsed_ms() >= patience_ms) in_vain("interrupts that submit what is urgent");
    }
    board::stop_timer();
    stop = true;
    while (pool->poll(1).tasks != 0) {
    }
    CHECK(most_begun.load(relaxed) <= 1);
    end(*pool);
}

// ---- All cores sleep. Each must come: the tasks are long.

void E8_sleepers_come_for_what_is_urgent() {
    Pool& all = new_pool();
    start_workers(all);
    for (uint32_t round = 0; round < rounds(200); ++round) {
        static Gathering gathering;
        gathering.begin(present() == 1 ? 1 : present() - 1);
        if (round % 4 == 0) await_rest(all);
        weft::Batch batch;
        for (uint32_t i = 0; i < gathering.size(); ++i) {
            Task& task = gathering.task(i);
            const Urgency level{static_cast<uint8_t>(1 + i % (levels - 1))};
            switch (round % 3) {
                case 0: CHECK_EQ(all.submit(task, level), Status::ok); break;
                case 1: CHECK_EQ(all.submit_from_isr(task, level), Status::ok); break;
                default: CHECK_EQ(batch.push(task), Status::ok);
            }
        }
        CHECK_EQ(all.submit(batch, most_urgent), Status::ok);
        work_until(
            all, [] { return gathering.over(); }, "a core for each urgent task");
    }
    end(all);
}

constexpr tap::Test tests[] = {
    TEST(E8_one_task_at_most_comes_between),
    TEST(E8_sleepers_come_for_what_is_urgent),
};

}  // namespace

extern const tap::Tests urgency_tests{tests};

}  // namespace firmware

#endif  // WEFT_URGENCY_LEVELS > 1
