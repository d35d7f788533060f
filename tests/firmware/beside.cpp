// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: forked work beside everything else: cores at rest, tasks from outside, interrupts.
#include "fork.hpp"

namespace firmware {

// ---- B5: at rest

namespace {

uint32_t busy_work(uint32_t from) {
    volatile uint32_t sum = from;
    for (uint32_t i = 0; i < 50; ++i) sum = sum + i;
    return sum;
}

Atomic<uint32_t> children_elsewhere;

uint32_t leaves(uint32_t level) {
    if (level == 0) return busy_work(level) != 0 ? 1 : 0;
    const uint32_t core = Port::core_id();
    uint32_t a = 0;
    uint32_t b = 0;
    fork_join([&] { a = leaves(level - 1); },
              [&] {
                  if (Port::core_id() != core) children_elsewhere.fetch_add(1, relaxed);
                  b = leaves(level - 1);
              });
    return a + b;
}

// After a storm of forks all cores sleep, each is still there and is woken by a submit, and by a fork (the next
// round). All that was executed is accounted for: tasks, and children that were stolen.
void B5_at_rest_after_forks() {
    if (present() < 2) return tap::skip(one_core);
    constexpr uint32_t levels = 9;
    Pool& pool = new_pool();
    start_workers(pool);
    await_rest(pool);
    const uint32_t before = pool.total().executed;
    children_elsewhere.store(0, relaxed);
    uint32_t tasks = 0;
    for (uint32_t round = 0; round < rounds(15); ++round) {
        Atomic<uint32_t> counted_leaves{};
        Job storm([&] { counted_leaves.store(leaves(levels), release); });
        CHECK_EQ(pool.submit(storm), Status::ok);
        await([&] { return counted_leaves.load(acquire) != 0; }, "a storm of forks");
        CHECK_EQ(counted_leaves.load(relaxed), 1u << levels);
        await_rest(pool);
        // A core that is missing may be on its way for ever.
        CHECK(pool.live_cores() >= present() - 1 && pool.live_cores() <= cores - 1);
        static Gathering gathering;
        gathering.begin(present() - 1);
        for (uint32_t i = 0; i < gathering.size(); ++i) CHECK_EQ(pool.submit(gathering.task(i)), Status::ok);
        await([] { return gathering.over(); }, "all cores, after a storm of forks");
        tasks += 1 + gathering.size();
    }
    await_rest(pool);
    CHECK_EQ(pool.total().executed - before, tasks + children_elsewhere.load(relaxed));
    end(pool);
}

// ---- B6: tasks from outside, from an interrupt on the core that forks. A task is not interrupted for them: a long one
// keeps its own core to itself. They run where a core comes back from what it has stolen, and between tasks.

constexpr uint32_t outside_tasks = 10;
Scheduler* interrupted;
uint32_t next_outside;  // for the interrupts of one core

void submit_from_outside() {
    if (next_outside == outside_tasks || counted_runs.load(acquire) != next_outside) return;
    CHECK_EQ(interrupted->submit_from_isr(counted[next_outside]), Status::ok);
    ++next_outside;
}

void start_outside_tasks(Scheduler& pool) {
    interrupted = &pool;
    next_outside = 0;
    forget_runs();
    board::start_timer(1000, submit_from_outside);
}

void work_in_parallel() {
    weft::parallel_for(0u, 64u, 1, [](uint32_t i) { static_cast<void>(busy_work(i)); });
}

// One task forks for ever, all other cores steal from it.
void B6_outside_work_between_stolen_children() {
    if (present() < 2) return tap::skip(one_core);
    in_task([](Scheduler& pool) {
        start_outside_tasks(pool);
        await(
            [] {
                work_in_parallel();
                return counted_runs.load(acquire) == outside_tasks;
            },
            "tasks from outside, beside a task that forks for ever");
        board::stop_timer();
        for (uint32_t i = 0; i < outside_tasks; ++i) CHECK(counted[i].core.load(relaxed) != Port::core_id());
    });
}

struct Forking : Task {
    constexpr Forking() : Task(&Forking::run) {}
    static void run(Task& self) {
        work_in_parallel();
        if (counted_runs.load(acquire) == outside_tasks) return interrupted->shutdown();
        const Status status = interrupted->submit(self);
        CHECK(status == Status::ok || status == Status::closed);
    }
};
Forking forking[cores];

void look_and_submit() {
    Guard::look();
    submit_from_outside();
}

// As many tasks as there are cores, and each forks and then submits itself again.
void B6_outside_work_between_tasks() {
    Pool& pool = new_pool();
    start_workers(pool);
    interrupted = &pool;
    next_outside = 0;
    forget_runs();
    for (Forking& task : forking) CHECK_EQ(pool.submit(task), Status::ok);
    {
        const Guard guard("tasks from outside, between tasks that fork", Guard::By::timer_of_test);
        board::start_timer(1000, look_and_submit);
        CHECK_EQ(pool.run(), Status::ok);
        board::stop_timer();
    }
    end(pool);
    check_runs(outside_tasks, 1);
}

// ---- B9: from work to sleep

constexpr uint32_t most_rounds = (WEFT_SEARCH_MOST != 0 ? WEFT_SEARCH_MOST : WEFT_SEARCH_ROUNDS) + 1;

// A core that has run its only task looks WEFT_SEARCH_ROUNDS + 1 times at each of the others, and then sleeps; or as
// often as WEFT_SEARCH_MOST allows. (One search more may be under way at the beginning.)
void B9_search_rounds_are_bounded() {
    if (present() < 2) return tap::skip(one_core);
    constexpr uint32_t tasks = 10;
    Pool& pool = new_pool();
    start_workers(pool);
    await_rest(pool);
    forget_runs();
    const uint32_t core = forking_core();
    const uint32_t before = pool.stats(core).steal_attempts;
    for (uint32_t i = 0; i < tasks; ++i) {
        CHECK_EQ(pool.submit_on(core, counted[i]), Status::ok);
        await([=] { return counted[i].runs.load(acquire) != 0; }, "a task on a core that sleeps");
        await_rest(pool);
    }
    const uint32_t searches = (tasks + 1) * most_rounds;
    const uint32_t attempts = pool.stats(core).steal_attempts - before;
    CHECK(attempts != 0);
    CHECK(attempts <= searches * (cores - 1));
    end(pool);
}

#if WEFT_SEARCH_MOST
// How many rounds the core searches behind a task, which comes when all sleep.
uint32_t rounds_behind_a_task(Pool& pool, uint32_t core) {
    forget_runs();
    const uint32_t before = pool.stats(core).steal_attempts;
    CHECK_EQ(pool.submit_on(core, counted[0]), Status::ok);
    await([] { return counted[0].runs.load(acquire) != 0; }, "a task on a core that sleeps");
    await_rest(pool);
    return (pool.stats(core).steal_attempts - before) / (cores - 1);
}

// Tasks with pauses between them, shorter and shorter ones.
void submit_one_after_the_other(Pool& pool, uint32_t core) {
    forget_runs();
    for (uint32_t i = 100; i != 0; --i) {
        const uint32_t before = counted[0].runs.load(acquire);
        CHECK_EQ(pool.submit_on(core, counted[0]), Status::ok);
        await([&] { return counted[0].runs.load(acquire) != before; }, "a task behind a short pause");
        for (uint32_t moments = i * 2; moments != 0; --moments) Port::relax();
    }
}

// Long pauses make searches as short as may be; short ones make them longer. (How soon, the machine decides: one that
// is busy holds a search up, and then a sleep is short beside it.)
void B9_searches_are_as_long_as_pauses_are_short() {
    if (present() < 2) return tap::skip(one_core);
    constexpr uint32_t tries = 1000;
    Pool& pool = new_pool();
    start_workers(pool);
    await_rest(pool);
    const uint32_t core = forking_core();
    uint32_t left = tries;
    while (left != 0 && rounds_behind_a_task(pool, core) > WEFT_SEARCH_ROUNDS + 1) --left;
    CHECK(left != 0);
    for (left = tries; left != 0; --left) {
        submit_one_after_the_other(pool, core);
        if (rounds_behind_a_task(pool, core) > WEFT_SEARCH_ROUNDS + 1) break;
    }
    CHECK(left != 0);
    end(pool);
}
#endif

// ---- offer_from_isr()

uint32_t ticks;  // on the core of the test

void tick() {
    if (ticks++ == 0) interrupted->offer_from_isr();
    Guard::look();
}

void wait_behind_a_long_child(Scheduler& pool) {
    interrupted = &pool;
    OthersHeld others(pool);
    ticks = 0;
    fork_join([] {}, [] {});  // serves the request of before
    ForkDeque::current()->ask();
    Atomic<uint32_t> older{};
    Atomic<uint32_t> private_work{};
    fork_join(
        // The first fork is offered, as somebody has asked; the next one is private, as nobody sleeps.
        [&] {
            fork_join(
                [&] {
                    others.let_go();
                    await([&] { return older.load(acquire) != 0; }, "a thief");  // it has asked for more
                    pass_time(1);
                    CHECK_EQ(private_work.load(acquire), 0);
                    board::start_timer(1000, tick);
                    await([&] { return private_work.load(acquire) != 0; }, "what one tick offers");
                    board::stop_timer();
                },
                [&] { private_work.store(1, release); });
        },
        [&] { older.store(1, release); });
    CHECK(ticks >= 1);
}

// A long child of a fork does not fork itself. What is forked behind it is handed over by the next tick; the first one
// is the only one that may do so here.
void B_private_work_waits_for_a_tick_at_most() {
    if (present() < 2) return tap::skip(one_core);
    // As long as a core that never comes may be on its way, there are offers for it.
    if (present() != cores) return tap::skip("not on this board: all of the pool's cores");
    if (WEFT_FORK_DEPTH < 2) return tap::skip("not on this board: room for two forked children");
    for (uint32_t core = 0; core < cores; ++core) {
        if (!is_present(core)) continue;
        in_task(core, wait_behind_a_long_child, core == 0 ? Guard::By::timer_of_test : Guard::By::own_timer);
    }
}

// The first index waits until another core asks for its share, and the next chunk until another core has run an index.
// (Only a test may wait like this.) Other cores may have asked before: then they get their share at once. In later
// rounds they ask as they find nothing to do any more.
template <class Loop>
void split_on_request(Loop loop) {
    constexpr uint32_t count = 64;
    const uint32_t core = Port::core_id();
    for (uint32_t round = 0; round < rounds(20); ++round) {
        const uint32_t grain = round % 2 == 0 ? 1 : 5;
        Atomic<uint32_t> elsewhere{};
        Atomic<uint32_t> ran{};
        loop(count, grain, [&](uint32_t index) {
            ran.fetch_add(1, relaxed);
            if (Port::core_id() != core) return elsewhere.store(1, release);
            const ForkDeque& deque = *ForkDeque::current();
            const auto shared = [&] { return elsewhere.load(acquire) != 0; };
            if (index == 0) await([&] { return shared() || deque.hungry(); }, "a core that asks for a share");
            if (index == grain) await(shared, "a core that runs its share of a loop");
        });
        CHECK_EQ(ran.load(relaxed), count);
    }
}

// Nor does what a loop has left wait for more than the chunk that its core is at.
void B_private_work_waits_for_a_chunk_at_most() {
    if (present() < 2) return tap::skip(one_core);
    in_task([](Scheduler&) {
        split_on_request([](uint32_t count, uint32_t grain, const auto& body) {
            weft::parallel_for(0u, count, grain, body);
        });
        split_on_request([](uint32_t count, uint32_t grain, const auto& body) {
            const auto map = [&](uint32_t index) {
                body(index);
                return 1u;
            };
            CHECK_EQ(weft::parallel_reduce(0u, count, grain, 0u, map,
                                           [](uint32_t a, uint32_t b) { return a + b; }),
                     count);
        });
    });
}

constexpr tap::Test tests[] = {
    TEST(B5_at_rest_after_forks),
    TEST(B6_outside_work_between_stolen_children),
    TEST(B6_outside_work_between_tasks),
    TEST(B9_search_rounds_are_bounded),
#if WEFT_SEARCH_MOST
    TEST(B9_searches_are_as_long_as_pauses_are_short),
#endif
    TEST(B_private_work_waits_for_a_tick_at_most),
    TEST(B_private_work_waits_for_a_chunk_at_most),
};

}  // namespace

extern const tap::Tests beside_tests{tests};

}  // namespace firmware
