// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of a pool at rest: what wait_idle() waits for, and what it does not; when the image's function is called.
#include "harness.hpp"

#if WEFT_REST

#include <chrono>
#include <thread>

#include "weft_host_faults.hpp"

namespace unit {
namespace {

using weft::Completion;
using weft::Gate;
using weft::Strand;
using weft::Work;

// ---- wait_idle()

void N5_idle_pool_is_idle() {
    Pool<2> pool;
    CHECK_EQ(pool.wait_idle(), Status::ok);
    CHECK_EQ(pool.wait_idle(), Status::ok);
    CHECK_EQ(pool.live_cores(), 0);
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

// However it is queued, and what it submits in turn. The pool goes on.
void N5_idle_when_all_has_run() {
    Pool<1, 4> pool;
    Strand strand{pool};
    uint32_t runs = 0;
    auto count = [&] { ++runs; };
    for (int round = 0; round != 3; ++round) {
        Job plain(count), pinned(count), handler(count), first(count), second(count), late(count);
        Job chain([&] {
            ++runs;
            CHECK_EQ(pool.submit(late), Status::ok);
        });
        Count many[20];
        Batch batch;
        for (Count& one : many) CHECK_EQ(batch.push(one), Status::ok);
        CHECK_EQ(pool.submit(plain), Status::ok);
        CHECK_EQ(pool.submit_on(0, pinned), Status::ok);
        CHECK_EQ(pool.submit_from_isr(handler), Status::ok);
        CHECK_EQ(strand.submit(first), Status::ok);
        CHECK_EQ(strand.submit(second), Status::ok);
        CHECK_EQ(pool.submit(chain), Status::ok);
        CHECK_EQ(pool.submit(batch), Status::ok);
        runs = 0;
        CHECK_EQ(pool.wait_idle(), Status::ok);
        CHECK_EQ(runs, 7);
        for (Count& one : many) CHECK_EQ(one.runs, 1);
    }
}

// With all cores, which sleep in between or do not; what they wrote is seen.
void N5_idle_behind_all_cores() {
    Pool<4> pool;
    constexpr uint32_t tasks = 50;
    Count task[tasks];
    for (uint32_t round = 1; round <= 500; ++round) {
        for (Count& one : task) CHECK_EQ(pool.submit(one), Status::ok);
        CHECK_EQ(pool.wait_idle(), Status::ok);
        for (Count& one : task) CHECK_EQ(one.runs, round);
    }
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

// A chain over all cores: at each moment one task is queued or runs, and most cores sleep.
void N5_idle_behind_a_chain() {
    Pool<3> pool;
    struct Link : weft::TaskOf<Link> {
        void run() {
            const uint32_t now = left->fetch_sub(1, relaxed);
            if (now == 1) return;
            CHECK_EQ(pool->submit_on(now % 3, *next), Status::ok);
        }
        Link* next = nullptr;
        weft::Scheduler* pool = nullptr;
        Atomic<uint32_t>* left = nullptr;
    } link[2];
    Atomic<uint32_t> left{0};
    for (Link& one : link) one.pool = &pool, one.left = &left;
    link[0].next = &link[1], link[1].next = &link[0];
    for (uint32_t core = 0; core != 3; ++core) {  // all are here before
        Count here;
        CHECK_EQ(pool.submit_on(core, here), Status::ok);
        CHECK_EQ(pool.wait_idle(), Status::ok);
    }
    for (int round = 0; round != 300; ++round) {
        left.store(40, relaxed);
        CHECK_EQ(pool.submit_on(1, link[0]), Status::ok);
        CHECK_EQ(pool.wait_idle(), Status::ok);
        CHECK_EQ(left.load(relaxed), 0);
    }
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

// What is not submitted yet does not count; a task that waits does.
void N5_idle_is_about_what_is_submitted() {
    Pool<2> pool;
    Count behind;
    Gate gate{pool, behind, 2};
    CHECK_EQ(gate.arrive(), Status::ok);
    CHECK_EQ(pool.wait_idle(), Status::ok);
    CHECK_EQ(behind.runs, 0);
    CHECK_EQ(gate.arrive(), Status::ok);
    CHECK_EQ(pool.wait_idle(), Status::ok);
    CHECK_EQ(behind.runs, 1);

    Completion answer{pool};
    bool waited = false;
    Job waits([&] {
        CHECK_EQ(answer.wait(), Status::ok);
        waited = true;
    });
    CHECK_EQ(pool.submit_on(1, waits), Status::ok);
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        CHECK_EQ(pool.submit(answer), Status::ok);
    });
    CHECK_EQ(pool.wait_idle(), Status::ok);
    CHECK(waited);
    later.join();
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

void N5_idle_not_in_a_task() {
    Pool<1> pool;
    Status status = Status::ok;
    Job asks([&] { status = pool.wait_idle(); });
    CHECK_EQ(pool.submit(asks), Status::ok);
    CHECK_EQ(pool.wait_idle(), Status::ok);
    CHECK_EQ(status, Status::wrong_context);
}

// A task of another pool may wait: its core works for this one meanwhile.
void N5_idle_in_a_task_of_another_pool() {
    Pool<1> pool, other;
    Count task;
    Status status = Status::closed;
    Job asks([&] {
        CHECK_EQ(pool.submit(task), Status::ok);
        status = pool.wait_idle();
    });
    CHECK_EQ(other.submit(asks), Status::ok);
    CHECK_EQ(other.wait_idle(), Status::ok);
    CHECK_EQ(status, Status::ok);
    CHECK_EQ(task.runs, 1);
}

void N5_idle_wait_ends_with_the_pool() {
    Pool<2> pool;
    Count task;
    CHECK_EQ(pool.submit(task), Status::ok);
    pool.shutdown();
    CHECK_EQ(pool.wait_idle(), Status::closed);
    CHECK_EQ(pool.join(), Status::ok);
    CHECK_EQ(task.runs, 1);
    CHECK_EQ(pool.wait_idle(), Status::closed);
}

// Foreign threads and a core of the pool, all at once; each has submitted something.
void N5_idle_for_several() {
    Pool<2> pool;
    constexpr int rounds = 100;
    auto wait = [&pool] {
        Count task;
        for (uint32_t round = 1; round <= rounds; ++round) {
            CHECK_EQ(pool.submit(task), Status::ok);
            CHECK_EQ(pool.wait_idle(), Status::ok);
            CHECK_EQ(task.runs, round);
        }
    };
    Job here([] {});
    CHECK_EQ(pool.submit_on(1, here), Status::ok);  // somebody works for them
    std::thread first(wait), second(wait);
    wait();
    first.join();
    second.join();
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

// A foreign core hears of the shutdown, too.
void N5_foreign_idle_wait_ends_with_the_pool() {
    Pool<1> pool;
    Count never;
    CHECK_EQ(pool.submit_on(0, never), Status::ok);  // nobody is there to run it
    Status status = Status::ok;
    std::thread foreign([&] { status = pool.wait_idle(); });
    pool.shutdown();
    foreign.join();
    CHECK_EQ(status, Status::closed);
    CHECK_EQ(pool.join(), Status::ok);
}

// A core that comes late is waited for as long as something is queued for it, and its start is left alone.
void N5_idle_waits_for_a_core_that_comes_late() {
    for (const bool pinned : {false, true}) {
        weft::host::hold_starts(1);
        Pool<2> pool;
        Count task;
        CHECK_EQ(pinned ? pool.submit_on(1, task) : pool.submit(task), Status::ok);
        Status status = Status::closed;
        std::thread foreign([&] { status = pool.wait_idle(); });
        std::this_thread::sleep_for(std::chrono::milliseconds(WEFT_START_DEADLINE_MS + 50));
        CHECK_EQ(pool.start_failures(), 0);
        weft::host::release_starts(1);
        foreign.join();
        CHECK_EQ(status, Status::ok);
        CHECK_EQ(task.runs, 1);
        pool.shutdown();
        CHECK_EQ(pool.join(), Status::ok);
    }
}

// A core that never comes keeps nobody waiting: not a core of the pool, and not the sleep of all the others.
void N5_idle_beside_a_core_that_never_comes() {
    weft::host::hold_starts(1);
    Pool<2> pool;
    uint32_t calls = 0;
    CHECK_EQ(pool.on_all_asleep([](void* count) { ++*static_cast<uint32_t*>(count); }, &calls), Status::ok);
    Count task;
    for (uint32_t round = 1; round <= 5; ++round) {
        CHECK_EQ(pool.submit(task), Status::ok);
        CHECK_EQ(pool.wait_idle(), Status::ok);
        CHECK_EQ(task.runs, round);
    }
    std::thread foreign([&] {
        Count other;
        CHECK_EQ(pool.submit(other), Status::ok);
        CHECK_EQ(pool.wait_idle(), Status::ok);
        CHECK_EQ(other.runs, 1);
        pool.shutdown();
    });
    CHECK_EQ(pool.run(), Status::ok);
    foreign.join();
    weft::host::release_starts(1);
    CHECK_EQ(pool.join(), Status::ok);
}

// ---- on_all_asleep()

struct Asleep {
    explicit Asleep(weft::Scheduler& its) : pool(its) {
        CHECK_EQ(pool.on_all_asleep([](void* self) { static_cast<Asleep*>(self)->call(); }, this),
                 Status::ok);
    }
    virtual void call() { ++calls; }

    weft::Scheduler& pool;
    uint32_t calls = 0;
};

// One core: each sleep has one call, and what is submitted in it is not lost, whatever context it is taken for.
void N5_each_sleep_is_told_once() {
    Pool<1> pool;
    struct Submits : Asleep {
        using Asleep::Asleep;
        void call() override {
            CHECK_EQ(task.runs, calls);
            switch (++calls) {
                case 9: return pool.shutdown();
                case 5: {
                    Batch batch;
                    CHECK_EQ(batch.push(task), Status::ok);
                    CHECK_EQ(pool.submit(batch), Status::ok);
                    return;
                }
                case 6: CHECK_EQ(pool.submit_on(0, task), Status::ok); return;
                default: CHECK_EQ(calls % 2 ? pool.submit(task) : pool.submit_from_isr(task), Status::ok);
            }
        }
        Count task;
    } submits(pool);
    CHECK_EQ(pool.run(), Status::ok);
    CHECK_EQ(pool.join(), Status::ok);
    CHECK_EQ(submits.calls, 9);
    CHECK_EQ(submits.task.runs, 8);
}

void N5_function_may_not_wait() {
    Pool<1> pool;
    struct Waits : Asleep {
        using Asleep::Asleep;
        void call() override {
            ++calls;
            Work work{pool, [] {}};
            CHECK_EQ(pool.run(), Status::wrong_context);
            CHECK_EQ(pool.poll(1).status, Status::wrong_context);
            CHECK_EQ(pool.wait_idle(), Status::wrong_context);
            CHECK_EQ(work.wait(), Status::wrong_context);
            CHECK_EQ(pool.join(), Status::wrong_context);
            pool.shutdown();
        }
    } waits(pool);
    CHECK_EQ(pool.run(), Status::ok);
    CHECK_EQ(pool.join(), Status::ok);
    CHECK_EQ(waits.calls, 1);
}

// The function may sleep by itself, or take long: who waits for rest is told nevertheless.
void N5_function_may_sleep() {
    Pool<2> pool;
    struct Sleeps {
        static void call(void* argument) {
            Sleeps& all = *static_cast<Sleeps*>(argument);
            if (all.task.runs == 0) return;  // it must return when it is woken, and the task is still to come
            all.inside.store(1, release);
            while (all.may_end.load(acquire) == 0) weft::Port::park();
        }
        Atomic<uint32_t> inside{0}, may_end{0};
        Count task;
    } sleeps;
    CHECK_EQ(pool.on_all_asleep(&Sleeps::call, &sleeps), Status::ok);
    CHECK_EQ(pool.submit_on(1, sleeps.task), Status::ok);
    while (sleeps.inside.load(acquire) == 0) std::this_thread::yield();
    CHECK_EQ(pool.wait_idle(), Status::ok);  // a core of the pool
    std::thread foreign([&pool] { CHECK_EQ(pool.wait_idle(), Status::ok); });
    foreign.join();
    CHECK_EQ(sleeps.task.runs, 1);
    sleeps.may_end.store(1, release);
    weft::Port::unpark(1);
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

void N5_function_is_set_before() {
    Pool<1> pool;
    Status within = Status::ok;
    Job sets([&] { within = pool.on_all_asleep([](void*) {}, nullptr); });
    CHECK_EQ(pool.submit(sets), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    CHECK_EQ(within, Status::wrong_context);
}

// Several cores: calls do not overlap, and behind each round, when all sleep, there is one.
void N5_last_core_tells() {
    Pool<3> pool;
    struct Tells {
        static void call(void* argument) {
            Tells& all = *static_cast<Tells*>(argument);
            CHECK_EQ(all.inside.fetch_add(1, acq_rel), 0);
            std::this_thread::yield();
            all.inside.fetch_sub(1, acq_rel);
            all.calls.fetch_add(1, release);
        }
        Atomic<uint32_t> inside{0}, calls{0};
    } tells;
    CHECK_EQ(pool.on_all_asleep(&Tells::call, &tells), Status::ok);
    std::thread outside([&] {  // a foreign thread: the cores of the pool are the others
        static Count task[6];
        Count here[3];
        for (uint32_t core = 1; core != 3; ++core) CHECK_EQ(pool.submit_on(core, here[core]), Status::ok);
        for (uint32_t round = 1; round <= 300; ++round) {
            const uint32_t before = tells.calls.load(acquire);
            for (Count& one : task) CHECK_EQ(pool.submit(one), Status::ok);
            while (tells.calls.load(acquire) == before) std::this_thread::yield();
            CHECK_EQ(pool.wait_idle(), Status::ok);
            for (Count& one : task) CHECK_EQ(one.runs, round);
        }
        pool.shutdown();
    });
    CHECK_EQ(pool.run(), Status::ok);
    outside.join();
    CHECK_EQ(pool.join(), Status::ok);
}

constexpr tap::Test tests[] = {
    TEST(N5_idle_pool_is_idle),
    TEST(N5_idle_when_all_has_run),
    TEST(N5_idle_behind_all_cores),
    TEST(N5_idle_behind_a_chain),
    TEST(N5_idle_is_about_what_is_submitted),
    TEST(N5_idle_not_in_a_task),
    TEST(N5_idle_in_a_task_of_another_pool),
    TEST(N5_idle_wait_ends_with_the_pool),
    TEST(N5_idle_for_several),
    TEST(N5_foreign_idle_wait_ends_with_the_pool),
    TEST(N5_idle_waits_for_a_core_that_comes_late),
    TEST(N5_idle_beside_a_core_that_never_comes),
    TEST(N5_each_sleep_is_told_once),
    TEST(N5_function_may_not_wait),
    TEST(N5_function_may_sleep),
    TEST(N5_function_is_set_before),
    TEST(N5_last_core_tells),
};

}  // namespace

extern const tap::Tests rest_tests{tests};

}  // namespace unit

#endif
