// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: tasks that submit themselves again and again do not keep others from running. With one core
// the bounds are exact.
#include "harness.hpp"

namespace firmware {
namespace {

using OnePool = weft::Pool<1, ring>;
Room<OnePool> one_room;

OnePool* pool;
Atomic<uint32_t> steps;  // tasks of the busy kind that ran; on core 0, whose interrupt reads it
bool stop;               // they do not submit themselves any more

// Steps after which a wait is in vain: they are not the last ones because others would be slow, but for ever.
constexpr uint32_t never = 1000000;

// So often at least a turn of the shared queues comes, in tasks.
constexpr uint32_t interval = WEFT_FAIR_MOST != 0 ? WEFT_FAIR_MOST : WEFT_FAIR_INTERVAL;

// Each time one of three queues is looked at first: pinned, overflow, injector.
constexpr uint32_t bound = 3 * interval;

struct Late : Task {
    constexpr Late() : Task(&Late::run) {}
    static void run(Task& self) {
        Late& late = static_cast<Late&>(self);
        late.ran_at = steps.load(relaxed);
        late.ran = true;
    }
    bool submitted = false;
    bool ran = false;
    uint32_t submitted_at = 0;
    uint32_t ran_at = 0;
};
Late pinned;
Late injected;

void submit_from_interrupt() {
    board::stop_timer();
    injected.submitted_at = steps.load(relaxed);
    CHECK_EQ(pool->submit_from_isr(injected), Status::ok);
}

void step() {
    const uint32_t now = steps.fetch_add(1, relaxed) + 1;
    if (now == 100) {
        pinned.submitted_at = now;
        CHECK_EQ(pool->submit_on(0, pinned), Status::ok);
    }
    if (pinned.ran && !injected.submitted) {
        injected.submitted = true;
        injected.submitted_at = now;
        board::start_timer(1000, submit_from_interrupt);
    }
    if (injected.ran || now - injected.submitted_at > never) stop = true;
}

struct Busy : Task {
    constexpr Busy() : Task(&Busy::run) {}
    static void run(Task& self) {
        step();
        if (!stop) CHECK_EQ(pool->submit(self), Status::ok);
    }
};
struct BusyPinned : Task {
    constexpr BusyPinned() : Task(&BusyPinned::run) {}
    static void run(Task& self) {
        step();
        if (!stop) CHECK_EQ(pool->submit_on(0, self), Status::ok);
    }
};
Busy busy[3 * ring];
BusyPinned busy_pinned;

void run_beside(uint32_t busy_tasks, bool with_pinned) {
    pool = &one_room.build();
    steps.store(0, relaxed);
    stop = false;
    pinned.ran = injected.ran = injected.submitted = false;
    injected.submitted_at = 0;
    // From a task, so that they fill ring and overflow; what waits in the injector would have to run first.
    Job start([=] {
        for (uint32_t i = 0; i < busy_tasks; ++i) CHECK_EQ(pool->submit(busy[i]), Status::ok);
    });
    CHECK_EQ(pool->submit(start), Status::ok);
    if (with_pinned) CHECK_EQ(pool->submit_on(0, busy_pinned), Status::ok);
    while (pool->poll(1).tasks != 0) {
    }
    CHECK(pinned.ran);
    CHECK(pinned.ran_at - pinned.submitted_at <= bound);
    CHECK(injected.ran);
    CHECK(injected.ran_at - injected.submitted_at <= bound);
    board::stop_timer();
    end(*pool);
}

void V3_busy_ring_starves_nobody() { run_beside(1, false); }

// The other way round: the shared queues do not starve the ring.
void V3_busy_pinned_queue_does_not_starve_the_ring() {
    pool = &one_room.build();
    steps.store(0, relaxed);
    stop = false;
    injected.ran = false;
    injected.submitted = pinned.submitted = true;
    injected.submitted_at = 0;
    Job start([] { CHECK_EQ(pool->submit(injected), Status::ok); });
    CHECK_EQ(pool->submit(start), Status::ok);
    CHECK_EQ(pool->submit_on(0, busy_pinned), Status::ok);
    while (pool->poll(1).tasks != 0) {
    }
    CHECK(injected.ran_at <= bound);
    end(*pool);
}

// More tasks than the ring has room for: it is full all the time, and so is the overflow.
void V3_busy_overflow_starves_nobody() { run_beside(3 * ring, false); }

void V3_busy_pinned_queue_starves_nobody() {
    run_beside(0, true);
    run_beside(1, true);
}

// A task that submits itself again until `step` returns false: a ring that never runs dry.
template <class Step>
struct Again : Task {
    explicit Again(Step one) : Task(&Again::run), step(one) {}
    static void run(Task& self) {
        Again& again = static_cast<Again&>(self);
        if (again.step()) CHECK_EQ(pool->submit(self), Status::ok);
    }
    Step step;
};

#if WEFT_NEWEST_FIRST

// Each task submits the next one: that is the newest, and goes first. Those in the ring have their turn nevertheless.
void V2_three_in_a_row_of_the_newest() {
    constexpr uint32_t others = 4;
    static_assert(others <= ring, "they have room in the ring");
    pool = &one_room.build();
    uint32_t row = 0;
    uint32_t ran = 0;
    bool too_long = false;
    static Late waiting[others];
    Again chain([&] {
        uint32_t now = 0;
        for (Late& late : waiting) now += late.ran ? 1 : 0;
        row = now == ran ? row + 1 : 1;
        ran = now;
        too_long = too_long || (row > weft::detail::Newest::most_in_a_row && ran != others);
        return ran != others;
    });
    Job start([&] {
        for (Late& late : waiting) {
            late.ran = false;
            CHECK_EQ(pool->submit(late), Status::ok);
        }
        CHECK_EQ(pool->submit(chain), Status::ok);
    });
    CHECK_EQ(pool->submit(start), Status::ok);
    while (pool->poll(1).tasks != 0) {
    }
    CHECK(!too_long);
    CHECK_EQ(ran, others);
    end(*pool);
}

// It stands in front of the ring of a core that does not come back: another one takes it.
void V2_newest_behind_a_long_task_starts_elsewhere() {
    if (present() < 2) return tap::skip("not on this board: a second core");
    for (uint32_t round = 0; round < rounds(200); ++round) {
        Pool& own = new_pool();
        start_workers(own);
        Atomic<uint32_t> began{};
        Job newest([&] { began.store(1, release); });
        Job long_one([&] {
            CHECK_EQ(own.submit(newest), Status::ok);
            await([&] { return began.load(acquire) != 0; }, "another core to take the newest task");
        });
        CHECK_EQ(own.submit(long_one), Status::ok);
        work_until(
            own, [&] { return began.load(acquire) != 0; }, "the newest task");
        end(own);
    }
}

#endif

// Runs `body` again and again on the pool, which has one core. After `before` times hand_in() sees to it that
// `injected` comes. Returns after how many more it began.
template <class Body, class HandIn>
uint32_t waits_beside(uint32_t before, Body body, HandIn hand_in) {
    const uint32_t most = before + 10 * interval;
    injected.ran = false;
    steps.store(0, relaxed);
    Again again([&] {
        body();
        const uint32_t now = steps.fetch_add(1, relaxed) + 1;
        if (now == before) hand_in();
        return !injected.ran && now < most;
    });
    CHECK_EQ(pool->submit(again), Status::ok);
    CHECK(pool->poll(most + 2).tasks > before);
    CHECK(injected.ran);
    return injected.ran_at - before;
}

#if WEFT_FAIR_MOST

template <class Body>
uint32_t waits_in_the_injector(uint32_t before, Body body) {
    pool = &one_room.build();
    const uint32_t waited =
        waits_beside(before, body, [] { CHECK_EQ(pool->submit_from_isr(injected), Status::ok); });
    end(*pool);
    return waited;
}

// Whatever the machine does meanwhile, it makes tasks longer only.
void V4_long_tasks_have_the_shortest_interval() {
    const auto long_task = [] { pass_time(WEFT_FAIR_MS); };
    CHECK(waits_in_the_injector(3 * WEFT_FAIR_INTERVAL / 2, long_task) <= WEFT_FAIR_INTERVAL);
}

// Where the machine does other things, too, short tasks may last long. But not for ever.
void V4_short_tasks_have_a_longer_interval() {
    tap::Stopwatch stopwatch;
    uint32_t longest = 0;
    while (longest <= WEFT_FAIR_INTERVAL) {
        // Where in its interval a task comes is not known: so at each place once in a while.
        for (uint32_t place = 0; place < interval; place += WEFT_FAIR_INTERVAL / 2) {
            const uint32_t waited = waits_in_the_injector(20 * interval + place, [] {});
            CHECK(waited <= interval);
            if (waited > longest) longest = waited;
        }
        if (stopwatch.elapsed_ms() > patience_ms)
            in_vain("an interval of more than WEFT_FAIR_INTERVAL tasks");
    }
}

#endif

#if WEFT_TIMERS
// In each turn timers that are due are served before the queues.
void V5_busy_ring_does_not_starve_timers() {
    pool = &one_room.build();
    weft::Timer timer(*pool, injected);
    const auto make_it_due = [&] {
        const uint32_t armed = Port::now();
        CHECK_EQ(timer.start_after(1), Status::ok);
        while (Port::now() - armed < 2) Port::relax();
    };
    CHECK(waits_beside(
              2 * interval, [] {}, make_it_due) <= 4 * interval);
    end(*pool);
}
#endif

constexpr tap::Test tests[] = {
    TEST(V3_busy_ring_starves_nobody),
    TEST(V3_busy_pinned_queue_does_not_starve_the_ring),
    TEST(V3_busy_overflow_starves_nobody),
    TEST(V3_busy_pinned_queue_starves_nobody),
#if WEFT_NEWEST_FIRST
    TEST(V2_three_in_a_row_of_the_newest),
    TEST(V2_newest_behind_a_long_task_starts_elsewhere),
#endif
#if WEFT_FAIR_MOST
    TEST(V4_long_tasks_have_the_shortest_interval),
    TEST(V4_short_tasks_have_a_longer_interval),
#endif
#if WEFT_TIMERS
    TEST(V5_busy_ring_does_not_starve_timers),
#endif
};

}  // namespace

extern const tap::Tests fair_tests{tests};

}  // namespace firmware
