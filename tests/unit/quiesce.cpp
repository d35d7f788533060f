// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of cores that stand still: answers, and what the owner may do meanwhile.
#include "harness.hpp"

#if WEFT_QUIESCE

namespace unit {
namespace {

constexpr uint32_t long_time = 10000000;  // ticks

// Nobody works for the pool: nobody is waited for.
void E3_nobody_to_stand() {
    Pool<2> pool;
    CHECK_EQ(pool.quiesce(0), Status::ok);
    CHECK_EQ(pool.resume(), Status::ok);
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

void E3_answers() {
    Pool<2> pool;
    CHECK_EQ(pool.resume(), Status::wrong_context);
    CHECK_EQ(pool.quiesce(1u << 31), Status::out_of_range);
    CHECK_EQ(pool.resume(), Status::wrong_context);
    CHECK_EQ(pool.quiesce(long_time), Status::ok);
    CHECK_EQ(pool.quiesce(long_time), Status::wrong_context);
    CHECK_EQ(pool.run(), Status::wrong_context);
    CHECK_EQ(pool.poll(1).status, Status::wrong_context);
    CHECK_EQ(pool.join(), Status::wrong_context);
    CHECK_EQ(pool.resume(), Status::ok);
    CHECK_EQ(pool.resume(), Status::wrong_context);
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

// No core is started meanwhile; resume() starts it.
void E3_no_start_meanwhile() {
    Pool<2> pool;
    uint32_t runs = 0;
    Job any([&] { ++runs; });
    Job pinned([] {});
    CHECK_EQ(pool.quiesce(long_time), Status::ok);
    CHECK_EQ(pool.submit(any), Status::ok);
    CHECK_EQ(pool.submit_on(1, pinned), Status::core_unavailable);
    CHECK_EQ(pool.live_cores(), 0);
    CHECK_EQ(pool.resume(), Status::ok);
    CHECK_EQ(pool.live_cores(), 1);
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
    CHECK_EQ(runs, 1);
}

constexpr tap::Test tests[] = {
    TEST(E3_nobody_to_stand),
    TEST(E3_answers),
    TEST(E3_no_start_meanwhile),
};

}  // namespace

extern const tap::Tests quiesce_tests{tests};

}  // namespace unit

#endif  // WEFT_QUIESCE
