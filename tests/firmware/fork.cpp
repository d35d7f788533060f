// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: forked children between the core that forked them, thieves, and cores that sleep. (What it computes:
// loops.cpp; beside other work: beside.cpp.)
#include "fork.hpp"

namespace firmware {

namespace {

// Who ran when, and where. Read behind the join.
struct Order {
    Atomic<uint32_t> ran{};
    struct {
        uint32_t child;
        uint32_t core;
    } at[WEFT_FORK_DEPTH + 8] = {};

    void note(uint32_t index) {
        const uint32_t place = ran.load(acquire);
        at[place].child = index;
        at[place].core = Port::core_id();
        ran.store(place + 1, release);  // one core at a time runs them, in these tests
    }
};

struct Noted {
    Order* order;
    uint32_t index;
    void operator()() const { order->note(index); }
};

template <uint32_t count>
struct Family {
    Family() : children([this](uint32_t i) { return Noted{&order, i}; }) {}
    void fork(TaskGroup& group) {
        for (uint32_t i = 0; i < count; ++i) group.run(children[i]);
    }
    Order order;
    Children<Noted, count> children;
};

// ---- B1, B2: the deque

constexpr uint32_t children = WEFT_FORK_DEPTH < 8 ? WEFT_FORK_DEPTH : 8;

void B1_owner_takes_the_newest() {
    in_task([](Scheduler& pool) {
        OthersHeld others(pool);
        Family<children> family;
        TaskGroup group;
        family.fork(group);
        CHECK_EQ(family.order.ran.load(relaxed), 0);
        group.wait();
        CHECK_EQ(family.order.ran.load(relaxed), children);
        for (uint32_t i = 0; i < children; ++i) {
            CHECK_EQ(family.order.at[i].child, children - 1 - i);
            CHECK_EQ(family.order.at[i].core, Port::core_id());
        }
    });
}

void B1_thief_takes_the_oldest() {
    if (present() < 2) return tap::skip(one_core);
    in_task([](Scheduler& pool) {
        OthersHeld others(pool);
        Family<children> family;
        TaskGroup group;
        family.fork(group);
        others.let_go(0);
        fork_until([&] { return family.order.ran.load(acquire) == children; },
                   "a thief that takes all children");
        group.wait();
        for (uint32_t i = 0; i < children; ++i) {
            CHECK_EQ(family.order.at[i].child, i);
            CHECK_EQ(family.order.at[i].core, 0);
        }
    });
}

// A child that its owner wants back while a thief wants it, too.
void B1_last_child_has_one_winner() {
    if (present() < 2) return tap::skip(one_core);
    in_task([](Scheduler&) {
        uint32_t runs = 0;  // plain: whoever runs the child, the join makes it visible
        tap::Stopwatch stopwatch;
        for (uint32_t round = 1; round <= rounds(10000) && stopwatch.elapsed_ms() < most_fork_ms; ++round) {
            fork_join([=] { shift_by(round); }, [&] { ++runs; });
            if (runs != round) {
                CHECK_EQ(runs, round);
                return;
            }
        }
    });
}

void B2_full_deque_runs_inline() {
    in_task([](Scheduler& pool) {
        OthersHeld others(pool);
        constexpr uint32_t more = 3;
        Family<WEFT_FORK_DEPTH + more> family;
        Order& order = family.order;
        TaskGroup group;
        family.fork(group);
        CHECK_EQ(order.ran.load(relaxed), more);
        group.wait();
        CHECK_EQ(order.ran.load(relaxed), WEFT_FORK_DEPTH + more);
        for (uint32_t i = 0; i < more; ++i) CHECK_EQ(order.at[i].child, WEFT_FORK_DEPTH + i);
        for (uint32_t i = 0; i < WEFT_FORK_DEPTH; ++i) {
            CHECK_EQ(order.at[more + i].child, WEFT_FORK_DEPTH - 1 - i);
        }
        // There is room again.
        group.run(family.children[0]);
        CHECK_EQ(order.ran.load(relaxed), WEFT_FORK_DEPTH + more);
        group.wait();
        CHECK_EQ(order.ran.load(relaxed), WEFT_FORK_DEPTH + more + 1);
    });
}

uint32_t chain(uint32_t length, bool left) {
    if (length == 0) return 1;
    uint32_t longer = 0;
    uint32_t one = 0;
    if (left) {
        fork_join([&] { longer = chain(length - 1, left); }, [&] { one = 1; });
    } else {
        fork_join([&] { one = 1; }, [&] { longer = chain(length - 1, left); });
    }
    return longer + one;
}

// Chains of forks longer than the deque, through the first callable and through the second.
void B2_recursion_beyond_the_deque() {
    constexpr uint32_t length = WEFT_FORK_DEPTH + 5;
    in_task([](Scheduler&) {
        for (uint32_t round = 0; round < rounds(100); ++round) {
            const uint32_t left = chain(length, true);
            const uint32_t right = chain(length, false);
            if (left != length + 1 || right != length + 1) {
                CHECK_EQ(left, length + 1);
                CHECK_EQ(right, length + 1);
            }
        }
    });
}

// ---- B3, B4, V10: sleeping and waking

// The child needs another core, which may be at any step of its way to sleep.
void B3_fork_meets_a_parking_core() {
    if (present() < 2) return tap::skip(one_core);
    in_task([](Scheduler&) {
        tap::Stopwatch stopwatch;
        for (uint32_t round = 0; round < rounds(10000) && stopwatch.elapsed_ms() < most_fork_ms; ++round) {
            Atomic<uint32_t> ran{};
            fork_join(
                [&] {
                    shift_by(round);
                    fork_until([&] { return ran.load(acquire) != 0; }, "a core that parks to take a child");
                },
                [&] { ran.store(1, release); });
            shift_by(round / 256);
        }
    });
}

// All other cores are at rest, and a single child is offered. Who is woken may be late: so all rounds count together,
// and one wake more for each core may be left from before.
void B3_offer_wakes_one_core() {
    if (present() < 2) return tap::skip(one_core);
    in_task([](Scheduler& pool) {
        const uint32_t core = Port::core_id();
        const auto wakes = [&] { return pool.total().wakes - pool.stats(core).wakes; };
        const uint32_t before = wakes();
        for (uint32_t round = 1; round <= rounds(50); ++round) {
            await_rest(pool);
            await([] { return ForkDeque::current()->hungry(); }, "a core that asks before it sleeps");
            Atomic<uint32_t> ran{};
            fork_join([&] { await([&] { return ran.load(acquire) != 0; }, "a core that runs a child"); },
                      [&] { ran.store(1, release); });
            CHECK(wakes() - before <= round + present() - 1);
        }
        await_rest(pool);
        CHECK(wakes() - before <= rounds(50) + present() - 1);
    });
}

// Parts that wait for each other, without another fork: each needs a core to itself.
struct Parts {
    Atomic<uint32_t> begun{};
    void run() {
        begun.fetch_add(1, acq_rel);
        await([&] { return begun.load(acquire) == present(); }, "a core for each part");
    }
};

// The deques of all cores, found by a task on each. Until it says so, a core may still be busy with a task that has
// ended as far as anybody else can see.
class Deques {
public:
    explicit Deques(Scheduler& pool) {
        for (uint32_t core = 0; core < present(); ++core) {
            find_[core].deques = this;
            if (core != Port::core_id()) CHECK_EQ(pool.submit_on(core, find_[core]), Status::ok);
        }
        await([&] { return found_.load(acquire) == present() - 1; }, "a task on each core");
    }
    void await_idle() const {
        for (const ForkDeque* deque : deque_) {
            if (deque != nullptr) await([=] { return deque->is_idle() != 0; }, "a core without work");
        }
    }

private:
    struct Find : Task {
        Find() : Task(&Find::run) {}
        static void run(Task& self) {
            Deques& deques = *static_cast<Find&>(self).deques;
            deques.deque_[Port::core_id()] = ForkDeque::current();
            deques.found_.fetch_add(1, release);
        }
        Deques* deques = nullptr;
    };
    Find find_[cores];
    ForkDeque* deque_[cores] = {};
    Atomic<uint32_t> found_{};
};

// As many parts as there are cores, while all others have nothing to do. `body(parts)` begins them.
template <class Body>
void each_part_gets_a_core(Body body) {
    if (present() < 2) return tap::skip(one_core);
    if (WEFT_FORK_DEPTH < cores - 1) return tap::skip("not on this board: room for a child for each core");
    in_task([&](Scheduler& pool) {
        const Deques deques(pool);
        for (uint32_t round = 0; round < rounds(50); ++round) {
            deques.await_idle();
            Parts parts;
            body(parts);
            CHECK_EQ(parts.begun.load(acquire), present());
        }
    });
}

void B3_parts_of_a_group_get_a_core_each() {
    each_part_gets_a_core([](Parts& parts) {
        const auto part = [&parts] { parts.run(); };
        Children<decltype(part), cores + 1> others([&](uint32_t) { return part; });
        TaskGroup group;
        for (uint32_t i = 1; i < present(); ++i) group.run(others[i]);
        parts.run();
        group.wait();
    });
}

void B3_parts_of_a_loop_get_a_core_each() {
    each_part_gets_a_core(
        [](Parts& parts) { weft::parallel_for(0u, present(), 1, [&](uint32_t) { parts.run(); }); });
}

// The thief is done before its owner joins, while it looks for something else, or when it sleeps.
void B4_join_meets_its_thief() {
    if (present() < 2) return tap::skip(one_core);
    in_task([](Scheduler&) {
        uint32_t result = 0;
        tap::Stopwatch stopwatch;
        for (uint32_t round = 1; round <= rounds(10000) && stopwatch.elapsed_ms() < most_fork_ms; ++round) {
            Atomic<uint32_t> taken{};
            fork_join(
                [&] {
                    fork_until([&] { return taken.load(acquire) != 0; }, "a thief");
                    shift_by(round);
                },
                [&] {
                    taken.store(1, release);
                    shift_by(round / 256);
                    ++result;
                });
            if (result != round) {
                CHECK_EQ(result, round);
                return;
            }
        }
    });
}

void B4_sleeping_joiner_is_woken() {
    if (present() < 2) return tap::skip(one_core);
    in_task([](Scheduler& pool) {
        const uint32_t core = Port::core_id();
        const uint32_t parks = pool.stats(core).parks;
        uint32_t result = 0;
        const auto wait_for = [&](uint32_t ms) {
            Atomic<uint32_t> taken{};
            fork_join([&] { fork_until([&] { return taken.load(acquire) != 0; }, "a thief"); },
                      [&] {
                          taken.store(1, release);
                          pass_time(ms);  // its owner has long been asleep
                          ++result;
                      });
        };
        for (uint32_t round = 1; round <= rounds(20); ++round) {
            wait_for(2);
            CHECK_EQ(result, round);
        }
        // An emulator may leave the owner no time in between.
        for (uint32_t ms = 4; pool.stats(core).parks == parks && ms < 1000; ms *= 2) wait_for(ms);
        CHECK(pool.stats(core).parks != parks);
    });
}

// Its thief forks a pair of callables that wait for each other. The only other core that is not held sleeps in a join.
// (No program may wait like this: it shows that the joiner helps.)
void V10_waiting_join_helps() {
    if (present() < 2) return tap::skip(one_core);
    in_task([](Scheduler& pool) {
        OthersHeld others(pool);
        others.let_go(0);
        for (uint32_t round = 0; round < rounds(20); ++round) {
            Atomic<uint32_t> taken{};
            Atomic<uint32_t> arrived{};
            const auto arrive = [&] {
                arrived.fetch_add(1, acq_rel);
                await([&] { return arrived.load(acquire) == 2; }, "a core that waits in a join to help");
            };
            fork_join([&] { fork_until([&] { return taken.load(acquire) != 0; }, "a thief"); },
                      [&] {
                          taken.store(1, release);
                          if (round % 2 != 0) pass_time(1);
                          fork_join(
                              [&] {
                                  arrived.fetch_add(1, acq_rel);
                                  fork_until([&] { return arrived.load(acquire) == 2; },
                                             "a core that waits in a join to help");
                              },
                              arrive);
                      });
        }
    });
}

constexpr tap::Test tests[] = {
    TEST(B1_owner_takes_the_newest),
    TEST(B1_thief_takes_the_oldest),
    TEST(B1_last_child_has_one_winner),
    TEST(B2_full_deque_runs_inline),
    TEST(B2_recursion_beyond_the_deque),
    TEST(B3_fork_meets_a_parking_core),
    TEST(B3_offer_wakes_one_core),
    TEST(B3_parts_of_a_group_get_a_core_each),
    TEST(B3_parts_of_a_loop_get_a_core_each),
    TEST(B4_join_meets_its_thief),
    TEST(B4_sleeping_joiner_is_woken),
    TEST(V10_waiting_join_helps),
};

}  // namespace

extern const tap::Tests fork_tests{tests};

}  // namespace firmware
