// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: what cores run, and for how long, read by an interrupt.
#include "harness.hpp"

#if WEFT_WATCH

namespace firmware {
namespace {

using weft::Heartbeat;
using weft::Unmoved;

// ---- The watchdog: an interrupt of core 0 looks at one core.

Pool* pool;
uint32_t watched;      // which core
const void* expected;  // its task
Unmoved unmoved;
Atomic<uint32_t> looks{};       // so many saw that task
Atomic<uint32_t> most_ticks{};  // and what they said of it
Atomic<uint32_t> most_unmoved{};
Atomic<uint32_t> pinned{};
Atomic<uintptr_t> function{};

void look_in_interrupt() {
    const Heartbeat seen = pool->heartbeat(watched);
    const uint32_t same = unmoved.looks(seen);
    if (seen.task != expected || seen.asleep) return;
    // relaxed (all): only this handler writes them, and `looks` is released behind
    if (seen.ticks > most_ticks.load(relaxed)) most_ticks.store(seen.ticks, relaxed);
    if (same > most_unmoved.load(relaxed)) most_unmoved.store(same, relaxed);
    if (seen.has_pinned) pinned.store(1, relaxed);
    function.store(seen.function, relaxed);
    looks.store(looks.load(relaxed) + 1, release);
}

void watch(Pool& of, uint32_t core, const void* task) {
    pool = &of;
    watched = core;
    expected = task;
    unmoved = Unmoved();
    Atomic<uint32_t>* const words[] = {&looks, &most_ticks, &most_unmoved, &pinned};
    for (Atomic<uint32_t>* word : words) word->store(0, relaxed);
    board::start_timer(100, look_in_interrupt);
}

uint32_t another_core() {
    for (uint32_t core = 1; core < cores; ++core) {
        if (is_present(core)) return core;
    }
    return 0;
}
bool has_no_other_core() {
    if (present() == 1) tap::skip("not on this board: core 0, which tests, is the only one");
    return present() == 1;
}

// A task that does not return: the handler names the core, the task and its code, and for how long; that something is
// pinned behind it; and when it has returned, that nothing runs there.
void E7_a_handler_names_the_long_task() {
    if (has_no_other_core()) return;
    Pool& own = new_pool();
    const uint32_t core = another_core();
    static Blocker blocker;
    static Counted behind;
    forget_runs();
    CHECK_EQ(own.submit_on(core, blocker), Status::ok);
    blocker.await_entered();
    watch(own, core, static_cast<Task*>(&blocker));
    await([] { return looks.load(acquire) >= 2; }, "a handler that sees the long task");
    CHECK_EQ(pinned.load(relaxed), 0);
    CHECK_EQ(function.load(relaxed), reinterpret_cast<uintptr_t>(&Blocker::run));
    CHECK_EQ(own.submit_on(core, behind), Status::ok);
    await(
        [] {
            return pinned.load(relaxed) != 0 && most_unmoved.load(relaxed) >= 3 &&
                   most_ticks.load(relaxed) >= 2 * Port::ticks_per_ms();
        },
        "a report of the long task's time, and of what is pinned behind it");
    board::stop_timer();
    CHECK_EQ(counted_runs.load(acquire), 0);
    blocker.let_go();
    await([] { return counted_runs.load(acquire) == 1; }, "what was pinned behind it");
    await([&] { return own.heartbeat(core).task == nullptr; }, "nothing to run there");
    CHECK(!own.heartbeat(core).has_pinned);
    end(own);
    CHECK_EQ(own.heartbeat(core).function, 0);
}

// A long task that says that it goes on is no suspect.
void E7_signs_of_life() {
    if (has_no_other_core()) return;
    Pool& own = new_pool();
    static Pool* in_task;
    in_task = &own;
    static Atomic<uint32_t> signs;
    static Atomic<uint32_t> ends;
    signs.store(0, relaxed);
    ends.store(0, relaxed);
    Job job([] {
        while (ends.load(acquire) == 0) {
            CHECK_EQ(in_task->beat(), Status::ok);
            signs.fetch_add(1, release);
            Port::relax();
        }
    });
    const uint32_t core = another_core();
    CHECK_EQ(own.submit_on(core, job), Status::ok);
    await([] { return signs.load(acquire) != 0; }, "the first sign of life");
    const uint32_t before = own.heartbeat(core).beats;
    const uint32_t signs_before = signs.load(acquire);
    await([&] { return signs.load(acquire) >= signs_before + 3; }, "three more");
    CHECK(own.heartbeat(core).beats - before >= 2);
    ends.store(1, release);
    end(own);
    CHECK_EQ(own.beat(), Status::wrong_context);
}

// What is queued behind a task that does not return is run by the other cores.
void E7_what_is_behind_is_stolen() {
    if (has_no_other_core()) return;
    Pool& own = new_pool();
    forget_runs();
    static Pool* in_task;
    in_task = &own;
    constexpr uint32_t behind = 2 * ring;  // its ring, and its overflow
    Job job([] {
        submit_counted(*in_task, behind);
        await([] { return counted_runs.load(acquire) == behind; }, "tasks behind one that does not return");
    });
    start_workers(own);
    CHECK_EQ(own.submit_on(another_core(), job), Status::ok);
    await(
        [&] {
            if (present() == 2) static_cast<void>(own.poll(1));  // core 0 is the only other one
            return counted_runs.load(acquire) == behind;
        },
        "tasks behind one that does not return");
    end(own);
    check_runs(behind, 1);
}

// Of cores that are not there, and of a pool that nobody works for.
void E7_answers() {
    Pool& own = new_pool();
    CHECK_EQ(own.heartbeat(cores).task, nullptr);
    CHECK_EQ(own.heartbeat(UINT32_MAX).beats, 0);
    CHECK_EQ(own.heartbeat(UINT32_MAX).core, UINT32_MAX);
    CHECK_EQ(own.heartbeat(0).task, nullptr);
    CHECK(!own.heartbeat(0).asleep && !own.heartbeat(0).has_pinned);
    CHECK_EQ(own.beat(), Status::wrong_context);
    static Counted pinned_here;
    CHECK_EQ(own.submit_on(0, pinned_here), Status::ok);
    CHECK(own.heartbeat(0).has_pinned);
    static Pool* in_task;
    in_task = &own;
    Job job([] {
        const Heartbeat seen = in_task->heartbeat(weft::this_core());
        CHECK(seen.task != nullptr && seen.function != 0 && !seen.asleep);
    });
    CHECK_EQ(own.submit(job), Status::ok);
    while (own.poll(2).tasks != 0) continue;
    CHECK_EQ(own.heartbeat(0).task, nullptr);
    end(own);
}

#if WEFT_PREEMPTION
// A task of the level that preempts is named while it runs, by itself; and then again what is below it.
void E7_what_preempts_is_named() {
    Pool& own = new_pool();
    static Pool* in_task;
    static Heartbeat top;
    static Atomic<uint32_t> has_run;
    static const void* below;
    in_task = &own;
    has_run.store(0, relaxed);
    static Job on_top([] {
        top = in_task->heartbeat(weft::this_core());
        CHECK_EQ(in_task->beat(), Status::ok);
        has_run.store(1, release);
    });
    static Job ordinary([] {
        const Heartbeat before = in_task->heartbeat(weft::this_core());
        CHECK_EQ(in_task->submit(on_top, weft::Urgency{WEFT_URGENCY_LEVELS - 1}), Status::ok);
        await([] { return has_run.load(acquire) != 0; }, "a task that preempts");
        const Heartbeat after = in_task->heartbeat(weft::this_core());
        CHECK_EQ(before.task, below);
        CHECK_EQ(after.task, below);
        CHECK_EQ(after.beats, before.beats);
    });
    below = static_cast<Task*>(&ordinary);
    CHECK_EQ(own.submit_on(0, ordinary), Status::ok);
    CHECK_EQ(own.poll(1).tasks, 1);
    CHECK_EQ(top.task, static_cast<Task*>(&on_top));
    CHECK(top.function != 0);
    end(own);
}
#endif

#if WEFT_CHECKS
Atomic<uint32_t> answered{};
void beat_in_interrupt() { answered.store(static_cast<uint32_t>(pool->beat()) + 1, release); }

void E7_no_beat_in_a_handler() {
    pool = &new_pool();
    answered.store(0, relaxed);
    board::start_timer(100, beat_in_interrupt);
    await([] { return answered.load(acquire) != 0; }, "a handler");
    board::stop_timer();
    CHECK_EQ(answered.load(acquire), static_cast<uint32_t>(Status::wrong_context) + 1);
    end(*pool);
}
#endif

constexpr tap::Test tests[] = {
    TEST(E7_a_handler_names_the_long_task), TEST(E7_signs_of_life),
    TEST(E7_what_is_behind_is_stolen),      TEST(E7_answers),
#if WEFT_PREEMPTION
    TEST(E7_what_preempts_is_named),
#endif
#if WEFT_CHECKS
    TEST(E7_no_beat_in_a_handler),
#endif
};

}  // namespace

extern const tap::Tests watch_tests{tests};

}  // namespace firmware

#endif  // WEFT_WATCH
