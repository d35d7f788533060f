// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of ForkDeque: what is on offer, how deep it is, who takes it, and what a core does that waits in a join.
#include <functional>
#include <list>
#include <utility>

#include "open_pool.hpp"

namespace unit {

using weft::fork_join;
using weft::GroupTask;
using weft::Here;
using weft::Port;
using weft::TaskGroup;
using weft::detail::Frame;

namespace {

struct Child : Frame {
    Child() : Frame(&Child::call) {}
    // For its next turn.
    Frame* again() {
        function.store(&Child::call, relaxed);
        return this;
    }
    static void call(Frame& self, ForkDeque*) { ++static_cast<Child&>(self).runs; }
    uint32_t runs = 0;
    ForkDeque::Slot* slot = nullptr;
};

// Random forks, steals and joins, children and siblings, far beyond the deque: whatever thieves have taken, the oldest
// child that they have not is on offer in the end, as deep as it is; and each child has one taker.
void B2_deque_full_of_stolen_children_is_renewed() {
    struct Forked {
        Child child;
        uint32_t depth = 0;
        bool stolen = false;
    };
    constexpr uint32_t most = 8 * WEFT_FORK_DEPTH;
    constexpr uint32_t turns = most < 256 ? 4096 : 16 * most;
    OpenPool open;
    ForkDeque& deque = open.deque(1);
    uint32_t longest = 0;
    for (uint32_t seed = 1; seed <= 40; ++seed) {
        tap::Random random(seed);
        const std::unique_ptr<Forked[]> forked(new Forked[most]);
        uint32_t count = 0;
        uint32_t stolen = 0;  // how many of those that were kept, the oldest, are
        for (uint32_t turn = 0; turn < turns || count != 0; ++turn) {
            const uint32_t draw = random.below(100);
            const uint32_t forks = turn >= turns ? 0 : seed % 2 == 0 ? 40 : 34;
            if (draw < forks && count != most) {
                Forked& one = forked[count];
                const bool sibling = count != 0 && random.below(3) == 0;
                one.depth = count == 0 ? 0 : forked[count - 1].depth + (sibling ? 0 : 1);
                one.stolen = false;
                const bool all_stolen = stolen == count;
                one.child.runs = 0;
                Frame* const frame = one.child.again();
                one.child.slot = open.push_as(1, sibling ? ForkDeque::sibling(frame) : frame);
                const bool kept = one.child.slot != nullptr;
                CHECK(kept || !all_stolen || !deque.hungry());
                if (kept) {
                    ++count;
                } else if (!sibling) {
                    deque.end_skip();
                }
            } else if (draw < 72) {
                if (!deque.offers(0)) {
                    CHECK_EQ(open.poll(1).tasks, 0);
                    CHECK(deque.hungry());
                    continue;
                }
                Forked& oldest = forked[stolen];
                CHECK(deque.offers(oldest.depth) && !deque.offers(oldest.depth + 1));
                CHECK_EQ(open.poll(1).tasks, 1);
                CHECK_EQ(oldest.child.runs, 1);
                oldest.stolen = true;
                if (++stolen > longest) longest = stolen;
            } else if (count != 0) {
                Forked& newest = forked[--count];
                const bool mine = open.take_back_as(1, newest.child.slot);
                CHECK_EQ(mine, !newest.stolen);
                CHECK_EQ(newest.child.runs, mine ? 0 : 1);
                if (!mine) --stolen;
            }
        }
        CHECK_EQ(stolen, 0);
        CHECK(!deque.offers(0));
    }
    CHECK_EQ(longest, most);
}

// fork_join() down its first callables; at the bottom: then().
template <class Then>
void go_down(Here here, uint32_t levels, Then& then) {
    if (levels == 0) return then(here);
    fork_join(
        here, [&](Here next) { go_down(next, levels - 1, then); }, [] {});
}

// Where the deque is full and nobody is hungry the owner goes on, and its children are not kept. Later one is: when
// thieves have begun all that is in the deque. It is as deep as it stands, however often that has happened.
void B2_depths_count_what_found_no_room() {
    constexpr uint32_t levels = WEFT_FORK_DEPTH + 20;
    OpenPool open;
    ForkDeque& deque = open.deque(1);
    uint32_t offered = 0;
    uint32_t times = 0;  // that the deque has yet to become full
    open.as(1, [&] {
        std::function<void(Here)> bottom = [&](Here here) {
            for (uint32_t i = 0; i != WEFT_FORK_DEPTH; ++i) {
                deque.ask();
                CHECK(deque.offers(0) || deque.offer());  // as by offer_from_isr()
                CHECK_EQ(open.poll(1).tasks, 1);
            }
            if (--times != 0) return go_down(here, levels, bottom);
            fork_join(
                [&] {
                    CHECK(deque.offers(0));
                    while (deque.offers(offered + 1)) ++offered;
                },
                [] {});
        };
        for (uint32_t round = 1; round <= 4; ++round) {
            offered = 0;
            times = round;
            go_down(Here(), levels, bottom);
            CHECK_EQ(offered, round * levels);
        }
    });
}

// A core with a task, or one that is not there, is not counted among those that would take a child.
void B5_who_has_found_something_is_not_idle() {
    OpenPool open;
    uint32_t idle = 1;
    Job job([&] { idle = open.deque(0).is_idle(); });
    Child child;
    child.slot = open.push_as(1, &child);
    CHECK_EQ(open.poll(1).tasks, 1);
    CHECK_EQ(open.deque(0).is_idle(), 0);
    CHECK_EQ(open.submit(job), Status::ok);
    CHECK_EQ(open.poll(1).tasks, 1);
    CHECK_EQ(idle, 0);
    CHECK_EQ(open.poll(1).tasks, 0);
    CHECK_EQ(open.deque(0).is_idle(), 0);
    CHECK(!open.take_back_as(1, child.slot));
}

// One thief, and always a child on offer in each of the other deques. A round of victims begins behind the last one
// that something was taken from: the same in each run.
void B8_steals_spread() {
    constexpr uint32_t steals = 8000;
    OpenPool open;
    Child children[victims + 1];
    const auto fork_on = [&](uint32_t core) {
        children[core].slot = open.push_as(core, children[core].again());
        CHECK(open.deque(core).offers(0));
    };
    const auto join_on = [&](uint32_t core) { return open.take_back_as(core, children[core].slot); };
    for (uint32_t core = 1; core <= victims; ++core) fork_on(core);
    for (uint32_t i = 0; i < steals; ++i) {
        CHECK_EQ(open.poll(1).tasks, 1);
        for (uint32_t core = 1; core <= victims; ++core) {
            if (open.deque(core).offers(0)) continue;
            CHECK(!join_on(core));
            fork_on(core);
        }
    }
    for (uint32_t core = 1; core <= victims; ++core) CHECK(join_on(core));
    CHECK_EQ(open.total().stolen, steals);
#if WEFT_METRICS
    CHECK_EQ(open.total().from_forks, steals);
#endif

    constexpr double one_in_1000 = 22.46;  // chi-square of 6 degrees of freedom
    double chi_square = 0;
    for (uint32_t core = 1; core <= victims; ++core) {
        constexpr double expected = static_cast<double>(steals) / victims;
        const double off = children[core].runs - expected;
        chi_square += off * off / expected;
    }
    CHECK(chi_square < one_in_1000);
}

// ---- B4, B5: a join whose child was stolen

constexpr uint32_t thief = victims;
constexpr uint32_t most_levels = 8;

// Forks on one core, each below the one before. The thief runs their children at once.
class Line {
public:
    Line(OpenPool& open, uint32_t core, uint32_t levels) : open_(open), core_(core), levels_(levels) {
        for (uint32_t i = 0; i != levels; ++i) {
            stolen_[i].slot = push(&stolen_[i]);
            CHECK(open.steal(core, thief));
        }
    }
    // One more, whose child does what(). It is on offer.
    void offer(std::function<void()> what) {
        what_ = std::move(what);
        slot_ = push(&newest_);
    }
    void join() {
        if (slot_ != nullptr) static_cast<void>(open_.take_back_as(core_, slot_));
        while (levels_ != 0) CHECK(!open_.take_back_as(core_, stolen_[--levels_].slot));
    }

private:
    ForkDeque::Slot* push(Frame* frame) {
        ForkDeque::Slot* const slot = open_.push_as(core_, frame);
        CHECK(slot != nullptr);
        return slot;
    }

