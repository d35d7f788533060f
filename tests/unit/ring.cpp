// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of Ring.
#include <thread>

#include "harness.hpp"

namespace unit {
namespace {

constexpr uint32_t capacities[] = {2, 4, 8, 16, 64};
constexpr uint32_t largest = 64;

Item items[2 * largest];

// A ring with its memory, whose indices have gone on by `offset`.
struct TestRing {
    explicit TestRing(uint32_t capacity, uint32_t offset = 0)
        : slots(new Ring::Slot[capacity]), ring(slots.get(), capacity) {
        static Item any;
        for (uint32_t i = 0; i < offset; ++i) {
            CHECK(ring.push(&any));
            CHECK_EQ(ring.pop(), &any);
        }
    }
    void fill(uint32_t count, uint32_t first = 0) {
        for (uint32_t i = 0; i < count; ++i) CHECK(ring.push(&items[first + i]));
    }
    // Holds exactly items[first..first+count), oldest first.
    void check_holds(uint32_t first, uint32_t count) {
        CHECK_EQ(ring.looks_nonempty(), count != 0);
        for (uint32_t i = 0; i < count; ++i) CHECK_EQ(ring.pop(), &items[first + i]);
        CHECK_EQ(ring.pop(), nullptr);
        CHECK(!ring.looks_nonempty());
    }

    std::unique_ptr<Ring::Slot[]> slots;
    Ring ring;
};

uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

void Z4_ring_holds_its_capacity() {
    for (const uint32_t capacity : capacities) {
        TestRing test(capacity);
        CHECK_EQ(test.ring.capacity(), capacity);
        test.check_holds(0, 0);
        for (uint32_t round = 0; round < 3; ++round) {
            test.fill(capacity);
            CHECK(!test.ring.push(&items[capacity]));
            CHECK(!test.ring.push(&items[capacity]));
            test.check_holds(0, capacity);
        }
    }
}

// As many tasks of a list as there is room for, in order; the rest stays a list.
void Z4_ring_fills_from_a_list() {
    for (const uint32_t capacity : capacities) {
        for (uint32_t held = 0; held <= capacity; ++held) {
            for (uint32_t count = 0; count <= capacity; ++count) {
                TestRing test(capacity, held % 3);
                test.fill(held);
                for (uint32_t i = 0; i < count; ++i) {
                    weft::detail::link(&items[held + i])
                        .set_next(i + 1 == count ? nullptr : &items[held + i + 1]);
                }
                uint32_t also_moved = 5;
                Task* const rest = test.ring.fill(count == 0 ? nullptr : &items[held], also_moved);
                const uint32_t moved = smaller(count, capacity - held);
                CHECK_EQ(also_moved, 5 + moved);
                CHECK_EQ(rest, moved == count ? nullptr : &items[held + moved]);
                test.check_holds(0, held + moved);
            }
        }
    }
}

// Wherever the indices of either ring are.
void Z4_thief_takes_the_larger_half() {
    for (const uint32_t capacity : capacities) {
        for (uint32_t count = 0; count <= capacity; ++count) {
            for (uint32_t offset = 0; offset <= capacity; ++offset) {
                TestRing victim(capacity, count % 3);
                TestRing thief(capacity, offset);
                victim.fill(count);
                const uint32_t expected = count - count / 2;
                CHECK_EQ(victim.ring.steal_into(thief.ring, false), count == 0 ? nullptr : &items[0]);
                victim.check_holds(expected, count - expected);
                thief.check_holds(1, count == 0 ? 0 : expected - 1);
            }
        }
    }
}

// Rings start at WEFT_INDEX_START, two before the wrap in checked builds: the wrap comes at every fill level.
void E9_ring_wraps_anywhere() {
    constexpr uint32_t size = 2 * largest;
    for (const uint32_t capacity : capacities) {
        for (uint32_t held = 0; held <= capacity; ++held) {
            TestRing test(capacity);
            test.fill(held);
            uint32_t pushed = held;
            uint32_t popped = 0;
            for (uint32_t turn = 0; turn < 3 * capacity; ++turn) {
                if (held == capacity) {
                    CHECK(!test.ring.push(&items[pushed % size]));
                    CHECK_EQ(test.ring.pop(), &items[popped++ % size]);
                    CHECK(test.ring.push(&items[pushed++ % size]));
                } else {
                    CHECK(test.ring.push(&items[pushed++ % size]));
                    CHECK_EQ(test.ring.pop(), &items[popped++ % size]);
                }
                CHECK_EQ(test.ring.looks_nonempty(), held != 0);
            }
        }
    }
}

// One owner that pushes, pops and gives halves away; three thieves. Every task has exactly one taker.
void Z4_owner_and_thieves_race() {
    constexpr uint32_t total = 100000;
    constexpr uint32_t thieves = 3;
    static std::vector<Item> crowd(total);
    for (const uint32_t capacity : {2u, 8u}) {
        TestRing owner(capacity);
        Atomic<uint32_t> over{};
        const auto take = [](Task* task) { static_cast<Item*>(task)->taken.fetch_add(1, relaxed); };
        std::vector<std::thread> threads;
        for (uint32_t i = 0; i < thieves; ++i) {
            threads.emplace_back([&] {
                TestRing own(capacity);
                for (bool last = false; !last;) {
                    last = over.load(acquire) != 0;  // then one more look
                    while (Task* const task = owner.ring.steal_into(own.ring, false)) {
                        take(task);
                        while (Task* const more = own.ring.pop()) take(more);
                    }
                    weft::Port::relax();
                }
            });
        }
        tap::Random random(capacity);
        for (Item& item : crowd) {
            item.taken.store(0, relaxed);
            while (!owner.ring.push(&item)) {
                if (Task* const task = owner.ring.pop()) take(task);
            }
            if (random.below(3) == 0) {
                if (Task* const task = owner.ring.pop()) take(task);
            }
        }
        while (Task* const task = owner.ring.pop()) take(task);
        over.store(1, release);
        for (std::thread& thread : threads) thread.join();
        uint32_t wrong = 0;
        for (const Item& item : crowd) wrong += item.taken.load(relaxed) == 1 ? 0 : 1;
        CHECK_EQ(wrong, 0);
    }
}

constexpr tap::Test tests[] = {
    TEST(Z4_ring_holds_its_capacity), TEST(Z4_ring_fills_from_a_list), TEST(Z4_thief_takes_the_larger_half),
    TEST(Z4_owner_and_thieves_race),  TEST(E9_ring_wraps_anywhere),
};

}  // namespace

extern const tap::Tests ring_tests{tests};

}  // namespace unit
