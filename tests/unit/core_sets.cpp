// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of sets of cores: what is refused, and who may take what.
#include <weft/config.hpp>

#if WEFT_CORE_SETS

#include "harness.hpp"
#include "weft_host_faults.hpp"

namespace unit {
namespace {

using weft::CoreSet;

static_assert(CoreSet().empty() && CoreSet::of(1, 3).mask() == 10 && CoreSet::of(1, 3).contains(3), "");
static_assert((CoreSet::of(1, 3) & CoreSet::of(3, 4)) == CoreSet::of(3), "");
static_assert((CoreSet::of(1) | CoreSet::of(2)) == CoreSet::from_mask(6), "");
static_assert(CoreSet::of(1) != CoreSet::of(2) && !CoreSet::of(40).empty(), "");
static_assert(!CoreSet::of(1).contains(0) && !CoreSet::of(1).contains(33), "");

// Cores 1 and up do not exist.
struct Alone {
    Alone() {
        for (uint32_t core = 1; core != 4; ++core) weft::host::hide_core(core);
    }
    ~Alone() {
        pool.shutdown();
        CHECK_EQ(pool.join(), Status::ok);
        weft::host::clear_faults();
    }
    Pool<4> pool;
    Count task;
};

void N6_what_is_no_set_is_refused() {
    Alone alone;
    Pool<4>& pool = alone.pool;
    CHECK_EQ(pool.submit_on(CoreSet(), alone.task), Status::out_of_range);
    CHECK_EQ(pool.submit_on_from_isr(CoreSet(), alone.task), Status::out_of_range);
    for (const uint32_t core : {4u, 24u, 31u, 32u, 1000u}) {
        CHECK_EQ(pool.submit_on(CoreSet::of(0, core), alone.task), Status::unknown_core);
        CHECK_EQ(pool.submit_on_from_isr(CoreSet::of(core), alone.task), Status::unknown_core);
    }
    Batch batch;
    CHECK_EQ(pool.submit_on(CoreSet::of(0, 1), batch), Status::ok);
    CHECK_EQ(batch.push(alone.task), Status::ok);
    CHECK_EQ(pool.submit_on(CoreSet::of(0, 9), batch), Status::unknown_core);
    CHECK_EQ(batch.size(), 1);
    // It was the caller's all the time.
    CHECK_EQ(pool.submit_on(CoreSet::of(0, 1), batch), Status::ok);
    CHECK(batch.empty());
    CHECK_EQ(pool.poll(9).tasks, 1);
    CHECK_EQ(alone.task.runs, 1);
}

// A number of more than 32 bits is not cut down to one that a pool has, nor is a negative one.
void N6_a_number_that_no_pool_has_is_no_core() {
    constexpr uint64_t turn = uint64_t{1} << 32;
    constexpr CoreSet none = CoreSet::of(31);
    CHECK(CoreSet::of(turn) == none && CoreSet::of(turn + 1) == none && CoreSet::of(~uint64_t{0}) == none);
    CHECK(CoreSet::of(-1) == none && CoreSet::of(int8_t{-1}) == none && CoreSet::of(int64_t{-1}) == none);
    CHECK(CoreSet::of(-static_cast<int64_t>(turn)) == none &&
          CoreSet::of(static_cast<int64_t>(turn)) == none);
    CHECK(CoreSet::of(uint8_t{1}, 2u, int64_t{3}, uint64_t{4}) == CoreSet::from_mask(0x1e));
    Alone alone;
    CHECK_EQ(alone.pool.submit_on(CoreSet::of(turn), alone.task), Status::unknown_core);
    CHECK_EQ(alone.pool.submit_on_from_isr(CoreSet::of(0, turn + 1), alone.task), Status::unknown_core);
    CHECK_EQ(alone.pool.poll(9).tasks, 0);
}

// Cores that cannot come are answered; the task is the caller's.
void N6_nobody_can_come() {
    Alone alone;
    Pool<4>& pool = alone.pool;
    CHECK_EQ(pool.submit_on(CoreSet::of(1, 3), alone.task), Status::core_unavailable);
    CHECK_EQ(pool.submit_on(CoreSet::of(2), alone.task), Status::core_unavailable);
    CHECK_EQ(pool.submit_on_from_isr(CoreSet::of(1, 3), alone.task), Status::core_unavailable);
    CHECK_EQ(pool.start_failures(), 3);
    CHECK_EQ(pool.submit_on(CoreSet::of(1, 0), alone.task), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 1);
    pool.shutdown();
    CHECK_EQ(pool.submit_on(CoreSet::of(0, 1), alone.task), Status::closed);
    CHECK_EQ(pool.submit_on_from_isr(CoreSet::of(0, 1), alone.task), Status::closed);
    CHECK_EQ(alone.task.runs, 1);
}

// So many different sets have a place. One core and all cores need none.
void N6_one_set_too_many() {
    static_assert(WEFT_CORE_SETS <= 3, "more sets than are listed here");
    Alone alone;
    Pool<4>& pool = alone.pool;
    const CoreSet sets[] = {CoreSet::of(0, 1), CoreSet::of(0, 2), CoreSet::of(0, 3), CoreSet::of(0, 1, 2)};
    for (uint32_t round = 0; round != 2; ++round) {
        for (uint32_t i = 0; i != WEFT_CORE_SETS; ++i) {
            CHECK_EQ(pool.submit_on(sets[i], alone.task), Status::ok);
            CHECK_EQ(pool.poll(9).tasks, 1);
        }
        CHECK_EQ(pool.submit_on(sets[WEFT_CORE_SETS], alone.task), Status::out_of_range);
        for (const CoreSet set : {CoreSet::of(0), CoreSet::of(0, 1, 2, 3)}) {
            CHECK_EQ(pool.submit_on(set, alone.task), Status::ok);
            CHECK_EQ(pool.poll(9).tasks, 1);
        }
    }
    CHECK_EQ(alone.task.runs, 2 * (WEFT_CORE_SETS + 2));
}

#if WEFT_CHECKS
void N6_misuse_is_refused() {
    Alone alone;
    CHECK_EQ(alone.pool.submit_on(CoreSet::of(0, 1), alone.task), Status::ok);
    CHECK_EQ(alone.pool.submit_on(CoreSet::of(0, 1), alone.task), Status::already_queued);
    CHECK_EQ(alone.pool.submit_on_from_isr(CoreSet::of(0, 1), alone.task), Status::already_queued);
    Task empty(nullptr);
    CHECK_EQ(alone.pool.submit_on(CoreSet::of(0, 1), empty), Status::null_run);
    CHECK_EQ(alone.pool.poll(9).tasks, 1);
}
#endif

// A queue of a set that never runs dry hides none of the others: they have their turns.
void N6_sets_take_turns() {
    Alone alone;
    Pool<4>& pool = alone.pool;
    uint32_t others = 0;
    struct Endless : weft::TaskOf<Endless> {
        explicit Endless(Pool<4>& its_pool) : pool(its_pool) {}
        void run() {
            if (!stop) CHECK_EQ(pool.submit_on(CoreSet::of(0, 1), *this), Status::ok);
        }
        Pool<4>& pool;
        bool stop = false;
    } endless(pool);
    Job injected([&] { ++others; });
    Job pinned([&] { ++others; });
    Job of_another_set([&] { ++others; });
    CHECK_EQ(pool.submit_on(CoreSet::of(0, 1), endless), Status::ok);
    CHECK_EQ(pool.poll(5).tasks, 5);
    CHECK_EQ(pool.submit_from_isr(injected), Status::ok);
    CHECK_EQ(pool.submit_on(0, pinned), Status::ok);
    uint32_t expected = 2;
    if (WEFT_CORE_SETS > 1) {
        CHECK_EQ(pool.submit_on(CoreSet::of(0, 2), of_another_set), Status::ok);
        ++expected;
    }
    CHECK_EQ(pool.poll(12).tasks, 12);
    CHECK_EQ(others, expected);
    endless.stop = true;
    CHECK_EQ(pool.poll(9).tasks, 1);
}

// What no core of the set has run is handed back; the joiner runs what it may.
void N6_join_gives_back() {
    for (const bool drain : {true, false}) {
        Pool<4> pool;
        Count own, other;
        weft::host::hold_starts(1);
        weft::host::hide_core(2);
        weft::host::hide_core(3);
        CHECK_EQ(pool.submit_on(CoreSet::of(1, 2), other), Status::ok);
        CHECK_EQ(pool.submit_on(CoreSet::of(0, 2), own),
                 WEFT_CORE_SETS > 1 ? Status::ok : Status::out_of_range);
        pool.shutdown(drain ? weft::Shutdown::drain : weft::Shutdown::abandon);
        Batch left_over;
        CHECK_EQ(pool.join(left_over), Status::ok);
        const uint32_t run_here = WEFT_CORE_SETS > 1 && drain ? 1 : 0;
        CHECK_EQ(own.runs, run_here);
        CHECK_EQ(other.runs, 0);
        CHECK_EQ(left_over.size(), 1 + (WEFT_CORE_SETS > 1 && !drain ? 1 : 0));
        while (left_over.pop() != nullptr) {
        }
        weft::host::release_starts(1);
        weft::host::clear_faults();
    }
}

const tap::Test tests[] = {
    TEST(N6_what_is_no_set_is_refused), TEST(N6_a_number_that_no_pool_has_is_no_core),
    TEST(N6_nobody_can_come),           TEST(N6_one_set_too_many),
#if WEFT_CHECKS
    TEST(N6_misuse_is_refused),
#endif
    TEST(N6_sets_take_turns),           TEST(N6_join_gives_back),
};

}  // namespace

extern const tap::Tests core_sets_tests{tests};

}  // namespace unit

#endif  // WEFT_CORE_SETS