    OpenPool& open_;
    uint32_t core_;
    uint32_t levels_;
    Child stolen_[most_levels];
    std::function<void()> what_;
    weft::detail::Child<std::function<void()>> newest_{what_};
    ForkDeque::Slot* slot_ = nullptr;
};

// Core 0 waits for a child of that depth. It finds children of the same depth, of lesser ones, and then deeper ones on
// offer: it runs the first that is deeper, and that ends the wait. `siblings`: it waits in a group, whose children
// are one level.
void wait_at(uint32_t depth, bool siblings) {
    OpenPool open;
    Task* child = nullptr;  // stolen, and not begun
    uint32_t helped = 0;    // which depths core 0 has run while it waited
    std::list<Line> lines;
    for (uint32_t i = 0; i <= depth + 2; ++i) {
        const uint32_t level = i <= depth ? depth - i : i;
        lines.emplace_back(open, 1 + i, level);  // a join looks at the cores in ascending order
        lines.back().offer([&, level] {
            helped |= 1u << level;
            if (level > depth && child != nullptr) open.run_as(thief, std::exchange(child, nullptr));
        });
        CHECK(open.deque(1 + i).offers(level) && !open.deque(1 + i).offers(level + 1));
    }
    Line above(open, 0, depth);
    uint32_t runs = 0;
    const auto steal_later = [&] {
        CHECK(open.deque(0).offers(depth) && !open.deque(0).offers(depth + 1));
        child = open.take(0, thief);
        CHECK(child != nullptr);
    };
    open.as(0, [&] {
        if (siblings) {
            GroupTask first([&] { ++runs; });
            GroupTask second([&] { ++runs; });
            TaskGroup group;
            group.run(first);
            CHECK(open.steal(0, thief));
            group.run(second);
            steal_later();
            group.wait();
            CHECK_EQ(runs, 2);
        } else {
            fork_join(steal_later, [&] { ++runs; });
            CHECK_EQ(runs, 1);
        }
    });
    CHECK_EQ(helped, 1u << (depth + 1));
    CHECK_EQ(open.total().executed, 1);  // B5
    CHECK_EQ(open.total().stolen, 1);
    above.join();
    for (Line& line : lines) line.join();
}

void B4_join_helps_only_deeper() {
    for (uint32_t depth = 0; depth + 3 < victims; ++depth) wait_at(depth, false);
}

void B4_siblings_share_a_depth() {
    for (uint32_t depth = 0; depth + 3 < victims; ++depth) wait_at(depth, true);
}

// A join sleeps. It is woken for nothing three times, then by a child that it can help with, then by the thief.
void B5_sleeps_of_a_join_are_counted() {
    constexpr uint32_t another = victims + 1;  // a core that is none of the pool's
    OpenPool open;
    Line line(open, 1, 1);
    Task* child = nullptr;
    uint32_t helped = 0;
    uint32_t spurious = 0;
    Atomic<uint32_t> woken{};
    const auto await_sleep = [] {
        CHECK(tap::eventually([] { return weft::host::events[0].word.load(relaxed) == weft::host::parked; }));
    };
    auto wake = [&] {
        for (uint32_t i = 0; i != 3; ++i) {
            await_sleep();
            spurious =
                open.stats(0).spurious_wakes + 1;  // 1 more than before: a test before may have left an event
            Port::unpark(0);
            CHECK(tap::eventually([&] { return open.stats(0).spurious_wakes == spurious; }));
        }
        await_sleep();
        CHECK_EQ(open.stats(0).wakes, 0);
        line.offer([&] { ++helped; });
        CHECK(tap::eventually([&] { return open.stats(0).wakes == 1; }));
        await_sleep();
        open.run_as(thief, child);
        woken.store(1, release);
    };
    auto* pointer = &wake;
    open.as(0, [&] {
        fork_join(
            [&] {
                child = open.take(0, thief);
                CHECK(Port::start_core(another, &weft::detail::Call<decltype(&wake)>::run, &pointer) ==
                      Port::Start::started);
            },
            [] {});
    });
    tap::wait_for([&] { return woken.load(acquire) != 0; }, "the other core");
    CHECK_EQ(helped, 1);
    CHECK_EQ(open.stats(0).executed, 1);
    CHECK_EQ(open.stats(0).wakes, 2);
    CHECK_EQ(open.stats(0).spurious_wakes, spurious);
    CHECK_EQ(open.stats(0).parks, spurious + 2);
    line.join();
}

constexpr tap::Test tests[] = {
    TEST(B2_deque_full_of_stolen_children_is_renewed),
    TEST(B2_depths_count_what_found_no_room),
    TEST(B4_join_helps_only_deeper),
    TEST(B4_siblings_share_a_depth),
    TEST(B5_sleeps_of_a_join_are_counted),
    TEST(B5_who_has_found_something_is_not_idle),
    TEST(B8_steals_spread),
};

}  // namespace

extern const tap::Tests deque_tests{tests};

}  // namespace unit
