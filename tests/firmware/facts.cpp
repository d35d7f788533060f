// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: what a pool and a task are before anything runs.
#include "harness.hpp"

namespace firmware {
namespace {

// The compiler proves that nothing runs before main() for them.
WEFT_CONSTINIT Pool static_pool{};
WEFT_CONSTINIT Counted static_task{};
// And so they do where its memory is an object of its own. Linker scripts may look for these names.
[[gnu::section(".bss.near")]] WEFT_CONSTINIT weft::PoolMemory<cores, ring> memory{};
[[gnu::section(".data.near")]] WEFT_CONSTINIT weft::PoolIn pool_in_memory{memory};

// Two words: all that a task costs. The rest of these objects is their own.
static_assert(sizeof(Task) == 2 * sizeof(void*), "Z2: a task is two words");
static_assert(alignof(Task) == 2 * sizeof(void*), "Z2: and aligned to them");
struct Derived : Task {
    constexpr Derived() : Task(nullptr) {}
    uintptr_t own[2] = {};
};
static_assert(sizeof(Derived) == 4 * sizeof(void*), "Z2: derived objects add their own members only");

// Each statistic is a word, so a new one needs no line here.
bool is_zero(const weft::CoreStats& stats) {
    uint32_t words[sizeof stats / sizeof(uint32_t)];
    __builtin_memcpy(words, &stats, sizeof stats);
    for (const uint32_t word : words) {
        if (word != 0) return false;
    }
    return true;
}

void Z1_first_submit_starts_one_core() {
    muster();
    CHECK_EQ(static_pool.cores(), cores);
    CHECK_EQ(static_pool.live_cores(), 0);
    CHECK_EQ(static_pool.start_failures(), 0);
    for (uint32_t core = 0; core <= cores; ++core) CHECK(is_zero(static_pool.stats(core)));
    CHECK(is_zero(static_pool.total()));

    CHECK_EQ(static_pool.submit(static_task), Status::ok);
    CHECK(static_pool.live_cores() <= 1);
    work_until(
        static_pool, [] { return static_task.runs.load(acquire) != 0; }, "the first task");
    CHECK(static_pool.live_cores() <= 1);
    CHECK_EQ(static_task.core.load(relaxed) == 0, present() == 1);
    end(static_pool);
    CHECK_EQ(static_task.runs.load(relaxed), 1);
    CHECK_EQ(static_pool.total().executed, 1);
}

// The same in two objects: as many tasks as make rings overflow, and forks.
void Z1_pool_in_a_memory_of_its_own() {
    muster();
    CHECK_EQ(pool_in_memory.cores(), cores);
    CHECK(sizeof memory + sizeof pool_in_memory <= sizeof(Pool) + 2 * Port::cache_line);
    forget_runs();
    submit_counted_batch(pool_in_memory, most_tasks);
    work_until(
        pool_in_memory, [] { return counted_runs.load(acquire) == most_tasks; },
        "tasks of a pool in a memory");
    check_runs(most_tasks, 1);
    uint32_t sum = 0;
    weft::fork_join(
        pool_in_memory, [&] { sum += 1; }, [] {});
    CHECK_EQ(sum, 1);
    end(pool_in_memory);
}

void Z2_task_is_two_words() {
    CHECK_EQ(sizeof(Task), 2 * sizeof(void*));
    CHECK_EQ(sizeof(Batch), (WEFT_URGENCY_LEVELS == 1 || sizeof(void*) == 8 ? 3 : 4) * sizeof(void*));
    int captured = 0;
    Job job([&captured] { ++captured; });
    CHECK_EQ(sizeof job, 4 * sizeof(void*));  // two words, the reference, and up to the alignment
}

void Z2_job_runs_its_callable() {
    Pool& pool = new_pool();
    uint32_t sum = 0;
    Job add([&sum] { sum += 7; });
    Job stop([&pool] { pool.shutdown(); });
    Job twice([&] {
        CHECK_EQ(pool.submit(add), Status::ok);
        CHECK_EQ(pool.submit(stop), Status::ok);  // after it: a drain loses nothing
    });
    CHECK_EQ(pool.submit(twice), Status::ok);
    run(pool);
    end(pool);
    CHECK_EQ(sum, 7);
    static_assert(sizeof(Job<void (*)()>) <= 4 * sizeof(void*), "Z2: the callable lies in the job");
}

constexpr tap::Test tests[] = {
    TEST(Z1_first_submit_starts_one_core),
    TEST(Z1_pool_in_a_memory_of_its_own),
    TEST(Z2_task_is_two_words),
    TEST(Z2_job_runs_its_callable),
};

}  // namespace

extern const tap::Tests facts_tests{tests};

}  // namespace firmware
