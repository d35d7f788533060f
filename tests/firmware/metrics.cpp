// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: how many cores sleep, and how much is queued, read in tasks, in handlers, before and after.
#include "harness.hpp"

namespace firmware {
namespace {

Pool* pool;

// Nobody works, one works, all sleep; and after the end nobody again.
void P7_cores_on_and_asleep() {
    Pool& own = new_pool();
    CHECK_EQ(own.live_cores(), 0);
    CHECK_EQ(own.sleeping_cores(), 0);
    if (present() == 1) {
        end(own);
        return;
    }
    start_workers(own);
    const uint32_t workers = present() - 1;
    await([&] { return own.sleeping_cores() == workers; }, "all cores to sleep");
    CHECK_EQ(own.live_cores(), workers);
    uint32_t core = 1;
    while (!is_present(core)) ++core;
    static Blocker blocker;
    CHECK_EQ(own.submit_on(core, blocker), Status::ok);
    blocker.await_entered();
    await([&] { return own.sleeping_cores() == workers - 1; }, "one core to be awake");
    CHECK_EQ(own.live_cores(), workers);
    blocker.let_go();
    await([&] { return own.sleeping_cores() == workers; }, "that core to sleep again");
    end(own);
    CHECK_EQ(own.live_cores(), 0);
    CHECK_EQ(own.sleeping_cores(), 0);
}

// ---- A handler of core 0 looks again and again.

Atomic<uint32_t> looks{};
Atomic<uint32_t> wrong{};

void has_looked(bool good) {
    if (!good) wrong.store(1, relaxed);
    looks.store(looks.load(relaxed) + 1, release);
}

void await_looks(const char* what) {
    const uint32_t before = looks.load(acquire);
    await([=] { return looks.load(acquire) >= before + 2; }, what);
}

Pool& new_pool_looked_at(void (*handler)()) {
    pool = &new_pool();
    looks.store(0, relaxed);
    wrong.store(0, relaxed);
    board::start_timer(200, handler);
    await_looks("a handler that looks before the first submit");
    return *pool;
}

void look_at_cores_in_interrupt() {
    has_looked(pool->sleeping_cores() <= present() && pool->live_cores() <= present());
}
void P7_cores_in_an_interrupt() {
    Pool& own = new_pool_looked_at(look_at_cores_in_interrupt);
    forget_runs();
    start_workers(own);
    submit_counted_batch(own, most_tasks);
    work_until(
        own, [] { return counted_runs.load(acquire) == most_tasks; }, "tasks beside a handler that looks");
    await_looks("a handler that looks");
    end(own);  // with a timer of its own
    board::start_timer(200, look_at_cores_in_interrupt);
    await_looks("a handler that looks behind the end");
    board::stop_timer();
    CHECK_EQ(wrong.load(relaxed), 0);
}

#if WEFT_METRICS

using weft::CoreStats;
using weft::Queue;
using weft::QueueDepth;

constexpr uint32_t room = ring + WEFT_NEWEST_FIRST;  // of a ring, with the place of its newest task

void check_depth(const Pool& of, Queue queue, uint32_t index, uint32_t now, uint32_t most) {
    const QueueDepth depth = of.depth(queue, index);
    CHECK_EQ(depth.now, now);
    CHECK_EQ(depth.most, most);
}

// Handlers start no core, so what they submit stays where it is: each queue is as deep as what was given to it.
void P7_each_queue_by_itself() {
    Pool& own = new_pool();
    forget_runs();
    CHECK_EQ(own.queued(), 0);
    uint32_t next = 0;
    for (; next != 3; ++next) CHECK_EQ(own.submit_from_isr(counted[next]), Status::ok);
    check_depth(own, Queue::injector, 0, 3, 3);
    for (; next != 5; ++next) CHECK_EQ(own.submit_on(0, counted[next]), Status::ok);
    check_depth(own, Queue::pinned, 0, 2, 2);
#if WEFT_URGENCY_LEVELS > 1 && !WEFT_PREEMPTION
    for (uint32_t level = 1; level != WEFT_URGENCY_LEVELS; ++level) {
        CHECK_EQ(own.submit_from_isr(counted[next++], static_cast<weft::Urgency>(level)), Status::ok);
        check_depth(own, Queue::urgent, level, 1, 1);
    }
#endif
#if WEFT_BLOCKING
    for (uint32_t i = 0; i != 4; ++i) CHECK_EQ(own.submit_blocking_from_isr(counted[next++]), Status::ok);
    check_depth(own, Queue::blocking, 0, 4, 4);
#endif
#if WEFT_MANDATORY
    for (uint32_t i = 0; i != 2; ++i) CHECK_EQ(own.submit_mandatory_from_isr(counted[next++]), Status::ok);
    check_depth(own, Queue::mandatory, 0, 2, 2);
#endif
    CHECK_EQ(own.queued(), next);
    CHECK_EQ(own.live_cores(), 0);
    end(own);
    CHECK_EQ(own.queued(), 0);
    check_depth(own, Queue::injector, 0, 0, 3);
    check_depth(own, Queue::pinned, 0, 0, 2);
#if WEFT_BLOCKING
    check_depth(own, Queue::blocking, 0, 0, 4);
#endif
    check_runs(next, 1);
}

// What is handed back is not queued, nor is what is refused.
void P7_abandoned_and_refused() {
    Pool& own = new_pool();
    forget_runs();
    for (uint32_t i = 0; i != ring; ++i) CHECK_EQ(own.submit_from_isr(counted[i]), Status::ok);
    own.shutdown(Shutdown::abandon);
    CHECK_EQ(own.submit_from_isr(counted[ring]), Status::closed);
    CHECK_EQ(own.queued(), ring);
    Batch left_over;
    CHECK_EQ(join(own, &left_over), Status::ok);
    CHECK_EQ(own.queued(), 0);
    uint32_t back = 0;
    while (left_over.pop() != nullptr) ++back;
    CHECK_EQ(back, ring);
    Batch late;
    CHECK_EQ(late.push(counted[0]), Status::ok);
    CHECK_EQ(late.push(counted[1]), Status::ok);
    CHECK_EQ(own.submit(late), Status::closed);
    while (late.pop() != nullptr) continue;
    CHECK_EQ(own.queued(), 0);
}

#if WEFT_CORE_SETS
void P7_sets_of_cores() {
    if (cores < 3) return tap::skip("not on this board: a set of two cores would be all of them");
    Pool& own = new_pool();
    forget_runs();
    // Core 0 polls, so it is here; nobody is started for what it may take.
    static_cast<void>(own.poll(1));
    const weft::CoreSet set = weft::CoreSet::of(0, 1);
    for (uint32_t i = 0; i != 3; ++i) CHECK_EQ(own.submit_on_from_isr(set, counted[i]), Status::ok);
    check_depth(own, Queue::of_set, 0, 3, 3);
    check_depth(own, Queue::of_set, 1, 0, 0);
    while (counted_runs.load(acquire) != 3) static_cast<void>(own.poll(1));
    check_depth(own, Queue::of_set, 0, 0, 3);
    end(own);
}
#endif

// Every other core is busy, so what a task submits stays: in its ring, and in its overflow.
void P7_ring_and_overflow() {
    Pool& own = new_pool();
    forget_runs();
    OthersHeld others(own);
    pool = &own;
    static Job fill([] {
        for (uint32_t i = 0; i != room; ++i) CHECK_EQ(pool->submit(counted[i]), Status::ok);
        check_depth(*pool, Queue::ring, 0, room, room);
        check_depth(*pool, Queue::overflow, 0, 0, 0);
        CHECK_EQ(pool->submit(counted[room]), Status::ok);
        check_depth(*pool, Queue::ring, 0, room, room);
        check_depth(*pool, Queue::overflow, 0, 1, 1);
        Batch batch;
        for (uint32_t i = room + 1; i != 2 * ring; ++i) CHECK_EQ(batch.push(counted[i]), Status::ok);
        CHECK_EQ(pool->submit(batch), Status::ok);
        check_depth(*pool, Queue::overflow, 0, 2 * ring - room, 2 * ring - room);
        CHECK_EQ(pool->queued(), 2 * ring);
    });
    CHECK_EQ(own.submit_on(0, fill), Status::ok);
    CHECK_EQ(own.poll(1).tasks, 1);
    CHECK_EQ(own.queued(), 2 * ring);
    CHECK_EQ(own.poll(ring / 2 + 3).tasks, ring / 2 + 3);
    CHECK_EQ(own.queued(), 3 * ring / 2 - 3);
    others.let_go();
    end(own);
    CHECK_EQ(own.queued(), 0);
    check_runs(2 * ring, 1);
}

uint32_t sum_of_origins(const CoreStats& stats) {
    return stats.from_ring + stats.from_pinned + stats.from_overflow + stats.from_injector + stats.from_sets +
           stats.from_urgent + stats.from_blocking + stats.from_mandatory + stats.from_forks +
           stats.from_others_overflow + stats.from_others_ring + stats.from_strands;
}
void check_origins(const Scheduler& of) {
    for (uint32_t core = 0; core != of.cores(); ++core) {
        CHECK_EQ(sum_of_origins(of.stats(core)), of.stats(core).executed);
    }
    CHECK_EQ(sum_of_origins(of.total()), of.total().executed);
}

using OnePool = weft::Pool<1, ring>;
Room<OnePool> one_room;
OnePool* one;

void runs_from(uint32_t CoreStats::*origin, uint32_t tasks, uint32_t in_all) {
    CHECK_EQ(one->poll(tasks).tasks, tasks);
    CHECK_EQ(one->stats(0).*origin, in_all);
}

// One core, and a task in each place: the order in which it looks. What is urgent; its ring; then, in turns, what
// others hand in.
void V1_search_order_of_one_core() {
    OnePool& own = one_room.build();
    one = &own;
    forget_runs();
    static Job fill([] {
        for (uint32_t i = 0; i != room + 1; ++i) CHECK_EQ(one->submit(counted[i]), Status::ok);
    });
    uint32_t next = room + 1;
    CHECK_EQ(own.submit_from_isr(fill), Status::ok);
    runs_from(&CoreStats::from_injector, 1, 1);
    CHECK_EQ(own.submit_on(0, counted[next++]), Status::ok);
    CHECK_EQ(own.submit_from_isr(counted[next++]), Status::ok);
#if WEFT_MANDATORY
    CHECK_EQ(own.submit_mandatory_from_isr(counted[next++]), Status::ok);
#endif
#if WEFT_URGENCY_LEVELS > 1 && !WEFT_PREEMPTION
    CHECK_EQ(own.submit_from_isr(counted[next++], weft::Urgency::urgent), Status::ok);
    runs_from(&CoreStats::from_urgent, 1, 1);
#endif
    runs_from(&CoreStats::from_ring, room, room);
    while (own.poll(1).tasks != 0) continue;
    const CoreStats stats = own.stats(0);
    CHECK_EQ(stats.from_pinned, 1);
    CHECK_EQ(stats.from_injector, 2);
    CHECK_EQ(stats.from_mandatory, WEFT_MANDATORY);
    CHECK_EQ(stats.from_overflow, 1);
    CHECK_EQ(stats.from_ring, room);
    end(own);
    check_runs(next, 1);
    check_origins(own);
}

// A core that has nothing takes the overflow of another one and, by halves, its ring.
void V1_search_order_among_cores() {
    if (present() == 1) return tap::skip("not on this board: one core is present");
    Pool& own = new_pool();
    pool = &own;
    forget_runs();
    static Blocker blocker;
    uint32_t core = 1;
    while (!is_present(core)) ++core;
    static Job fill([] {
        for (uint32_t i = 0; i != room + 1; ++i) CHECK_EQ(pool->submit(counted[i]), Status::ok);
        Blocker::run(blocker);
    });
    // All others are busy, with something of their own.
    static Blocker others[cores];
    for (uint32_t each = 1; each != cores; ++each) {
        if (each == core || !is_present(each)) continue;
        CHECK_EQ(own.submit_on(each, others[each]), Status::ok);
        others[each].await_entered();
    }
    CHECK_EQ(own.submit_on(core, fill), Status::ok);
    blocker.await_entered();
    CHECK_EQ(own.poll(room + 1).tasks, room + 1);
    const CoreStats stats = own.stats(0);
    CHECK_EQ(stats.from_others_overflow, 1);
    CHECK(stats.from_others_ring >= 2);
    CHECK_EQ(stats.stolen, 1 + stats.from_others_ring);
    CHECK_EQ(stats.from_ring, room - stats.from_others_ring);
    blocker.let_go();
    for (Blocker& each : others) {
        if (each.entered.load(acquire) != 0) each.let_go();
    }
    end(own);
    check_runs(room + 1, 1);
    check_origins(own);
}

// A handler reads all of it while others push and take: nothing is ever negative.
void look_in_interrupt() {
    // A task that was taken, and is submitted anew before that is subtracted, counts twice.
    constexpr uint32_t bound = 4 * most_tasks;
    bool good = true;
    for (uint32_t core = 0; core != cores; ++core) {
        good = good && pool->depth(Queue::ring, core).now <= room;
        const QueueDepth depths[] = {pool->depth(Queue::overflow, core), pool->depth(Queue::pinned, core),
                                     pool->depth(Queue::injector)};
        for (const QueueDepth& depth : depths) {
            good = good && depth.now <= depth.most && depth.most <= bound;
        }
    }
    has_looked(good);
}
void P7_depths_in_an_interrupt() {
    Pool& own = new_pool_looked_at(look_in_interrupt);
    start_workers(own);
    for (uint32_t round = 0; round != rounds(100); ++round) {
        forget_runs();
        if (round % 2 == 0) {
            submit_counted_batch(own, most_tasks);
        } else {
            submit_counted(own, most_tasks);
        }
        work_until(
            own, [] { return counted_runs.load(acquire) == most_tasks; },
            "tasks beside a handler that looks");
    }
    await_looks("a handler that looks");
    // All have run; who has taken the last ones may still be about to subtract them.
    await([&] { return own.queued() == 0; }, "nothing to be queued");
    board::stop_timer();
    end(own);
    CHECK_EQ(wrong.load(relaxed), 0);
    CHECK(own.depth(Queue::injector).most >= 1);
    check_origins(own);
}

#endif

constexpr tap::Test tests[] = {
    TEST(P7_cores_on_and_asleep),
    TEST(P7_cores_in_an_interrupt),
#if WEFT_METRICS
    TEST(P7_each_queue_by_itself),
    TEST(P7_abandoned_and_refused),
#if WEFT_CORE_SETS
    TEST(P7_sets_of_cores),
#endif
    TEST(P7_ring_and_overflow),
    TEST(P7_depths_in_an_interrupt),
    TEST(V1_search_order_of_one_core),
    TEST(V1_search_order_among_cores),
#endif
};

}  // namespace

extern const tap::Tests metrics_tests{tests};

}  // namespace firmware
