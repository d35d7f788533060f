// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: a level that preempts. What it runs on top of never ends by itself.
#include "harness.hpp"

#if WEFT_PREEMPTION

namespace firmware {
namespace {

using weft::Urgency;

constexpr Urgency at_once{WEFT_URGENCY_LEVELS - 1};

using OnePool = weft::Pool<1, ring>;
Room<OnePool> one_room;
Scheduler* pool;

// ---- The main case: an interrupt of the very core submits.

struct Top : weft::TaskOf<Top> {
    void run() {
        CHECK(!Port::in_isr());
        core.store(Port::core_id(), relaxed);
        runs.fetch_add(1, release);
    }
    Atomic<uint32_t> runs{};
    Atomic<uint32_t> core{};
};
Top top;
Atomic<uint32_t> submits;    // of `top`, by the interrupt
Atomic<uint32_t> too_early;  // it began before the handler had ended

void submit_in_interrupt() {
    const uint32_t before = top.runs.load(acquire);
    if (submits.load(relaxed) != before) return;  // it waits
    submits.store(before + 1, relaxed);
    CHECK_EQ(pool->submit_from_isr(top, at_once), Status::ok);
    if (top.runs.load(acquire) != before) too_early.fetch_add(1, relaxed);
}

void reset_top() {
    top.runs.store(0, relaxed);
    submits.store(0, relaxed);
    too_early.store(0, relaxed);
}

void N17_from_an_interrupt_on_top_of_a_task() {
    pool = &one_room.build();
    reset_top();
    uint32_t seen = 0;
    Job endless([&] {
        while (top.runs.load(acquire) < rounds(500)) {
            if (top.runs.load(relaxed) == seen) continue;
            seen = top.runs.load(relaxed);
            CHECK_EQ(top.core.load(relaxed), 0);
        }
    });
    CHECK_EQ(pool->submit(endless), Status::ok);
    const Guard guard("a task that waits for what preempts it", Guard::By::timer_of_test);
    board::start_timer(5000, [] {
        Guard::look();
        submit_in_interrupt();
    });
    CHECK_EQ(pool->poll(1).tasks, 1);
    board::stop_timer();
    CHECK(seen >= 1);
    CHECK_EQ(too_early.load(relaxed), 0);
    end(*pool);
}

// ---- A core that sleeps is preferred to one that works.

void N17_a_sleeper_is_preferred() {
    if (present() == 1) return tap::skip("not on this board: a second core");
    Pool& all = new_pool();
    start_workers(all);
    for (uint32_t round = 0; round < rounds(50); ++round) {
        reset_top();
        await_rest(all);
        Job busy([&] {
            CHECK_EQ(all.submit(top, at_once), Status::ok);
            await([] { return top.runs.load(acquire) == 1; }, "a task that preempts");
        });
        CHECK_EQ(all.submit_on(0, busy), Status::ok);
        CHECK_EQ(all.poll(1).tasks, 1);
        CHECK(top.core.load(relaxed) != 0);
    }
    end(all);
}

// ---- All cores are in tasks that do not end before the one that preempts has run: by an interrupt across cores.

void N17_a_busy_core_is_interrupted() {
    if (present() == 1) return tap::skip("not on this board: a second core");
    Pool& all = new_pool();
    start_workers(all);
    for (uint32_t round = 0; round < rounds(50); ++round) {
        reset_top();
        const OthersHeld others(all);
        CHECK_EQ(round % 2 == 0 ? all.submit(top, at_once) : all.submit_from_isr(top, at_once), Status::ok);
        await([] { return top.runs.load(acquire) == 1; }, "a task that preempts another core's");
        CHECK(top.core.load(relaxed) != 0);
    }
    end(all);
}

// ---- As many as there are cores, each of which waits for all others: no core runs two while another could run one.

void N17_each_core_takes_one() {
    Pool& all = new_pool();
    start_workers(all);
    for (uint32_t round = 0; round < rounds(100); ++round) {
        static Gathering gathering;
        if (present() == 1) return end(all);
        gathering.begin(present() - 1);
        if (round % 4 == 0) await_rest(all);
        Batch batch;
        for (uint32_t i = 0; i < gathering.size(); ++i) {
            if (round % 2 == 0) {
                CHECK_EQ(all.submit(gathering.task(i), at_once), Status::ok);
            } else {
                CHECK_EQ(batch.push(gathering.task(i)), Status::ok);
            }
        }
        CHECK_EQ(all.submit(batch, at_once), Status::ok);
        await([] { return gathering.over(); }, "a core for each task that preempts");
    }
    end(all);
}

// ---- Interrupts of all cores, on top of tasks that fork, submit and sleep.

Counted shower[cores][8];
Atomic<uint32_t> shower_submits[cores];
Atomic<uint32_t> sums;

void shower_in_interrupt() {
    const uint32_t core = Port::core_id();
    const uint32_t count = shower_submits[core].load(relaxed);
    if (count == rounds(1000)) return;
    Counted& drop = shower[core][count % 8];
    if (drop.runs.load(acquire) != count / 8) return;  // it waits
    shower_submits[core].store(count + 1, relaxed);
    CHECK_EQ(pool->submit_from_isr(drop, at_once), Status::ok);
}

bool shower_is_over() {
    for (uint32_t core = 0; core != cores; ++core) {
        if (!is_present(core)) continue;
        const uint32_t count = shower_submits[core].load(relaxed);
        if (count != rounds(1000)) return false;
        for (uint32_t i = 0; i != 8; ++i) {
            const uint32_t expected = count / 8 + (i < count % 8 ? 1 : 0);
            if (shower[core][i].runs.load(acquire) != expected) return false;
        }
    }
    return true;
}

void N17_beside_all_else() {
    Pool& all = new_pool();
    pool = &all;
    start_workers(all);
    for (auto& drops : shower) {
        for (Counted& drop : drops) drop.runs.store(0, relaxed);
    }
    for (auto& count : shower_submits) count.store(0, relaxed);
    switch_timers(all, 3000, shower_in_interrupt);
    uint32_t loops = 0;
    work_until(
        all,
        [&] {
            sums.store(0, relaxed);
            weft::parallel_for(all, 0, 64, 4,
                               [](int i) { sums.fetch_add(static_cast<uint32_t>(i), relaxed); });
            CHECK_EQ(sums.load(relaxed), 64 * 63 / 2);
            ++loops;
            return shower_is_over();
        },
        "tasks that preempt beside others");
    switch_timers(all, 0, nullptr);
    CHECK(loops >= 1);
    end(all);
    CHECK_EQ(all.total().preempting, present() * rounds(1000));
}

constexpr tap::Test tests[] = {
    TEST(N17_from_an_interrupt_on_top_of_a_task),
    TEST(N17_a_sleeper_is_preferred),
    TEST(N17_a_busy_core_is_interrupted),
    TEST(N17_each_core_takes_one),
    TEST(N17_beside_all_else),
};

}  // namespace

extern const tap::Tests preempt_tests{tests};

}  // namespace firmware

#endif  // WEFT_PREEMPTION
