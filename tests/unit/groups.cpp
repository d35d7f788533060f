// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of fork-join's promises that need no second core: groups in every place, one callable with a Here, the
// order of a reduction, levels that found no room, what is offered before a child begins, what a join answers.
#include <thread>

#include "../kit/reveal.hpp"
#include "open_pool.hpp"

namespace tap {
namespace portrait {

struct Skipped {
    friend constexpr auto reveal(Skipped);
};
template struct Reveal<Skipped, &weft::detail::ForkDeque::skipped_>;

}  // namespace portrait
}  // namespace tap

namespace unit {

using weft::fork_join;
using weft::GroupTask;
using weft::Here;
using weft::parallel_for;
using weft::parallel_reduce;
using weft::TaskGroup;

namespace {

uint32_t levels_without_room() { return (ForkDeque::current()->*reveal(tap::portrait::Skipped())).get(); }

// In no pool a child is run by run(), and the group may be used again.
void B7_groups_outside_of_all_pools() {
    uint32_t runs = 0;
    GroupTask one([&runs] { ++runs; });
    GroupTask other([&runs] { runs += 10; });
    TaskGroup group;
    group.run(one);
    CHECK_EQ(runs, 1);
    group.run(other);
    CHECK_EQ(runs, 11);
    group.wait();
    group.run(one);
    CHECK_EQ(runs, 12);
}

// With a pool in front they are tasks of that pool, and begin with wait(), each once, each time.
void B7_groups_with_a_pool() {
    Pool<1> pool;
    uint32_t runs[3] = {};
    bool inside = true;
    const auto child = [&](uint32_t number) {
        return [&runs, &inside, &pool, number] {
            ++runs[number];
            inside = inside && ForkDeque::current() != nullptr && ForkDeque::current()->pool() == &pool;
        };
    };
    GroupTask first(child(0));
    GroupTask second(child(1));
    GroupTask third(child(2));
    {
        TaskGroup group(pool);
        group.wait();  // nothing to wait for
        for (uint32_t turn = 0; turn != 3; ++turn) {
            group.run(first), group.run(second), group.run(third);
            for (const uint32_t count : runs) CHECK_EQ(count, turn);
            group.wait();
            for (const uint32_t count : runs) CHECK_EQ(count, turn + 1);
        }
        group.run(second);
    }
    CHECK_EQ(runs[1], 4);
    CHECK_EQ(runs[0], 3);
    CHECK(inside);
    CHECK(ForkDeque::current() == nullptr);
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

// A child that a thief has run may be run again.
void B7_stolen_children_run_again() {
    OpenPool open;
    uint32_t runs = 0;
    GroupTask child([&runs] { ++runs; });
    open.as(1, [&] {
        TaskGroup group;
        for (uint32_t turn = 0; turn != 3; ++turn) {
            open.deque(1).ask();
            group.run(child);
            CHECK(open.steal(1, 2));
            CHECK_EQ(runs, turn + 1);
            group.wait();
        }
    });
    CHECK_EQ(runs, 3);
}

// Forks until the deque is full, and calls function() then.
template <class Function>
void when_full(uint32_t forks, Function function) {
    if (forks == 0) return function();
    fork_join([&] { when_full(forks - 1, function); }, [] {});
}

// What finds no room is a level as long as what runs first in its place; siblings are one.
void B2_levels_end_with_what_ran_first() {
    OpenPool open;
    open.as(1, [&] {
        when_full(WEFT_FORK_DEPTH, [] {
            CHECK_EQ(levels_without_room(), 0);
            uint32_t in_first = 0;
            uint32_t in_second = 0;
            fork_join([&] { in_first = levels_without_room(); }, [&] { in_second = levels_without_room(); });
            CHECK_EQ(in_first, 1);
            CHECK_EQ(in_second, 0);
            uint32_t runs = 0;
            uint32_t in_child = 0;
            const auto count = [&] { ++runs, in_child += levels_without_room(); };
            GroupTask one(count);
            GroupTask other(count);
            TaskGroup group;
            group.run(one), group.run(other);
            CHECK_EQ(runs, 2);
            CHECK_EQ(in_child, 2);
            CHECK_EQ(levels_without_room(), 0);
        });
        // One slot is left: the sibling of what has it is no level of its own.
        when_full(WEFT_FORK_DEPTH - 1, [] {
            uint32_t in_child = 7;
            GroupTask one([] {});
            GroupTask other([&] { in_child = levels_without_room(); });
            TaskGroup group;
            group.run(one), group.run(other);
            CHECK_EQ(in_child, 0);
            CHECK_EQ(levels_without_room(), 0);
        });
        CHECK_EQ(levels_without_room(), 0);
    });
}

// Somebody asks while the first callable runs: before the second one begins, older children are offered.
void B3_joins_offer_what_is_private() {
    if (WEFT_FORK_DEPTH < 3)
        return tap::skip("not on this board: its deques have no room for three children");
    OpenPool open;
    uint32_t runs = 0;
    uint32_t at_once = 0;
    const auto child = [&runs] { ++runs; };
    const auto while_it_runs = [&] {
        while (open.steal(1, 2)) {
        }
        at_once = runs;
    };
    open.as(1, [&] {
        for (uint32_t core = 2; core != 5; ++core) open.deque(core).set_idle(false);
        fork_join(  // on offer: one always is
            [&] {
                fork_join(  // private
                    [&] {
                        fork_join(  // likewise
                            [&] {
                                CHECK(!open.deque(1).hungry());
                                for (uint32_t core = 2; core != 5; ++core) open.deque(core).set_idle(true);
                                open.deque(1).ask();
                            },
                            while_it_runs);
                    },
                    child);
            },
            child);
    });
    CHECK_EQ(runs, 2);
    CHECK_EQ(at_once, 2);
    open.as(1, [] { CHECK_EQ(levels_without_room(), 0); });
}

// Forks this many children, one within the other.
template <class Function>
void nest(uint32_t count, uint32_t& runs, const Function& function) {
    if (count == 0) return function();
    fork_join([&] { nest(count - 1, runs, function); }, [&runs] { ++runs; });
}

// Asked once, an owner or its tick offers as many as there are cores with nothing to do.
void B3_one_request_serves_all_who_are_idle() {
    constexpr uint32_t count = WEFT_FORK_DEPTH > victims ? victims : WEFT_FORK_DEPTH - 1;
    for (const bool tick : {false, true}) {
        OpenPool open;
        const uint32_t owner = tick ? 0 : 1;
        ForkDeque& deque = open.deque(owner);
        uint32_t runs = 0;
        const auto when_forked = [&] {
            // The first child is on offer, as one always is, the others are private: nobody has asked.
            CHECK(!deque.hungry());
            CHECK(open.steal(owner, 2));
            CHECK(!open.steal(owner, 2));
            for (uint32_t core = 0; core <= victims; ++core) open.deque(core).set_idle(core != owner);
            if (tick) {
                std::thread([&open] { open.offer_from_isr(); }).join();  // no core of the pool: nothing
                CHECK(!deque.offers(0));
                open.offer_from_isr();
            } else {
                CHECK(deque.offer() == (count != 0));
            }
            for (uint32_t depth = 1; depth <= count; ++depth) {
                CHECK(deque.offers(depth) && !deque.offers(depth + 1));
                CHECK(deque.take(open.deque(2), depth + 1) == nullptr);
                CHECK(open.steal(owner, 2));
            }
        };
        open.as(owner, [&] { nest(count + 1, runs, when_forked); });
        CHECK_EQ(runs, count + 1);
    }
}

bool newest_is_at(uint32_t depth) {
    return ForkDeque::current()->offers(depth) && !ForkDeque::current()->offers(depth + 1);
}

// What a thief forks is one level below what it has taken, whatever it was at itself; then it is where it was.
void B4_depths_begin_with_the_stolen_child() {
    OpenPool open;
    uint32_t runs = 0;
    const auto stolen = [&] {
        ++runs;
        ForkDeque::current()->ask();
        fork_join([] { CHECK(WEFT_FORK_DEPTH == 1 || newest_is_at(1)); }, [] {});
    };
    const auto thief = [&] {
        fork_join(
            [&] {
                CHECK(newest_is_at(0));
                CHECK(open.steal(2, 3));
                CHECK(open.steal(1, 2));
            },
            [&] { ++runs; });
        ForkDeque::current()->ask();
        fork_join([] { CHECK(newest_is_at(0)); }, [] {});
    };
    open.as(1, [&] { fork_join([&] { open.as(2, thief); }, stolen); });
    CHECK_EQ(runs, 2);
}

// In no pool: one after the other.
void B7_forks_outside_of_all_pools() {
    uint32_t order = 0;
    fork_join([&] { order = 10 * order + 1; }, [&] { order = 10 * order + 2; },
              [&] { order = 10 * order + 3; });
    CHECK_EQ(order, 123);
}

// One callable and a Here: it is called, with what it is to hand on.
void B7_one_callable_with_a_here() {
    OpenPool open;
    uint32_t runs = 0;
    fork_join(Here::nobody(), [&] { ++runs; });
    open.as(1, [&] { fork_join(Here(), [&](Here) { ++runs; }); });
    CHECK_EQ(runs, 2);
}

// x -> factor * x + add, in which order two of them are done matters.
struct Affine {
    uint32_t factor = 1;
    uint32_t add = 0;
};
Affine after(Affine first, Affine second) {
    return {second.factor * first.factor, second.factor * first.add + second.add};
}

// combine() gets its arguments in the order of the range, wherever that was split.
void B7_reductions_keep_the_order() {
    OpenPool open;
    const auto map = [](uint32_t i) { return Affine{i + 3, i}; };
    for (const uint32_t grain : {1u, 2u, 3u, 5u}) {
        for (uint32_t size = 0; size != 40; ++size) {
            Affine serial;
            for (uint32_t i = 0; i != size; ++i) serial = after(serial, map(i));
            open.as(1, [&] {
                const auto asked = [&](uint32_t i) {
                    open.deque(1).ask();
                    return map(i);
                };
                open.deque(1).ask();
                const Affine sum = parallel_reduce(0u, size, grain, Affine(), asked, after);
                CHECK_EQ(sum.factor, serial.factor);
                CHECK_EQ(sum.add, serial.add);
            });
        }
    }
}

// Loops and reductions with a pool in front, and with chunks of several indices.
void B7_loops_with_a_pool() {
    Pool<1> pool;
    for (const uint32_t grain : {1u, 2u, 3u, 7u}) {
        for (uint32_t size = 0; size != 20; ++size) {
            uint32_t next = 0;
            parallel_for(0u, size, grain, [&](uint32_t i) { CHECK_EQ(i, next++); });
            CHECK_EQ(next, size);
            uint32_t runs[20] = {};
            parallel_for(pool, 0u, size, grain, [&](uint32_t i) { ++runs[i]; });
            for (uint32_t i = 0; i != 20; ++i) CHECK_EQ(runs[i], i < size ? 1 : 0);
            const uint32_t sum = parallel_reduce(
                pool, 0u, size, grain, 0u, [](uint32_t i) { return 1u << i; },
                [](uint32_t a, uint32_t b) { return a | b; });
            CHECK_EQ(sum, (1u << size) - 1);
        }
    }
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

// A join without a batch: what has not run is released, asked for after abandon, and told after drain.
void E2_join_says_what_is_left() {
    uint32_t ran = 0;
    Job job([&ran] { ++ran; });
    Job other([&ran] { ++ran; });
    {
        Pool<1> pool;
        CHECK_EQ(pool.submit(job), Status::ok);
        pool.shutdown(weft::Shutdown::abandon);
        CHECK_EQ(pool.join(), Status::ok);
        CHECK_EQ(ran, 0);
    }
    weft::host::hold_starts(1);
    Pool<2> pool;
    CHECK_EQ(pool.submit_on(1, job), Status::ok);
    CHECK_EQ(pool.submit_on(1, other), Status::ok);
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::left_over);
    CHECK_EQ(ran, 0);
    weft::host::clear_faults();
    Pool<1> last;
    CHECK_EQ(last.submit(job), Status::ok);
    if (WEFT_CHECKS) CHECK_EQ(last.submit(job), Status::already_queued);
    CHECK_EQ(last.submit(other), Status::ok);
    last.shutdown();
    CHECK_EQ(last.join(), Status::ok);
    CHECK_EQ(ran, 2);
}

// A pool of one core, and behind its memory that of another.
class Neighbour : public weft::Scheduler {
public:
    Neighbour() : Scheduler(workers_, forks_, 1) { workers_[1].counters.executed.store(7, relaxed); }
    ~Neighbour() {
        shutdown();
        CHECK_EQ(join(), Status::ok);
    }

private:
    Ring::Slot slots_[2][2] = {};
    weft::detail::Worker workers_[2] = {{0, slots_[0], 2}, {1, slots_[1], 2}};
    ForkDeque forks_[2];
};

// Who is no core of the pool, by one, is answered so.
void E5_the_core_behind_the_last() {
    Neighbour pool;
    Item item;
    CHECK_EQ(pool.stats(1).executed, 0);
    CHECK_EQ(pool.submit_on(1, item), Status::unknown_core);
    CHECK_EQ(pool.poll(0).status, Status::ok);
    CHECK_EQ(pool.poll(0).tasks, 0);
}

// A task that keeps its core until it is let go.
struct Busy : weft::TaskOf<Busy> {
    void run() {
        begun.store(1, release);
        while (go_on.load(acquire) == 0) std::this_thread::yield();
    }
    void await() const {
        while (begun.load(acquire) == 0) std::this_thread::yield();
    }
    void let_go() { go_on.store(1, release); }

private:
    Atomic<uint32_t> begun{0};
    Atomic<uint32_t> go_on{0};
};

// One task starts one core; and a core that works for a pool cannot be started for another.
void V10_one_start_for_one_task() {
    Pool<4> pool;
    Busy long_one;
    Job other([] {});
    CHECK_EQ(pool.submit(long_one), Status::ok);
    CHECK_EQ(pool.live_cores(), 1);
    long_one.await();
    CHECK_EQ(pool.live_cores(), 1);
    uint32_t busy = 1;
    while (busy != 3 && pool.stats(busy).executed == 0) ++busy;
    Pool<4> beside;
    CHECK_EQ(beside.submit_on(busy, other), Status::core_unavailable);
    CHECK_EQ(beside.start_failures(), 1);
    CHECK_EQ(beside.live_cores(), 0);
    long_one.let_go();
    for (Pool<4>* const each : {&beside, &pool}) {
        each->shutdown();
        CHECK_EQ(each->join(), Status::ok);
    }
}

// A worker that wakes for nothing, again and again, goes on sleeping, and says how often.
void V11_wakes_for_nothing_are_counted() {
    Pool<2> pool;
    Job job([] {});
    weft::host::spurious_parks(1);
    CHECK_EQ(pool.submit(job), Status::ok);
    while (pool.stats(1).spurious_wakes < 5) std::this_thread::yield();
    weft::host::clear_faults();
    CHECK(pool.stats(1).parks >= pool.stats(1).spurious_wakes);
    CHECK_EQ(pool.stats(1).executed, 1);
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

// A core that has submitted from outside runs other code: while somebody works, no start of it is tried.
void V10_who_submits_is_not_started() {
    Pool<2> pool;
    Busy long_one;
    Job other([] {});
    CHECK_EQ(pool.submit(long_one), Status::ok);  // starts core 1
    long_one.await();
    std::thread([&] { CHECK_EQ(pool.submit(other), Status::ok); }).join();
    CHECK_EQ(pool.start_failures(), 0);
    long_one.let_go();
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

constexpr tap::Test tests[] = {
    TEST(B7_groups_outside_of_all_pools),
    TEST(B7_groups_with_a_pool),
    TEST(B7_stolen_children_run_again),
    TEST(B2_levels_end_with_what_ran_first),
    TEST(B3_joins_offer_what_is_private),
    TEST(B3_one_request_serves_all_who_are_idle),
    TEST(B4_depths_begin_with_the_stolen_child),
    TEST(B7_forks_outside_of_all_pools),
    TEST(B7_one_callable_with_a_here),
    TEST(B7_reductions_keep_the_order),
    TEST(B7_loops_with_a_pool),
    TEST(E2_join_says_what_is_left),
    TEST(E5_the_core_behind_the_last),
    TEST(V10_one_start_for_one_task),
    TEST(V10_who_submits_is_not_started),
    TEST(V11_wakes_for_nothing_are_counted),
};

}  // namespace

extern const tap::Tests groups_tests{tests};

}  // namespace unit
