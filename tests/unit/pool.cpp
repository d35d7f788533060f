// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of Pool: what the firmware tests cannot show, as they run everywhere and have one image.
#include <string.h>

#include <thread>

#include "harness.hpp"
#include "weft_host_faults.hpp"

namespace unit {
namespace {

struct Counting : Task {
    constexpr Counting() : Task(&Counting::run) {}
    static void run(Task& self) { static_cast<Counting&>(self).runs.fetch_add(1, release); }
    Atomic<uint32_t> runs{};
};

void await_runs(const std::vector<Counting>& tasks) {
    for (const Counting& task : tasks) tap::wait_for([&] { return task.runs.load(acquire) != 0; }, "a task");
}

template <uint32_t cores, uint32_t ring>
void use_pool() {
    auto pool = std::make_unique<Pool<cores, ring>>();
    CHECK_EQ(pool->cores(), cores);
    CHECK_EQ(pool->live_cores(), 0);
    std::vector<Counting> tasks(3 * ring < 1000 ? 3 * ring : 1000);
    for (Counting& task : tasks) CHECK_EQ(pool->submit(task), Status::ok);
    if (cores == 1) CHECK_EQ(pool->poll(UINT32_MAX).tasks, static_cast<uint32_t>(tasks.size()));
    await_runs(tasks);
    pool->shutdown();
    CHECK_EQ(pool->join(), Status::ok);
    CHECK_EQ(pool->total().executed, static_cast<uint32_t>(tasks.size()));
}

// Each statistic is a word, so a new one needs no line here.
std::vector<uint32_t> words_of(const weft::CoreStats& stats) {
    std::vector<uint32_t> words(sizeof stats / sizeof(uint32_t));
    memcpy(words.data(), &stats, sizeof stats);
    return words;
}

void Z1_pools_of_every_size() {
    use_pool<1, 2>();
    use_pool<1, 65536>();
    use_pool<2, 2>();
    use_pool<3, 64>();
    use_pool<24, 2>();
    use_pool<24, 256>();
}

// ---- Pools in arrays. GCC 11 and 12 leave them all zero, without a word, where there is no initialiser: a pool whose
// constructor has never run must not take tasks.

alignas(Pool<2>) unsigned char zeros[sizeof(Pool<2>)];
Pool<2>& never_constructed() { return *reinterpret_cast<Pool<2>*>(zeros); }
Counting rejected;

#if WEFT_CHECKS
constexpr const char* unconstructed = "this pool was never constructed; an array of pools needs its {}";

void submit_to_it() { static_cast<void>(never_constructed().submit(rejected)); }
void submit_from_isr_to_it() { static_cast<void>(never_constructed().submit_from_isr(rejected)); }
void submit_on_core_0_of_it() { static_cast<void>(never_constructed().submit_on(0, rejected)); }
void submit_batch_to_it() {
    Batch batch;
    static_cast<void>(batch.push(rejected));
    static_cast<void>(never_constructed().submit(batch));
}
void run_it() { static_cast<void>(never_constructed().run()); }
void poll_it() { static_cast<void>(never_constructed().poll(1)); }
void shut_it_down() { never_constructed().shutdown(); }
void join_it() { static_cast<void>(never_constructed().join()); }
#if WEFT_TIMERS
void start_a_timer_of_it() {
    static weft::Timer timer{never_constructed(), rejected};
    static_cast<void>(timer.start_after(1));
}
void start_a_timer_of_it_from_isr() {
    static weft::Timer timer{never_constructed(), rejected};
    static_cast<void>(timer.start_every_from_isr(1));
}
#endif
void fork_in_it() {
    weft::fork_join(
        never_constructed(), [] {}, [] {});
}
#endif

WEFT_CONSTINIT Pool<2> one_pool{};
WEFT_CONSTINIT Pool<2> array_of_pools[2]{};
WEFT_CONSTINIT Pool<1, 4> rows_of_pools[2][2] = {};
struct Holder {
    Pool<3> pool{};
    uint32_t number = 7;
};
WEFT_CONSTINIT Holder array_of_holders[2]{};
WEFT_CONSTINIT weft::PoolMemory<2> memories[2]{};
WEFT_CONSTINIT weft::PoolIn<2> pools_in_memories[2]{{memories[0]}, {memories[1]}};
WEFT_CONSTINIT weft::PoolMemory<3> unused_memory{};
WEFT_CONSTINIT Counting array_of_tasks[3]{};

void use(weft::Scheduler& pool, uint32_t cores) {
    CHECK_EQ(pool.cores(), cores);
    for (Counting& task : array_of_tasks) {
        task.runs.store(0, relaxed);
        CHECK_EQ(pool.submit(task), Status::ok);
        if (cores == 1) CHECK_EQ(pool.poll(1).tasks, 1);
        tap::wait_for([&] { return task.runs.load(acquire) != 0; }, "a task of a pool in an array");
    }
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

void E5_pools_without_a_constructor_refuse() {
#if WEFT_CHECKS
    CHECK(panics(submit_to_it, unconstructed));
    CHECK(panics(submit_from_isr_to_it, unconstructed));
    CHECK(panics(submit_on_core_0_of_it, unconstructed));
    CHECK(panics(submit_batch_to_it, unconstructed));
    CHECK(panics(run_it, unconstructed));
    CHECK(panics(poll_it, unconstructed));
    CHECK(panics(shut_it_down, unconstructed));
    CHECK(panics(join_it, unconstructed));
    CHECK(panics(fork_in_it, unconstructed));
#if WEFT_TIMERS
    CHECK(panics(start_a_timer_of_it, unconstructed));
    CHECK(panics(start_a_timer_of_it_from_isr, unconstructed));
#endif
#else
    Pool<2>& pool = never_constructed();
    CHECK_EQ(pool.submit(rejected), Status::closed);
    CHECK_EQ(pool.submit_from_isr(rejected), Status::closed);
    CHECK_EQ(pool.submit_on(0, rejected), Status::unknown_core);
    Batch batch;
    CHECK_EQ(batch.push(rejected), Status::ok);
    CHECK_EQ(pool.submit(batch), Status::closed);
    CHECK_EQ(batch.pop(), &rejected);
    CHECK_EQ(pool.run(), Status::unknown_core);
    CHECK_EQ(pool.poll(1).status, Status::unknown_core);
    CHECK_EQ(rejected.runs.load(relaxed), 0);
#endif
}

void Z1_arrays_of_pools_work() {
    use(one_pool, 2);
    for (auto& pool : array_of_pools) use(pool, 2);
    for (auto& row : rows_of_pools) {
        for (auto& pool : row) use(pool, 1);
    }
    for (auto& pool : pools_in_memories) use(pool, 2);
    for (Holder& holder : array_of_holders) {
        CHECK_EQ(holder.number, 7);
        use(holder.pool, 3);
    }
}

// All zero: a compiler puts it into .bss, and an array of them that GCC has left alone is as it should be.
void Z1_memory_of_a_pool_is_zero() {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&unused_memory);
    size_t others = 0;
    for (size_t i = 0; i < sizeof unused_memory; ++i) others += bytes[i] != 0;
    CHECK_EQ(others, 0u);
}

#if WEFT_CHECKS
void share_a_memory() {
    weft::PoolMemory<1> memory;
    weft::PoolIn first{memory};
    weft::PoolIn second{memory};
    static_cast<void>(first.poll(1));
    static_cast<void>(second.poll(1));
}
#endif

void E5_two_pools_in_one_memory_panic() {
#if WEFT_CHECKS
    CHECK(panics(share_a_memory, "two pools share one PoolMemory"));
#else
    tap::skip("not on this board: checks");
#endif
}

// Threads that are no core of the pool: they submit, shut down and join, but they are no workers.
void E5_foreign_threads() {
    Pool<2> pool;
    std::vector<Counting> tasks(100);
    std::thread foreign([&] {
        CHECK(weft::this_core() >= weft::Port::max_cores);
        CHECK_EQ(pool.run(), Status::unknown_core);
        CHECK_EQ(pool.poll(9).status, Status::unknown_core);
        CHECK_EQ(pool.poll(9).tasks, 0);
        CHECK_EQ(pool.submit_on(weft::this_core(), tasks[0]), Status::unknown_core);
        Batch batch;
        for (uint32_t i = 0; i < 50; ++i) CHECK_EQ(batch.push(tasks[i]), Status::ok);
        CHECK_EQ(pool.submit(batch), Status::ok);
        for (uint32_t i = 50; i < 100; ++i) CHECK_EQ(pool.submit(tasks[i]), Status::ok);
        await_runs(tasks);
        CHECK_EQ(pool.submit_on(1, tasks[0]), Status::ok);
        CHECK_EQ(pool.submit_on(0, tasks[1]), Status::core_unavailable);  // main() runs there
        pool.shutdown();
        CHECK_EQ(pool.join(), Status::ok);
    });
    foreign.join();
    CHECK_EQ(tasks[0].runs.load(relaxed), 2);
    CHECK_EQ(pool.join(), Status::ok);
}

// A thread that is no core of the pool may join. What is pinned to a core is not for it.
void E2_foreign_thread_hands_back_pinned() {
    Pool<2> pool;
    std::vector<Counting> tasks(3);
    CHECK_EQ(pool.submit_on(0, tasks[0]), Status::ok);
    CHECK_EQ(pool.submit_on(0, tasks[1]), Status::ok);
    Batch left;
    std::thread foreign([&] {
        CHECK_EQ(pool.submit(tasks[2]), Status::ok);
        pool.shutdown();
        CHECK_EQ(pool.join(left), Status::ok);
        CHECK_EQ(pool.join(left), Status::ok);
    });
    foreign.join();
    CHECK_EQ(left.size(), 2);
    CHECK_EQ(tasks[2].runs.load(acquire), 1);
    CHECK_EQ(pool.total().executed, 1);
    while (Task* const task = left.pop()) CHECK_EQ(static_cast<Counting*>(task)->runs.load(relaxed), 0);
    CHECK_EQ(tasks[0].runs.load(relaxed) + tasks[1].runs.load(relaxed), 0);
}

// Of two threads that join, one waits and one is refused, which then shuts the pool down.
void Z7_one_thread_joins() {
    for (uint32_t round = 0; round < 100; ++round) {
        Pool<2> pool;
        Atomic<uint32_t> joined{};
        Atomic<uint32_t> refused{};
        const auto join_or_close = [&] {
            const Status status = pool.join();
            if (status == Status::ok) joined.fetch_add(1, relaxed);
            if (status == Status::wrong_context) refused.fetch_add(1, relaxed);
            if (status != Status::ok) pool.shutdown();
        };
        std::thread first(join_or_close);
        std::thread second(join_or_close);
        first.join();
        second.join();
        CHECK_EQ(joined.load(relaxed), 1);
        CHECK_EQ(refused.load(relaxed), 1);
        CHECK_EQ(pool.join(), Status::ok);
    }
}

void V11_totals_are_sums() {
    Pool<4, 4> pool;
    std::vector<Counting> tasks(300);
    Job spread([&] {
        for (Counting& task : tasks) CHECK_EQ(pool.submit(task), Status::ok);
    });
    // Nobody takes anything meanwhile: the ring of 4 overflows.
    for (uint32_t core = 1; core < pool.cores(); ++core) weft::host::hold_starts(core);
    CHECK_EQ(pool.submit(spread), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    for (uint32_t core = 1; core < pool.cores(); ++core) weft::host::release_starts(core);
    pool.poll(UINT32_MAX);
    await_runs(tasks);
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
    const weft::CoreStats total = pool.total();
    const std::vector<uint32_t> none(words_of(total).size());
    std::vector<uint32_t> sum = none;
    for (uint32_t core = 0; core < pool.cores(); ++core) {
        const weft::CoreStats one = pool.stats(core);
        CHECK_EQ(one.parks - one.wakes, one.spurious_wakes);
        const std::vector<uint32_t> words = words_of(one);
        for (size_t i = 0; i < sum.size(); ++i) sum[i] += words[i];
    }
    CHECK(sum == words_of(total));
    CHECK_EQ(total.executed, 301);
    CHECK_EQ(total.submitted, 300);
    CHECK(total.overflows >= 1);
    CHECK(words_of(weft::CoreStats()) == none);
    CHECK(words_of(pool.stats(4)) == none);
    CHECK(words_of(pool.stats(UINT32_MAX)) == none);
}

constexpr tap::Test tests[] = {
    TEST(E5_pools_without_a_constructor_refuse),
    TEST(Z1_arrays_of_pools_work),
    TEST(Z1_memory_of_a_pool_is_zero),
    TEST(E5_two_pools_in_one_memory_panic),
    TEST(Z1_pools_of_every_size),
    TEST(E5_foreign_threads),
    TEST(E2_foreign_thread_hands_back_pinned),
    TEST(Z7_one_thread_joins),
    TEST(V11_totals_are_sums),
};

}  // namespace

extern const tap::Tests pool_tests{tests};

}  // namespace unit
