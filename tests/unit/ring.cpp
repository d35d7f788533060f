// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of Ring.
#include <thread>

#include "tests.hpp"

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
        CHECK_EQ(ring.free_slots(), ring.capacity() - count);
        CHECK_EQ(ring.looks_nonempty(), count != 0);
        for (uint32_t i = 0; i < count; ++i) CHECK_EQ(ring.pop(), &items[first + i]);
        CHECK_EQ(ring.pop(), nullptr);
        CHECK(!ring.looks_nonempty());
    }

    std::unique_ptr<Ring::Slot[]> slots;
    Ring ring;
};

uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

// Steals from a ring with `count` tasks into one with `room` free slots.
void steal(TestRing& victim, uint32_t count, TestRing& thief, uint32_t room) {
    const uint32_t own = thief.ring.capacity() - room;
    victim.fill(count);
    thief.fill(own, largest);
    const uint32_t expected = smaller(count - count / 2, room + 1);
    uint32_t taken = 0;
    Task* const task = victim.ring.steal_into(thief.ring, taken);
    CHECK_EQ(taken, expected);
    CHECK_EQ(task, count == 0 ? nullptr : &items[0]);
    victim.check_holds(expected, count - expected);
    for (uint32_t i = 0; i < own; ++i) CHECK_EQ(thief.ring.pop(), &items[largest + i]);
    thief.check_holds(1, expected == 0 ? 0 : expected - 1);
}

}  // namespace

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

void Z4_ring_publishes_placed_tasks() {
    for (const uint32_t capacity : capacities) {
        for (uint32_t count = 0; count <= capacity; ++count) {
            TestRing test(capacity);
            TestRing thief(capacity);
            for (uint32_t i = 0; i < count; ++i) test.ring.place(i, &items[i]);
            CHECK(!test.ring.looks_nonempty());
            CHECK_EQ(test.ring.pop(), nullptr);
            uint32_t taken = 0;
            CHECK_EQ(test.ring.steal_into(thief.ring, taken), nullptr);
            CHECK_EQ(taken, 0);
            test.ring.publish(count);
            test.check_holds(0, count);
        }
    }
}

void Z4_ring_gives_its_older_half() {
    for (const uint32_t capacity : capacities) {
        for (uint32_t count = 0; count <= capacity; ++count) {
            TestRing test(capacity, capacity / 2);
            test.fill(count);
            Task* first = nullptr;
            Task* last = nullptr;
            const uint32_t half = test.ring.take_half(first, last);
            CHECK_EQ(half, count == capacity ? capacity / 2 : 0);
            if (half != 0) {
                CHECK_EQ(first, &items[0]);
                CHECK_EQ(last, &items[half - 1]);
                for (uint32_t i = 0; i + 1 < half; ++i) {
                    CHECK_EQ(weft::detail::link(&items[i]).next(), &items[i + 1]);
                }
                for (uint32_t i = 0; i < half; ++i) unclaim(items[i]);
            }
            test.check_holds(half, count - half);
        }
    }
}

void Z4_thief_takes_the_larger_half() {
    for (const uint32_t capacity : capacities) {
        for (uint32_t count = 0; count <= capacity; ++count) {
            TestRing victim(capacity);
            TestRing thief(capacity);
            steal(victim, count, thief, capacity);
        }
    }
}

void Z4_thief_takes_what_it_has_room_for() {
    for (const uint32_t capacity : capacities) {
        for (uint32_t count = 0; count <= capacity; ++count) {
            for (uint32_t room = 0; room <= capacity; ++room) {
                TestRing victim(capacity, count % 3);
                TestRing thief(capacity, room % 5);
                steal(victim, count, thief, room);
            }
        }
    }
}

void Z4_thief_of_another_size() {
    for (const uint32_t one : capacities) {
        for (const uint32_t other : capacities) {
            for (uint32_t count = 0; count <= one; ++count) {
                TestRing victim(one);
                TestRing thief(other);
                steal(victim, count, thief, other);
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
                CHECK_EQ(test.ring.free_slots(), capacity - held);
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
                TestRing own(4);
                for (bool last = false; !last;) {
                    last = over.load(acquire) != 0;  // then one more look
                    uint32_t taken = 0;
                    while (Task* const task = owner.ring.steal_into(own.ring, taken)) {
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
                Task* first = nullptr;
                Task* last = nullptr;
                for (uint32_t left = owner.ring.take_half(first, last); left != 0; --left) {
                    Task* const next = weft::detail::link(first).next();
                    take(first);
                    unclaim(*first);
                    first = next;
                }
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

}  // namespace unit
