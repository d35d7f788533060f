// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of Batch, Job and Status.
#include <string.h>

#include <algorithm>
#include <string>

#include "harness.hpp"

namespace unit {
namespace {

constexpr Status statuses[] = {Status::ok,
                               Status::closed,
                               Status::misaligned_task,
                               Status::null_run,
                               Status::already_queued,
                               Status::unknown_core,
                               Status::core_unavailable,
                               Status::wrong_context,
                               Status::not_expected,
                               Status::left_over};

Pool<1, 4>& new_pool() {
    static std::unique_ptr<Pool<1, 4>> pool;
    pool.reset(new Pool<1, 4>);
    return *pool;
}

// Against a plain list, with random pushes and pops.
void Z3_batch_is_a_queue() {
    constexpr uint32_t size = 50;
    std::vector<Item> items(size);
    std::vector<Item*> free;
    free.reserve(size);
    for (Item& item : items) free.push_back(&item);
    std::vector<Item*> expected;
    Batch batch;
    tap::Random random(tap::option("seed", 1));
    for (uint32_t i = 0; i < 20000; ++i) {
        const bool fills = i / size % 2 == 0;
        if (random.below(3) < (fills ? 2u : 1u) && !free.empty()) {
            Item* const item = free[random.below(static_cast<uint32_t>(free.size()))];
            free.erase(std::find(free.begin(), free.end(), item));
            CHECK_EQ(batch.push(*item), Status::ok);
            expected.push_back(item);
        } else {
            Task* const task = batch.pop();
            CHECK_EQ(task, expected.empty() ? nullptr : expected.front());
            if (task == nullptr) continue;
            free.push_back(expected.front());
            expected.erase(expected.begin());
        }
        CHECK_EQ(batch.size(), static_cast<uint32_t>(expected.size()));
        CHECK_EQ(batch.empty(), expected.empty());
    }
    while (batch.pop() != nullptr) {
    }
}

void Z3_batch_pops_are_free() {
    std::vector<Item> items(3);
    Batch batch;
    Batch other;
    for (Item& item : items) CHECK_EQ(batch.push(item), Status::ok);
    while (Task* const task = batch.pop()) CHECK_EQ(other.push(*task), Status::ok);
    CHECK_EQ(other.size(), 3);
    for (Item& item : items) CHECK_EQ(other.pop(), &item);
    Pool<1, 4>& pool = new_pool();
    CHECK_EQ(pool.submit(batch), Status::ok);  // empty
    for (Item& item : items) CHECK_EQ(pool.submit(item), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 3);
    pool.shutdown();
    CHECK_EQ(pool.submit(batch), Status::ok);  // nothing is refused
    CHECK_EQ(pool.join(), Status::ok);
}

void E4_batch_refuses_queued_tasks() {
#if WEFT_CHECKS
    std::vector<Item> items(3);
    Batch batch;
    for (Item& item : items) CHECK_EQ(batch.push(item), Status::ok);
    for (Item& item : items) CHECK_EQ(batch.push(item), Status::already_queued);
    Task no_run(nullptr);
    CHECK_EQ(batch.push(no_run), Status::null_run);
#if !defined(__SANITIZE_ADDRESS__) || defined(WEFT_MUTANT)  // that build's own checks would see it first
    Task* const misaligned = reinterpret_cast<Task*>(reinterpret_cast<uintptr_t>(&items[0]) + sizeof(void*));
    CHECK_EQ(batch.push(*misaligned), Status::misaligned_task);
#endif
    CHECK_EQ(batch.size(), 3);
    for (Item& item : items) CHECK_EQ(batch.pop(), &item);
#else
    tap::skip("not on this board: checks");
#endif
}

void Z2_sizes() {
    CHECK_EQ(sizeof(Task), 2 * sizeof(void*));
    CHECK_EQ(sizeof(Item), 4 * sizeof(void*));
    CHECK_EQ(alignof(Item), 2 * sizeof(void*));
    CHECK_EQ(sizeof(Status), 1);
    // A worker is cache lines of its own, and a ring slot is one pointer.
    CHECK_EQ(sizeof(weft::detail::Worker) % weft::Port::cache_line, 0);
    CHECK_EQ(sizeof(Pool<2, 64>) - sizeof(Pool<2, 32>), 2 * 32 * sizeof(void*));
    CHECK_EQ(alignof(Pool<2, 64>) % weft::Port::cache_line, 0);
}

struct Sample : weft::TaskOf<Sample> {
    explicit Sample(uint32_t value) : raw(value) {}
    void run() { filtered += 2 * raw; }
    uint32_t raw;
    uint32_t filtered = 0;
};

void Z2_task_of_calls_its_run() {
    CHECK_EQ(sizeof(Sample), 4 * sizeof(void*));
    Pool<1, 4>& pool = new_pool();
    Sample samples[] = {Sample(1), Sample(20)};
    for (Sample& sample : samples) CHECK_EQ(pool.submit(sample), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 2);
    CHECK_EQ(samples[0].filtered, 2);
    CHECK_EQ(samples[1].filtered, 40);
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

void Z2_job_keeps_its_callable() {
    Pool<1, 4>& pool = new_pool();
    std::string text = "the callable is moved, with what it has captured";
    std::string result;
    Job job([text = std::move(text), &result] { result += text; });
    for (uint32_t i = 0; i < 2; ++i) {  // once per submit, the same one
        result.clear();
        CHECK_EQ(pool.submit(job), Status::ok);
        CHECK_EQ(pool.poll(9).tasks, 1);
        CHECK(result == "the callable is moved, with what it has captured");
    }
    uint32_t calls = 0;
    Job counter([n = 0u, &calls]() mutable { calls = ++n; });  // with a state of its own
    for (uint32_t i = 1; i <= 3; ++i) {
        CHECK_EQ(pool.submit(counter), Status::ok);
        CHECK_EQ(pool.poll(9).tasks, 1);
        CHECK_EQ(calls, i);
    }
    struct alignas(64) Aligned {
        void operator()() const { CHECK_EQ(reinterpret_cast<uintptr_t>(this) % 64, 0); }
    };
    Job aligned(Aligned{});
    CHECK_EQ(pool.submit(aligned), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 1);
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

void E5_statuses_have_texts() {
    for (const Status one : statuses) {
        const char* const text = weft::describe(one);
        CHECK(strlen(text) > 1);
        CHECK(strcmp(text, "unknown status") != 0);
        for (const Status other : statuses) CHECK_EQ(strcmp(text, weft::describe(other)) == 0, one == other);
    }
    CHECK(strcmp(weft::describe(static_cast<Status>(200)), "unknown status") == 0);
    static_assert(weft::describe(Status::ok) != nullptr, "describe() is usable at compile time");
}

// A pointer to no function is no work: who submits it is told.
void E5_null_function() {
    void (*none)() = nullptr;
    static int runs;
    void (*some)() = [] { ++runs; };
    Pool<1, 4>& pool = new_pool();
    Job no_job(none), job(some);
    weft::Work no_work{pool, none};
    weft::Work work{pool, some};
    runs = 0;
#if WEFT_CHECKS
    CHECK_EQ(pool.submit(no_job), Status::null_run);
    CHECK_EQ(pool.submit(no_work), Status::null_run);
#endif
    CHECK_EQ(pool.submit(job), Status::ok);
    CHECK_EQ(pool.submit(work), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 2);
    CHECK_EQ(runs, 2);
    static_cast<void>(no_job), static_cast<void>(no_work);
}

constexpr tap::Test tests[] = {
    TEST(Z3_batch_is_a_queue),           TEST(Z3_batch_pops_are_free),
    TEST(E4_batch_refuses_queued_tasks), TEST(Z2_sizes),
    TEST(Z2_job_keeps_its_callable),     TEST(Z2_task_of_calls_its_run),
    TEST(E5_statuses_have_texts),        TEST(E5_null_function),
};

}  // namespace

extern const tap::Tests values_tests{tests};

}  // namespace unit
