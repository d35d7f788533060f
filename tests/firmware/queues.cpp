// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: full rings, overflow, thieves, stalled cores, and indices that wrap.
#include "harness.hpp"

namespace firmware {
namespace {

template <uint32_t ring_size>
using OnePool = weft::Pool<1, ring_size>;

// How many tasks find no room when the owner of a ring pushes so many and runs none. What is newest may have a place of
// its own.
constexpr uint32_t overflows_of(uint32_t submits, uint32_t size) {
    const uint32_t pushes = submits - WEFT_NEWEST_FIRST;
    return pushes <= size ? 0 : pushes - size;
}

// Pushes from one task on the only core of a pool.
template <uint32_t ring_size>
void overflows(uint32_t pushes) {
    static Room<OnePool<ring_size>> one_room;
    OnePool<ring_size>& pool = one_room.build();
    forget_runs();
    Job push([&] { submit_counted(pool, pushes); });
    CHECK_EQ(pool.submit(push), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    CHECK_EQ(pool.total().overflows, overflows_of(pushes, ring_size));
    CHECK_EQ(pool.total().submitted, pushes);
    CHECK_EQ(counted_runs.load(acquire), 0);
    CHECK_EQ(pool.poll(pushes + 1).tasks, pushes);
    check_runs(pushes, 1);
    end(pool);
}

// ---- Z4_thief_takes_the_larger_half: core 1 is kept busy while core 0 fills its ring; what core 1 steals
// then waits for `open`, so that it steals once.

Atomic<uint32_t> open;

struct Held : Task {
    constexpr Held() : Task(&Held::run) {}
    static void run(Task&) {
        await([] { return open.load(acquire) != 0; }, "a stolen task to be let go");
        counted_runs.fetch_add(1, release);
    }
};
Held held[ring];

// How often the larger half of what is there must be taken until nothing is left.
uint32_t halves_of(uint32_t count) {
    uint32_t halves = 0;
    for (; count != 0; count /= 2) ++halves;
    return halves;
}

void steal_from_ring_of(Scheduler& pool, uint32_t count) {
    static Blocker thief;
    open.store(0, relaxed);
    counted_runs.store(0, relaxed);
    CHECK_EQ(pool.submit_on(1, thief), Status::ok);
    thief.await_entered();
    for (uint32_t i = 0; i < count; ++i) CHECK_EQ(pool.submit(held[i]), Status::ok);
    const uint32_t before = pool.stats(1).stolen;
    thief.let_go();
    await([&] { return pool.stats(1).stolen != before; }, "a thief");
    open.store(1, release);
    await([=] { return counted_runs.load(acquire) == count; }, "the other core to take everything");
    const uint32_t steals = halves_of(count - WEFT_NEWEST_FIRST) + WEFT_NEWEST_FIRST;
    // With these the thief takes single ones in its turns as well, although it has some: core 0 begins no task.
    constexpr uint32_t turns = WEFT_ELASTIC || WEFT_BLOCKING ? ring / WEFT_FAIR_INTERVAL + 1 : 0;
    const uint32_t stolen = pool.stats(1).stolen - before;
    CHECK(steals <= stolen && stolen <= steals + turns);
}

void Z4_full_ring_overflows() {
    constexpr uint32_t of_two[] = {1, 2, 3, 4, 5, 100};
    for (const uint32_t pushes : of_two) overflows<2>(pushes);
    constexpr uint32_t of_four[] = {3, 4, 5, 7, 8, 100};
    for (const uint32_t pushes : of_four) overflows<4>(pushes);
    constexpr uint32_t of_many[] = {ring - 1,  ring, ring + 1, ring + ring / 2, ring + ring / 2 + 2,
                                    most_tasks};
    for (const uint32_t pushes : of_many) overflows<ring>(pushes);
}

// Each time that it runs, a task submits more than the ring holds, and itself behind them.
struct Parent : weft::TaskOf<Parent> {
    explicit Parent(Scheduler& of) : pool(of) {}
    void run() {
        if (is_over) return;
        for (Child& child : children) {
            if (child.is_queued) continue;
            child.is_queued = true;
            CHECK_EQ(pool.submit(child), Status::ok);
        }
        CHECK_EQ(pool.submit(*this), Status::ok);
    }

    struct Child : weft::TaskOf<Child> {
        bool is_queued = false;
        void run() { is_queued = false; }
    };
    Scheduler& pool;
    Child children[6];
    bool is_over = false;
};

// Never did the task come to its turn that such a one was submitted with: when it was among the next in the ring, it
// went to the overflow again.
void V3_full_ring_starves_nobody() {
    static Room<OnePool<4>> one_room;
    OnePool<4>& pool = one_room.build();
    Parent parent(pool);
    bool has_run = false;
    Job other([&] { has_run = true; });
    Job both([&] {
        CHECK_EQ(pool.submit(parent), Status::ok);
        CHECK_EQ(pool.submit(other), Status::ok);
    });
    CHECK_EQ(pool.submit(both), Status::ok);
    constexpr uint32_t many = 100 * WEFT_FAIR_INTERVAL;
    CHECK_EQ(pool.poll(many).tasks, many);
    CHECK(has_run);
    parent.is_over = true;
    pool.poll(many);
    end(pool);
}

// A task goes on submitting and never ends, so what overflows of its ring never runs dry: what is in the ring is stolen
// all the same.
Atomic<uint32_t> producer_ends;
struct Product : weft::TaskOf<Product> {
    void run() { is_queued.store(0, release); }
    Atomic<uint32_t> is_queued{};
};
Product products[4];

void V3_overflow_hides_no_ring() {
    if (present() == 1) return tap::skip("not on this board: one core is present");
    static Pool* pool;
    pool = &new_pool();
    forget_runs();
    producer_ends.store(0, relaxed);
    uint32_t core = 1;
    while (!is_present(core)) ++core;
    static Blocker others[cores];
    for (uint32_t each = 1; each != cores; ++each) {
        if (each == core || !is_present(each)) continue;
        CHECK_EQ(pool->submit_on(each, others[each]), Status::ok);
        others[each].await_entered();
    }
    static Job producer([] {
        submit_counted(*pool, ring);
        while (producer_ends.load(acquire) == 0) {
            for (Product& product : products) {
                if (product.is_queued.load(acquire) != 0) continue;
                product.is_queued.store(1, relaxed);
                CHECK_EQ(pool->submit(product), Status::ok);
            }
            Port::relax();
        }
        producer_ends.store(2, release);
    });
    CHECK_EQ(pool->submit_on(core, producer), Status::ok);
    await([] { return products[3].is_queued.load(acquire) != 0; }, "the producer");
    for (uint32_t polls = 0; polls != 100 * ring && counted_runs.load(acquire) != ring; ++polls) {
        pool->poll(1);
        // There is always something in the overflow.
        await([] { return products[0].is_queued.load(acquire) + products[1].is_queued.load(acquire) != 0; },
              "the producer");
    }
    CHECK_EQ(counted_runs.load(acquire), ring);
    producer_ends.store(1, release);
    await([] { return producer_ends.load(acquire) == 2; }, "the producer to end");
    for (Blocker& each : others) {
        if (each.entered.load(acquire) != 0) each.let_go();
    }
    end(*pool);
    check_runs(ring, 1);
}

void Z4_overflow_while_others_block() {
    Pool& pool = new_pool();
    forget_runs();
    start_workers(pool);
    OthersHeld others(pool);
    Job push([&] { submit_counted(pool, most_tasks); });
    CHECK_EQ(pool.submit_on(0, push), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    CHECK_EQ(pool.stats(0).overflows, overflows_of(most_tasks, ring));
    CHECK_EQ(counted_runs.load(acquire), 0);
    others.let_go();
    work_until(
        pool, [] { return counted_runs.load(acquire) == most_tasks; }, "what overflowed");
    end(pool);
    check_runs(most_tasks, 1);
}

void Z4_thief_takes_the_larger_half() {
    if (cores < 2 || !is_present(1)) return tap::skip("not on this board: a second core");
    static Room < weft::Pool<cores<2 ? 1 : 2, ring>> two_room;
    muster();
    Scheduler& pool = two_room.build();
    Job steal([&] {
        for (uint32_t count = 1; count <= ring; ++count) steal_from_ring_of(pool, count);
    });
    CHECK_EQ(pool.submit_on(0, steal), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    end(pool);
}

void Z4_poll_leaves_work_for_thieves() {
    if (present() < 2) return tap::skip("not on this board: a second core");
    Pool& pool = new_pool();
    forget_runs();
    start_workers(pool);
    OthersHeld others(pool);
    submit_counted_batch(pool, ring);
    CHECK_EQ(pool.poll(1).tasks, 1);  // the others are in the ring of core 0 now, which does not come back
    others.let_go();
    await([] { return counted_runs.load(acquire) == ring; }, "what poll() left in its ring");
    end(pool);
    check_runs(ring, 1);
}

// Cores are held up at any instruction, with the consumer's side of a queue in their hands or not.
void Z8_stalled_core_blocks_no_other() {
    Pool& pool = new_pool();
    start_workers(pool);
    switch_timers(pool, 500, stall_in_interrupt);
    for (uint32_t round = 0; round < rounds(20); ++round) {
        forget_runs();
        submit_counted_batch(pool, most_tasks);
        await(
            [&] {
                static_cast<void>(pool.poll(3));
                return counted_runs.load(acquire) == most_tasks;
            },
            "all tasks, though cores stall");
        check_runs(most_tasks, 1);
    }
    switch_timers(pool, 0, nullptr);
    end(pool);
}

// Rings start at WEFT_INDEX_START, in checked builds two before the wrap.
void E9_ring_indices_wrap() {
    static Room<OnePool<ring>> one_room;
    Scheduler& pool = one_room.build();
    static uint32_t order[ring - 1];
    static uint32_t ran;
    struct Numbered : Task {
        constexpr Numbered() : Task(&Numbered::run) {}
        static void run(Task& self) { order[ran++] = static_cast<Numbered&>(self).number; }
        uint32_t number = 0;
    };
    static Numbered numbered[ring - 1];
    for (uint32_t count = 1; count < ring; ++count) {
        ran = 0;
        Job push([&] {
            for (uint32_t i = 0; i < count; ++i) {
                numbered[i].number = i;
                CHECK_EQ(pool.submit(numbered[i]), Status::ok);
            }
        });
        CHECK_EQ(pool.submit(push), Status::ok);
        CHECK_EQ(pool.poll(2 * ring).tasks, count + 1);
        CHECK_EQ(ran, count);
        // The newest may come first; it was the last one.
        for (uint32_t i = 0; i < count; ++i) CHECK_EQ(order[i], (i + count - WEFT_NEWEST_FIRST) % count);
    }
    CHECK_EQ(pool.total().overflows, 0);
    end(pool);
}

constexpr tap::Test tests[] = {
    TEST(Z4_full_ring_overflows),          TEST(Z4_overflow_while_others_block),
    TEST(V3_full_ring_starves_nobody),     TEST(V3_overflow_hides_no_ring),
    TEST(Z4_thief_takes_the_larger_half),  TEST(Z4_poll_leaves_work_for_thieves),
    TEST(Z8_stalled_core_blocks_no_other), TEST(E9_ring_indices_wrap),
};

}  // namespace

extern const tap::Tests queues_tests{tests};

}  // namespace firmware
