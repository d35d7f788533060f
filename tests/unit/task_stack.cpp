// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of TaskStack.
#include <thread>

#include "harness.hpp"

namespace unit {
namespace {

constexpr uint32_t count = 20;
Item items[count];

// Pushes items[first..first+size) as one chain.
bool push_chain(TaskStack& stack, uint32_t first, uint32_t size) {
    for (uint32_t i = first; i + 1 < first + size; ++i) weft::detail::link(&items[i]).set_next(&items[i + 1]);
    return stack.push(&items[first], &items[first + size - 1]);
}

// The consumer takes exactly these, in this order.
void check_takes(TaskStack& stack, Task*& list, const std::vector<uint32_t>& expected) {
    for (const uint32_t i : expected) {
        CHECK(list != nullptr);
        CHECK_EQ(stack.next(list), &items[i]);
    }
}

void check_empty(TaskStack& stack) {
    CHECK(!stack.looks_nonempty());
    CHECK_EQ(stack.try_lock(), nullptr);
}

// The chain that was pushed last comes first; within a chain the order stays.
void Z8_stack_gives_back_what_it_got() {
    TaskStack stack;
    Task* list = nullptr;
    check_empty(stack);
    CHECK(push_chain(stack, 0, 1));
    CHECK(push_chain(stack, 1, 3));
    CHECK(push_chain(stack, 4, 2));
    CHECK(stack.looks_nonempty());
    list = stack.try_lock();
    check_takes(stack, list, {4, 5, 1, 2, 3, 0});
    CHECK_EQ(list, nullptr);
    CHECK(!stack.unlock(list));
    check_empty(stack);
    // And again: an emptied stack is as good as new.
    CHECK(push_chain(stack, 7, 1));
    list = stack.try_lock();
    check_takes(stack, list, {7});
    CHECK(!stack.unlock(list));
    check_empty(stack);
}

// What a consumer leaves is the next one's, before what was pushed later.
void Z8_stack_keeps_the_rest() {
    TaskStack stack;
    Task* list = nullptr;
    CHECK(push_chain(stack, 0, 5));
    for (uint32_t i = 0; i < 3; ++i) {
        CHECK(stack.looks_nonempty());
        list = stack.try_lock();
        check_takes(stack, list, {i});
        CHECK(stack.unlock(list));
    }
    CHECK(push_chain(stack, 5, 2));
    list = stack.try_lock();
    check_takes(stack, list, {3});
    CHECK(stack.unlock(list));
    list = stack.try_lock();
    check_takes(stack, list, {4});
    CHECK(stack.unlock(list));
    list = stack.try_lock();
    check_takes(stack, list, {5, 6});
    CHECK(!stack.unlock(list));
    check_empty(stack);
}

void Z8_held_stack_blocks_nobody() {
    TaskStack stack;
    Task* list = nullptr;
    Task* other = nullptr;
    CHECK(push_chain(stack, 0, 3));
    list = stack.try_lock();
    CHECK_EQ(stack.try_lock(), nullptr);  // another consumer goes on at once
    CHECK(!stack.looks_nonempty());       // nobody stays awake for what the holder will see to
    CHECK(push_chain(stack, 3, 2));       // and nobody waits to push
    CHECK_EQ(stack.try_lock(), nullptr);
    CHECK(!stack.looks_nonempty());
    CHECK(stack.unlock(list));
    CHECK(stack.looks_nonempty());
    other = stack.try_lock();
    check_takes(stack, other, {0, 1, 2});
    CHECK(stack.unlock(other));
    other = stack.try_lock();
    check_takes(stack, other, {3, 4});
    CHECK(!stack.unlock(other));
}

void Z8_pushes_while_held_are_not_lost() {
    TaskStack stack;
    CHECK(push_chain(stack, 0, 1));
    Task* list = stack.try_lock();
    check_takes(stack, list, {0});
    CHECK(push_chain(stack, 1, 1));
    CHECK(push_chain(stack, 2, 1));
    CHECK_EQ(list, nullptr);    // they are for the next consumer
    CHECK(stack.unlock(list));  // the holder is told to pass the word on
    CHECK(stack.looks_nonempty());
    list = stack.try_lock();
    check_takes(stack, list, {2, 1});
    CHECK(push_chain(stack, 3, 2));
    CHECK(stack.unlock(list));
    list = stack.try_lock();
    check_takes(stack, list, {3});
    CHECK(push_chain(stack, 5, 1));
    CHECK(stack.unlock(list));  // with a rest of its own and a push: the rest comes first
    list = stack.try_lock();
    check_takes(stack, list, {4});
    CHECK(stack.unlock(list));
    list = stack.try_lock();
    check_takes(stack, list, {5});
    CHECK(!stack.unlock(list));
    check_empty(stack);
}

void Z9_closed_stack_refuses() {
    TaskStack empty;
    empty.close();
    check_empty(empty);
    CHECK(!push_chain(empty, 0, 3));
    CHECK_EQ(weft::detail::link(&items[0]).next(), &items[1]);  // the chain is as it was
    CHECK_EQ(weft::detail::link(&items[1]).next(), &items[2]);
    check_empty(empty);

    TaskStack stack;
    Task* list = nullptr;
    CHECK(push_chain(stack, 0, 3));
    stack.close();
    stack.close();
    CHECK(!push_chain(stack, 3, 1));
    CHECK(stack.looks_nonempty());  // what it had can still be taken
    list = stack.try_lock();
    check_takes(stack, list, {0});
    CHECK(stack.unlock(list));
    CHECK(!push_chain(stack, 3, 1));
    list = stack.try_lock();
    check_takes(stack, list, {1, 2});
    CHECK_EQ(list, nullptr);
    CHECK(!stack.unlock(list));
    check_empty(stack);
    CHECK(!push_chain(stack, 3, 1));
}

void Z9_stack_closes_while_held() {
    TaskStack stack;
    Task* list = nullptr;
    CHECK(push_chain(stack, 0, 2));
    list = stack.try_lock();
    check_takes(stack, list, {0});
    CHECK(push_chain(stack, 2, 1));
    stack.close();
    CHECK(!push_chain(stack, 3, 1));
    CHECK(stack.unlock(list));
    list = stack.try_lock();
    check_takes(stack, list, {1});
    CHECK(stack.unlock(list));
    list = stack.try_lock();
    check_takes(stack, list, {2});
    CHECK(!stack.unlock(list));
    check_empty(stack);
    CHECK(!push_chain(stack, 3, 1));
}

// Three push, one by one and in chains; two take, a few at a time. Every task has exactly one taker.
void Z8_pushers_and_consumers_race() {
    constexpr uint32_t per_pusher = 30000;
    constexpr uint32_t pushers = 3;
    static std::vector<Item> crowd(pushers * per_pusher);
    TaskStack stack;
    Atomic<uint32_t> taken{};
    std::vector<std::thread> threads;
    for (uint32_t p = 0; p < pushers; ++p) {
        threads.emplace_back([&, p] {
            tap::Random random(p + 1);
            Item* const mine = &crowd[p * per_pusher];
            for (uint32_t i = 0; i < per_pusher;) {
                const uint32_t left = per_pusher - i;
                const uint32_t wanted = 1 + random.below(4);
                const uint32_t size = wanted < left ? wanted : left;
                for (uint32_t k = 0; k + 1 < size; ++k) {
                    weft::detail::link(&mine[i + k]).set_next(&mine[i + k + 1]);
                }
                CHECK(stack.push(&mine[i], &mine[i + size - 1]));
                i += size;
            }
        });
    }
    for (uint32_t c = 0; c < 2; ++c) {
        threads.emplace_back([&, c] {
            tap::Random random(c + 77);
            while (taken.load(relaxed) != crowd.size()) {
                Task* list = stack.try_lock();
                if (list == nullptr) {
                    weft::Port::relax();
                    continue;
                }
                for (uint32_t left = 1 + random.below(8); left != 0 && list != nullptr; --left) {
                    Task* const task = stack.next(list);
                    static_cast<Item*>(task)->taken.fetch_add(1, relaxed);
                    taken.fetch_add(1, relaxed);
                }
                static_cast<void>(stack.unlock(list));
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    check_empty(stack);
    uint32_t wrong = 0;
    for (const Item& item : crowd) wrong += item.taken.load(relaxed) == 1 ? 0 : 1;
    CHECK_EQ(wrong, 0);
}

constexpr tap::Test tests[] = {
    TEST(Z8_stack_gives_back_what_it_got),   TEST(Z8_stack_keeps_the_rest), TEST(Z8_held_stack_blocks_nobody),
    TEST(Z8_pushes_while_held_are_not_lost), TEST(Z9_closed_stack_refuses), TEST(Z9_stack_closes_while_held),
    TEST(Z8_pushers_and_consumers_race),
};

}  // namespace

extern const tap::Tests task_stack_tests{tests};

}  // namespace unit
