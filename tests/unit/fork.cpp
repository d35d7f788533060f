// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of fork-join: threads that are no core of the pool, ranges of every length, and how loops split
// them. (The deque: deque.cpp. The firmware tests show the rest.)
#include <unistd.h>

#include <thread>

#include "open_pool.hpp"

namespace unit {
namespace {

using weft::fork_join;
using weft::Port;
using weft::Scheduler;

// ---- V10: a thread that is no core of any pool

void V10_foreign_thread_forks() {
    Pool<1> one;   // its core is this thread
    Pool<3> many;  // its cores are started
    std::thread foreign([&] {
        const uint32_t own = Port::core_id();
        uint32_t core = UINT32_MAX;
        const auto fork_in = [&](Scheduler& pool) {
            fork_join(
                pool, [&] { core = Port::core_id(); }, [] {});
            return core;
        };
        fork_in(one);  // by whom depends on whether this thread's run() has begun
        CHECK(core == own || core == 0);
        // A core that is counted in need not be at work yet.
        Atomic<uint32_t> at_work{0};
        Job works([&] { at_work.store(1, release); });
        CHECK_EQ(one.submit(works), Status::ok);
        tap::wait_for([&] { return at_work.load(acquire) != 0; }, "run()");
        CHECK_EQ(fork_in(one), 0);
        for (uint32_t round = 0; round < 200; ++round) {
            const uint32_t sum = weft::parallel_reduce(
                many, 0u, round, 1, 0u, [](uint32_t i) { return i; },
                [](uint32_t a, uint32_t b) { return a + b; });
            CHECK_EQ(sum, round * (round - 1) / 2);
        }
        CHECK(fork_in(many) < many.cores());
        many.shutdown();
        CHECK_EQ(many.join(), Status::ok);
        CHECK_EQ(fork_in(many), own);  // closed
        one.shutdown();
    });
    CHECK_EQ(one.run(), Status::ok);
    foreign.join();
    CHECK_EQ(one.join(), Status::ok);
}

// A thread that sleeps until a worker has done its work, when the pool is abandoned: it does it itself.
void V10_abandoned_pool_forks_nothing() {
    Pool<1> abandoned;
    Atomic<uint32_t> begun{};
    uint32_t runs = 0;
    std::thread foreign([&] {
        tap::wait_for([&] { return abandoned.live_cores() != 0; }, "run()");
        begun.store(1, release);
        fork_join(
            abandoned, [&] { ++runs; }, [&] { runs += 10; });
        CHECK_EQ(runs, 11);
    });
    Job busy([&] {
        tap::wait_for([&] { return begun.load(acquire) != 0; }, "a foreign thread");
        usleep(20000);  // most likely it sleeps now; if it comes too late, it need not
        abandoned.shutdown(weft::Shutdown::abandon);
    });
    CHECK_EQ(abandoned.submit(busy), Status::ok);
    CHECK_EQ(abandoned.run(), Status::ok);
    Batch left;
    CHECK_EQ(abandoned.join(left), Status::ok);
    CHECK(left.empty());
    foreign.join();
}

// ---- B7: ranges whose length only an unsigned number can say

// Compilers see through the inner loop, so it does not matter how long it is.
template <class Index>
uint64_t count_all(Index first, Index last, weft::detail::Count<Index> grain) {
    return weft::parallel_reduce(
        first, last, grain, uint64_t(0), [](Index) { return uint64_t(1); },
        [](uint64_t a, uint64_t b) { return a + b; });
}

template <class Index>
void check_distances(Index least, Index most) {
    using weft::detail::advance;
    using weft::detail::distance;
    const uint64_t all = static_cast<uint64_t>(most) - static_cast<uint64_t>(least);
    CHECK(distance(least, most) == all);
    CHECK(distance(most, least) == 0);
    CHECK(distance(most, most) == 0);
    CHECK(distance(least, static_cast<Index>(least + 1)) == 1);
    const auto count = distance(least, most);
    CHECK(advance(least, count) == most);
    CHECK(advance(advance(least, count / 2), count - count / 2) == most);
    CHECK(distance(least, advance(least, count / 2)) == count / 2);
}

void B7_ranges_of_every_length() {
    check_distances<int8_t>(INT8_MIN, INT8_MAX);
    check_distances<uint8_t>(0, UINT8_MAX);
    check_distances<int16_t>(INT16_MIN, INT16_MAX);
    check_distances<uint16_t>(0, UINT16_MAX);
    check_distances<int32_t>(INT32_MIN, INT32_MAX);
    check_distances<uint32_t>(0, UINT32_MAX);
    check_distances<int64_t>(INT64_MIN, INT64_MAX);
    check_distances<uint64_t>(0, UINT64_MAX);

    Pool<2> pool;
    fork_join(
        pool,
        [] {
            CHECK(count_all<uint64_t>(UINT64_MAX - 3, UINT64_MAX, 0) == 3);
            CHECK(count_all<uint64_t>(UINT64_MAX, 0, UINT64_MAX) == 0);
#if !defined(__SANITIZE_ADDRESS__)  // every step of the inner loop is watched then
            CHECK(count_all<uint32_t>(0, UINT32_MAX, 1u << 28) == UINT32_MAX);
            CHECK(count_all<uint64_t>(0, UINT64_MAX, uint64_t(1) << 60) == UINT64_MAX);
            CHECK(count_all<int32_t>(INT32_MIN, INT32_MAX, 1u << 28) == UINT32_MAX);
            CHECK(count_all<int64_t>(INT64_MIN, INT64_MAX, uint64_t(1) << 60) == UINT64_MAX);
#endif
        },
        [] {});
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

// ---- B7: how a loop splits its range

// How many indices are run in one go: until the range is split there. Another core takes each child as soon as it is on
// offer, and runs it at once: somebody wants more all the time.
class Goes {
public:
    explicit Goes(OpenPool& open) : open_(open) {}

    void run(uint32_t) {
        const bool split = ForkDeque::current()->offers(0);
        if (split || first_) {
            at_[core_] = sizes.size();
            sizes.push_back(0);
        }
        first_ = false;
        ++sizes[at_[core_]];
        if (!split) return;
        first_ = true;
        CHECK(core_ != victims);
        ++core_;
        CHECK(open_.steal(core_ - 1, core_));
        --core_;
        first_ = false;
    }

    std::vector<uint32_t> sizes;

private:
    OpenPool& open_;
    uint32_t core_ = 0;
    bool first_ = true;            // of a child
    size_t at_[victims + 1] = {};  // which go each core is at
};

std::vector<uint32_t> goes_of(uint32_t count, uint32_t grain, bool reduces) {
    OpenPool open;
    Goes goes(open);
    open.as(0, [&] {
        if (reduces) {
            const uint32_t sum = weft::parallel_reduce(
                0u, count, grain, 0u,
                [&](uint32_t index) {
                    goes.run(index);
                    return 1u;
                },
                [](uint32_t a, uint32_t b) { return a + b; });
            CHECK_EQ(sum, count);
        } else {
            weft::parallel_for(0u, count, grain, [&](uint32_t index) { goes.run(index); });
        }
    });
    return goes.sizes;
}

// Only what is longer than the grain is split, into halves. Somebody who wants more gets it after `grain` indices; the
// last so many of a child are its own.
void B7_loops_split_down_to_the_grain() {
    for (const bool reduces : {false, true}) {
        for (const uint32_t grain : {1u, 2u, 3u, 7u, 8u, 1000u}) {
            for (const uint32_t count : {1u, 2u, 3u, 5u, 8u, 15u, 16u, 17u, 64u, 127u, 128u, 1001u, 2500u}) {
                if (count > 128 * grain) continue;  // more levels than there are cores
                uint32_t sum = 0;
                for (const uint32_t size : goes_of(count, grain, reduces)) {
                    CHECK(size >= (grain + 1) / 2 || size == count);
                    CHECK(size <= 2 * grain);
                    sum += size;
                }
                CHECK_EQ(sum, count);
            }
        }
        CHECK(goes_of(1000, 1000, reduces) == std::vector<uint32_t>{1000});
        CHECK(goes_of(1001, 1000, reduces) == (std::vector<uint32_t>{500, 501}));
    }
}

void B7_grain_0_is_1() {
    for (const bool reduces : {false, true}) {
        const std::vector<uint32_t> goes = goes_of(100, 1, reduces);
        CHECK(goes_of(100, 0, reduces) == goes);
        for (const uint32_t size : goes) CHECK(size <= 2);
    }
}

constexpr tap::Test tests[] = {
    TEST(B7_ranges_of_every_length), TEST(B7_loops_split_down_to_the_grain), TEST(B7_grain_0_is_1),
    TEST(V10_foreign_thread_forks),  TEST(V10_abandoned_pool_forks_nothing),
};

}  // namespace

extern const tap::Tests fork_tests{tests};

}  // namespace unit
