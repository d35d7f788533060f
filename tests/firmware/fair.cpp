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

// Once in WEFT_FAIR_INTERVAL tasks one of three queues is looked at first: pinned, overflow, injector.
constexpr uint32_t bound = 3 * WEFT_FAIR_INTERVAL;

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

constexpr tap::Test tests[] = {
    TEST(V3_busy_ring_starves_nobody),
    TEST(V3_busy_pinned_queue_does_not_starve_the_ring),
    TEST(V3_busy_overflow_starves_nobody),
    TEST(V3_busy_pinned_queue_starves_nobody),
};

}  // namespace

extern const tap::Tests fair_tests{tests};

}  // namespace firmware
