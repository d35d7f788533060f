// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of depths: of the queues by themselves, and of what counts as one task.
#include <thread>

#include "harness.hpp"

namespace unit {
namespace {

// With every setting: cores are known, and a pool that nobody works for has none.
void P7_cores_before_and_after() {
    auto pool = std::make_unique<Pool<3>>();
    CHECK_EQ(pool->live_cores(), 0);
    CHECK_EQ(pool->sleeping_cores(), 0);
    Job job([] {});
    CHECK_EQ(pool->submit_on(1, job), Status::ok);
    tap::wait_for([&] { return pool->total().executed == 1 && pool->sleeping_cores() == 1; }, "one to sleep");
    CHECK_EQ(pool->live_cores(), 1);
    pool->shutdown();
    CHECK_EQ(pool->join(), Status::ok);
    CHECK_EQ(pool->live_cores(), 0);
    CHECK_EQ(pool->sleeping_cores(), 0);
}

#if WEFT_FORK_DEPTH
// A pool in which one core sleeps in a join, and another one runs the child until it is let go.
struct Join {
    std::unique_ptr<Pool<3>> pool = std::make_unique<Pool<3>>();
    Atomic<uint32_t> entered{};
    Atomic<uint32_t> let_go{};

    void fork() {
        weft::fork_join(
            [this] {
                // Until the other side runs elsewhere: it is the one that takes long.
                while (entered.load(acquire) == 0) {
                    pool->offer_from_isr();
                    weft::Port::relax();
                }
            },
            [this] {
                entered.store(1, release);
                while (let_go.load(acquire) == 0) weft::Port::relax();
            });
    }
    void wait_until_asleep() {
        tap::wait_for([&] { return entered.load(acquire) != 0 && pool->sleeping_cores() == 1; }, "a join");
    }
    void end() {
        let_go.store(1, release);
        pool->shutdown();
        CHECK_EQ(pool->join(), Status::ok);
    }
};

// A core that sleeps in a join counts, one that runs a task does not; and each counts once.
void P7_sleep_in_a_join() {
    Join join;
    Job job([&join] { join.fork(); });
    CHECK_EQ(join.pool->submit(job), Status::ok);
    join.wait_until_asleep();
    // Core 0 is the caller's: two cores work, of which one runs, and the other waits.
    CHECK_EQ(join.pool->live_cores(), 2);
    join.end();
}

// A core that slept in a join, and was woken by its child's end, is awake: in the task that goes on behind it, and when
// the pool has ended.
void P7_awake_behind_a_join() {
    Join join;
    Job job([&join] {
        join.fork();
        // The other core may sleep, too: this one does not.
        CHECK(join.pool->sleeping_cores() <= 1);
#if WEFT_WATCH
        CHECK(!join.pool->heartbeat(weft::this_core()).asleep);
#endif
    });
    CHECK_EQ(join.pool->submit(job), Status::ok);
    join.wait_until_asleep();
    join.end();
    CHECK_EQ(join.pool->sleeping_cores(), 0);
}
#endif

#if WEFT_METRICS

using weft::Queue;

constexpr uint32_t some = 20;
Item items[some];

bool push(TaskStack& stack, uint32_t first, uint32_t size) {
    for (uint32_t i = first; i + 1 < first + size; ++i) weft::detail::link(&items[i]).set_next(&items[i + 1]);
    return stack.push(&items[first], &items[first + size - 1], size);
}

void P7_stack_counts() {
    TaskStack stack;
    CHECK_EQ(stack.now(), 0);
    CHECK(push(stack, 0, 5));
    CHECK(push(stack, 5, 1));
    CHECK_EQ(stack.now(), 6);
    Task* list = stack.try_lock();
    CHECK_EQ(stack.next(list), &items[5]);
    CHECK_EQ(stack.next(list), &items[0]);
    CHECK_EQ(stack.now(), 6);  // until it is given back
    CHECK(push(stack, 6, 2));
    CHECK(stack.unlock(list, 2));
    CHECK_EQ(stack.now(), 6);
    list = stack.try_lock();
    for (uint32_t i = 1; i != 5; ++i) CHECK_EQ(stack.next(list), &items[i]);
    CHECK(stack.unlock(list, 4));
    CHECK_EQ(stack.now(), 2);
    stack.close();
    CHECK(!push(stack, 8, 3));
    CHECK_EQ(stack.now(), 2);
    list = stack.try_lock();
    CHECK(stack.next(list) != nullptr && stack.next(list) != nullptr);
    CHECK(!stack.unlock(list, 2));
    CHECK_EQ(stack.now(), 0);
    CHECK_EQ(stack.most(), 8);
}

// Two push, two take, and one looks.
void P7_stack_counts_in_a_race() {
    constexpr uint32_t each = 20000;
    static std::vector<Item> crowd(2 * each);
    TaskStack stack;
    Atomic<uint32_t> taken{};
    Atomic<uint32_t> wrong{};
    std::vector<std::thread> threads;
    for (uint32_t p = 0; p != 2; ++p) {
        threads.emplace_back([&, p] {
            for (uint32_t i = 0; i != each; i += 2) {
                Item* const pair = &crowd[p * each + i];
                weft::detail::link(&pair[0]).set_next(&pair[1]);
                if (!stack.push(&pair[0], &pair[1], 2)) wrong.fetch_add(1, relaxed);
            }
        });
        threads.emplace_back([&] {
            while (taken.load(relaxed) != crowd.size()) {
                Task* list = stack.try_lock();
                if (list == nullptr) continue;
                uint32_t count = 0;
                for (; list != nullptr && count != 3; ++count) static_cast<void>(stack.next(list));
                static_cast<void>(stack.unlock(list, count));
                taken.fetch_add(count, relaxed);
            }
        });
    }
    threads.emplace_back([&] {
        while (taken.load(relaxed) != crowd.size()) {
            if (stack.now() > crowd.size()) wrong.fetch_add(1, relaxed);
        }
    });
    for (std::thread& thread : threads) thread.join();
    CHECK_EQ(wrong.load(relaxed), 0);
    CHECK_EQ(stack.now(), 0);
    CHECK(stack.most() >= 2 && stack.most() <= crowd.size());
}

void P7_ring_has_its_indices() {
    constexpr uint32_t capacity = 8;
    Ring::Slot slots[capacity];
    Ring::Slot others[capacity];
    Ring ring(slots, capacity);
    Ring thief(others, capacity);
    CHECK_EQ(ring.depth(), 0);
    for (uint32_t round = 0; round != 5; ++round) {  // in checked builds across the wrap
        for (uint32_t i = 0; i != 6; ++i) {
            CHECK_EQ(ring.depth(), i);
            CHECK(ring.push(&items[i]));
        }
        CHECK_EQ(ring.depth(), 6);
        CHECK(thief.steal_into(ring, false) == nullptr);
        CHECK_EQ(ring.steal_into(thief, false), &items[0]);
        CHECK_EQ(ring.depth(), 3);
        CHECK_EQ(thief.depth(), 2);
        while (ring.pop() != nullptr) continue;
        while (thief.pop() != nullptr) continue;
        CHECK_EQ(ring.depth() + thief.depth(), 0);
    }
    CHECK_EQ(ring.most(), 6);
    CHECK_EQ(thief.most(), 2);
    uint32_t moved = 1;
    for (uint32_t i = 0; i + 1 != some; ++i) weft::detail::link(&items[i]).set_next(&items[i + 1]);
    CHECK_EQ(ring.fill(&items[0], moved), &items[capacity]);
    CHECK_EQ(moved, 1 + capacity);
    CHECK_EQ(ring.depth(), capacity);
    CHECK_EQ(ring.most(), capacity);
    while (ring.pop() != nullptr) continue;
}

#if WEFT_NEWEST_FIRST
// The place of the newest task is part of the ring: for the depth, and for the most that ever stood there.
void P7_newest_counts() {
    constexpr uint32_t capacity = 2;
    Ring::Slot slots[capacity];
    Ring ring(slots, capacity);
    CHECK(ring.put(&items[0]) == nullptr);
    CHECK_EQ(ring.depth(), 1);
    CHECK_EQ(ring.pop(), &items[0]);
    CHECK_EQ(ring.depth(), 0);
    CHECK_EQ(ring.most(), 1);
    for (uint32_t i = 0; i != capacity + 1; ++i) {
        Task* const older = ring.put(&items[i]);
        if (older != nullptr) CHECK(ring.push(older));
    }
    CHECK_EQ(ring.depth(), capacity + 1);
    while (ring.pop() != nullptr) continue;
    CHECK_EQ(ring.most(), capacity + 1);
}
#endif

// A strand is one task of its pool, whatever it holds back.
void P7_a_strand_is_one_task() {
    auto pool = std::make_unique<Pool<1>>();
    weft::Strand strand(*pool);
    Count tasks[5];
    for (Count& task : tasks) CHECK_EQ(strand.submit_from_isr(task), Status::ok);
    CHECK_EQ(pool->queued(), 1);
    CHECK_EQ(pool->depth(Queue::injector).now, 1);
    weft::Gate gate(*pool, tasks[0], 2);
    CHECK_EQ(pool->poll(UINT32_MAX).status, Status::ok);
    while (pool->poll(UINT32_MAX).tasks != 0) continue;
    CHECK_EQ(pool->queued(), 0);
    CHECK_EQ(pool->depth(Queue::injector).most, 1);
    CHECK_EQ(gate.arrive(), Status::ok);
    CHECK_EQ(pool->queued(), 0);
    CHECK_EQ(gate.arrive(), Status::ok);
    CHECK_EQ(pool->queued(), 1);
    CHECK_EQ(pool->poll(1).tasks, 1);
    CHECK_EQ(pool->queued(), 0);
    pool->shutdown();
    CHECK_EQ(pool->join(), Status::ok);
}

// What is not there has no depth, and breaks nothing.
void P7_unknown_queues_are_empty() {
    auto pool = std::make_unique<Pool<2>>();
    Count task;
    CHECK_EQ(pool->submit_from_isr(task), Status::ok);
    constexpr Queue all[] = {Queue::injector, Queue::ring,   Queue::overflow, Queue::pinned,
                             Queue::urgent,   Queue::of_set, Queue::blocking, Queue::mandatory};
    for (const Queue queue : all) {
        for (const uint32_t index : {24u, 255u, UINT32_MAX}) {
            CHECK_EQ(pool->depth(queue, index).now, 0);
            CHECK_EQ(pool->depth(queue, index).most, 0);
        }
    }
    CHECK_EQ(pool->depth(Queue::urgent, 0).most, 0);
    CHECK_EQ(pool->depth(static_cast<Queue>(200)).most, 0);
    CHECK_EQ(pool->depth(Queue::ring, 2).most + pool->depth(Queue::overflow, 2).most, 0);
    CHECK_EQ(pool->depth(Queue::injector, 1).most, 0);
    CHECK_EQ(pool->queued(), 1);
    pool->shutdown(weft::Shutdown::abandon);
    CHECK_EQ(pool->join(), Status::ok);
    CHECK_EQ(pool->queued(), 0);
}

#endif

constexpr tap::Test tests[] = {
    TEST(P7_cores_before_and_after),
#if WEFT_FORK_DEPTH
    TEST(P7_sleep_in_a_join),        TEST(P7_awake_behind_a_join),
#endif
#if WEFT_METRICS
    TEST(P7_stack_counts),           TEST(P7_stack_counts_in_a_race),   TEST(P7_ring_has_its_indices),
#if WEFT_NEWEST_FIRST
    TEST(P7_newest_counts),
#endif
    TEST(P7_a_strand_is_one_task),   TEST(P7_unknown_queues_are_empty),
#endif
};

}  // namespace

extern const tap::Tests metrics_tests{tests};

}  // namespace unit
