// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: what fork_join, parallel_for, parallel_reduce and TaskGroup compute, compared with a serial loop;
// and from where they may be called.
#include "fork.hpp"

namespace firmware {
namespace {

using weft::Here;
using weft::parallel_for;
using weft::parallel_reduce;

// Of a longer range one window after the other is looked at, in a loop over all of it each time.
constexpr uint32_t window = board::ram_kib < 1024 ? 16384 : 65536;
uint8_t visits[window];  // plain: each is written by one core, and read behind the join

// A hash of a sequence. Putting two together is associative but does not commute, so any other order shows.
struct Hash {
    uint32_t value = 0;
    uint32_t factor = 1;

    friend Hash operator+(Hash left, Hash right) {
        return {left.value * right.factor + right.value, left.factor * right.factor};
    }
    friend bool operator==(Hash left, Hash right) {
        return left.value == right.value && left.factor == right.factor;
    }
};

template <class Index>
Hash hash_of(Index index) {
    return {static_cast<uint32_t>(index) * 2654435761u + 1, 31};
}

template <class Index>
uint32_t length(Index first, Index last) {
    return first < last ? static_cast<uint32_t>(static_cast<uint64_t>(last) - static_cast<uint64_t>(first))
                        : 0;
}

template <class Index>
bool for_is_serial(Index first, Index last, weft::detail::Count<Index> grain) {
    bool once = true;
    uint32_t from = 0;
    do {  // an empty range, too
        const uint32_t left = length(first, last) - from;
        const uint32_t count = left < window ? left : window;
        for (uint32_t i = 0; i < count; ++i) visits[i] = 0;
        parallel_for(first, last, grain, [=](Index index) {
            const uint32_t place = length(first, index) - from;
            if (place < count) ++visits[place];
        });
        for (uint32_t i = 0; i < count; ++i) once = once && visits[i] == 1;
        from += count;
    } while (from < length(first, last));
    return once;
}

template <class Index>
bool reduce_is_serial(Index first, Index last, weft::detail::Count<Index> grain) {
    Hash serial;
    Index index = first;
    for (uint32_t left = length(first, last); left != 0; --left, ++index) serial = serial + hash_of(index);
    const Hash parallel = parallel_reduce(first, last, grain, Hash(), hash_of<Index>,
                                          [](Hash left, Hash right) { return left + right; });
    return parallel == serial;
}

template <class Index>
void compare(Index first, Index last) {
    using Count = weft::detail::Count<Index>;
    constexpr Count grains[] = {0, 1, 7, 1000, static_cast<Count>(-1)};
    for (const Count grain : grains) {
        if (grain < 7 && length(first, last) > 5000) continue;  // takes long, and shows nothing new
        CHECK(for_is_serial(first, last, grain));
        CHECK(reduce_is_serial(first, last, grain));
    }
}

template <class Index>
constexpr Index least = static_cast<Index>(-1) < 0 ? static_cast<Index>(1ull << (8 * sizeof(Index) - 1)) : 0;
template <class Index>
constexpr Index most = static_cast<Index>(~least<Index>);

template <class Index>
void compare_ranges() {
    const auto at = [](Index from, int by) { return static_cast<Index>(from + static_cast<Index>(by)); };
    compare<Index>(5, 5);                                 // empty
    compare<Index>(9, 2);                                 // reversed
    compare<Index>(most<Index>, least<Index>);            // and as far as can be
    compare<Index>(5, 6);                                 // one
    compare<Index>(3, 40);                                // odd
    compare<Index>(least<Index>, at(least<Index>, 101));  // at both ends of the type
    compare<Index>(at(most<Index>, -101), most<Index>);
    if (least<Index> != 0) compare<Index>(at(0, -60), at(0, 60));  // through zero
    if (sizeof(Index) <= 2) {
        compare<Index>(least<Index>, most<Index>);  // all of it
    } else {
        compare<Index>(at(least<Index>, 1000), at(least<Index>, 31000));
    }
}

void B7_loops_of_every_type() {
    in_task([](Scheduler&) {
        compare_ranges<int8_t>();
        compare_ranges<uint8_t>();
        compare_ranges<int16_t>();
        compare_ranges<uint16_t>();
        compare_ranges<int32_t>();
        compare_ranges<uint32_t>();
        compare_ranges<int64_t>();
        compare_ranges<uint64_t>();
    });
}

// All four in each other; how many leaves there are.
uint32_t nest(uint32_t level) {
    if (level == 0) return 1;
    uint32_t counts[4] = {};
    fork_join([&] { counts[0] = nest(level - 1); }, [&] { counts[1] = nest(level - 1); },
              [&] {
                  parallel_for(0, 2, 1, [&](int i) {
                      if (i == 1) counts[2] = nest(level - 1);
                  });
              },
              [&] {
                  Atomic<uint32_t> sum{};
                  GroupTask one([&] { sum.fetch_add(nest(level - 1), relaxed); });
                  GroupTask other([&] { sum.fetch_add(nest(level - 1), relaxed); });
                  TaskGroup group;
                  group.run(one);
                  group.run(other);
                  group.wait();
                  counts[3] = sum.load(relaxed);
              });
    return parallel_reduce(
        0, 4, 1, 0u, [&](int i) { return counts[i]; }, [](uint32_t a, uint32_t b) { return a + b; });
}

constexpr uint32_t nested_levels = 4;
constexpr uint32_t nested_leaves = 5 * 5 * 5 * 5;

uint32_t fibonacci(Here here, uint32_t n) {
    if (n < 2) return n;
    uint32_t a = 0;
    uint32_t b = 0;
    fork_join(
        here, [&](Here there) { a = fibonacci(there, n - 1); },
        [&](Here there) { b = fibonacci(there, n - 2); });
    return a + b;
}

// A Here in front of each form, of the calling worker or of nobody.
void check_forms(Here here, uint32_t count) {
    uint32_t calls = 0;
    fork_join(here, [&] { ++calls; });
    CHECK_EQ(calls, 1);
    for (uint8_t& visit : visits) visit = 0;
    parallel_for(here, 0u, count, 3, [](uint32_t i) { ++visits[i]; });
    for (uint32_t i = 0; i < count; ++i) CHECK_EQ(visits[i], 1);
    CHECK_EQ(parallel_reduce(
                 here, 0u, count, 3, 0u, [](uint32_t i) { return i; },
                 [](uint32_t a, uint32_t b) { return a + b; }),
             count * (count - 1) / 2);
    Atomic<uint32_t> sum{};
    GroupTask one([&] { sum.fetch_add(1, relaxed); });
    GroupTask other([&] { sum.fetch_add(10, relaxed); });
    TaskGroup group(here);
    group.run(one);
    group.run(other);
    group.wait();
    CHECK_EQ(sum.load(relaxed), 11);
}

void B7_with_a_here() {
    in_task([](Scheduler&) {
        for (uint32_t round = 0; round < rounds(20); ++round) check_forms(Here(), 100);
    });
    check_forms(Here(), 50);
    check_forms(Here::nobody(), 50);
}

void B7_nested() {
    in_task([](Scheduler&) {
        for (uint32_t round = 0; round < rounds(20); ++round) CHECK_EQ(nest(nested_levels), nested_leaves);
        CHECK_EQ(fibonacci(Here(), 15), 610);
    });
}

void B7_outside_of_pools_runs_serially() {
    const uint32_t core = Port::core_id();
    CHECK_EQ(nest(2), 5 * 5);
    CHECK_EQ(fibonacci(Here(), 10), 55);
    uint32_t order = 0;
    fork_join([&] { order = order * 10 + 1; }, [&] { order = order * 10 + 2; },
              [&] { order = order * 10 + 3; });
    CHECK_EQ(order, 123);
    TaskGroup group;
    GroupTask now([&] { order = Port::core_id(); });
    order = core + 1;
    group.run(now);
    CHECK_EQ(order, core);  // at once
    group.run(now);
}

// Groups wait when they end; may be used again; may be empty.
void B7_group_ends_before_wait() {
    in_task([](Scheduler&) {
        uint32_t sum = 0;  // plain: the end of the group is the join
        for (uint32_t round = 1; round <= rounds(200); ++round) {
            Atomic<uint32_t> ran{};
            GroupTask one([&] { ran.fetch_add(1, relaxed); });
            GroupTask other([&] { sum += 1; });
            {
                TaskGroup empty;
                TaskGroup group;
                group.run(one);
                group.wait();
                group.wait();
                group.run(one);
                group.run(other);
            }
            CHECK_EQ(ran.load(relaxed), 2);
            CHECK_EQ(sum, round);
        }
    });
}

// ---- V10: from where

using OnePool = weft::Pool<1, ring>;
Room<OnePool> one_room;

// A group with a pool: its children run when it is waited for, and may be run again then.
void check_group_of(Scheduler& pool) {
    Atomic<uint32_t> sum{};
    GroupTask one([&] { sum.fetch_add(nest(1), relaxed); });
    GroupTask other([&] { sum.fetch_add(nest(2), relaxed); });
    TaskGroup group(pool);
    group.wait();  // nothing yet
    for (uint32_t turn = 1; turn <= 2; ++turn) {
        group.run(one);
        group.run(other);
        CHECK_EQ(sum.load(relaxed), (turn - 1) * 30);
        group.wait();
        CHECK_EQ(sum.load(relaxed), turn * 30);
    }
    {
        TaskGroup ends(pool);
        ends.run(one);
    }
    CHECK_EQ(sum.load(relaxed), 65);
}

void check_calls(Scheduler& pool) {
    for (uint32_t round = 0; round < rounds(20); ++round) {
        uint32_t a = 0;
        uint32_t b = 0;
        uint32_t c = 0;
        fork_join(
            pool, [&] { a = nest(2); }, [&] { b = nest(2); }, [&] { c = nest(1); });
        CHECK_EQ(a + b + c, 55);
        for (uint8_t& visit : visits) visit = 0;
        parallel_for(pool, 0, 100, 3, [](int i) { ++visits[i]; });
        for (uint32_t i = 0; i < 100; ++i) CHECK_EQ(visits[i], 1);
        // On some machines 0u and a uint32_t have different types.
        parallel_for(pool, 0u, uint32_t{50}, 3, [](uint32_t i) { ++visits[i]; });
        for (uint32_t i = 0; i < 100; ++i) CHECK_EQ(visits[i], i < 50 ? 2 : 1);
        CHECK_EQ(parallel_reduce(
                     pool, 0u, uint32_t{101}, 0, 0u, [](uint32_t i) { return i; },
                     [](uint32_t left, uint32_t right) { return left + right; }),
                 5050u);
        CHECK_EQ(parallel_reduce(
                     pool, 1, 101, 0, 0, [](int i) { return i; },
                     [](int left, int right) { return left + right; }),
                 5050);
        check_group_of(pool);
        uint32_t called = 0;
        auto add = [&](uint32_t by) { called += by; };
        auto once = [&] { add(1); };
        pool.call(once);
        pool.call([&] { add(2); });
        fork_join(pool, [&] { add(4); });
        CHECK_EQ(called, 7);
    }
}

void V10_boot_core_before_run() {
    Scheduler& one = one_room.build();
    check_calls(one);
    CHECK_EQ(one.live_cores(), 0);
    end(one);
    Pool& pool = new_pool();
    check_calls(pool);
    start_workers(pool);
    check_calls(pool);
    end(pool);
    check_calls(pool);  // it is closed: serially
}

void V10_from_inside() { in_task(check_calls); }

// From a task of another pool, on a core that is none of this one's: it must not wait, so it does the work in its own
// pool.
void V10_core_of_another_pool() {
    if (present() < 2) return tap::skip(one_core);
    Scheduler& one = one_room.build();
    in_task([&](Scheduler&) {
        check_calls(one);
        uint32_t core = cores;
        fork_join(
            one, [&] { core = Port::core_id(); }, [] {});
        CHECK_EQ(core, Port::core_id());
    });
    CHECK_EQ(one.total().executed, 0);
    end(one);
}

constexpr tap::Test tests[] = {
    TEST(B7_loops_of_every_type),
    TEST(B7_nested),
    TEST(B7_with_a_here),
    TEST(B7_outside_of_pools_runs_serially),
    TEST(B7_group_ends_before_wait),
    TEST(V10_boot_core_before_run),
    TEST(V10_from_inside),
    TEST(V10_core_of_another_pool),
};

}  // namespace

extern const tap::Tests loops_tests{tests};

}  // namespace firmware
