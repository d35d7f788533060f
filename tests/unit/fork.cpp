// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of fork-join: victims, panics, threads that are no core of the pool, and ranges of every length. (The
// firmware tests show the rest.)
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "tests.hpp"
#include "weft_host_faults.hpp"
#include "weft_image.hpp"

namespace unit {
namespace {

using weft::fork_join;
using weft::GroupTask;
using weft::Here;
using weft::Port;
using weft::Scheduler;
using weft::TaskGroup;
using weft::detail::ForkDeque;
using weft::detail::Frame;

// ---- Misuse, which panics. In a child process, as the panic ends it.

#if WEFT_CHECKS

bool panics(void (*misuse)(), const char* reason) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        misuse();
        _exit(0);
    }
    close(ends[1]);
    std::string said;
    char text[256];
    for (ssize_t got; (got = read(ends[0], text, sizeof text)) > 0;)
        said.append(text, static_cast<size_t>(got));
    close(ends[0]);
    int status = 0;
    if (waitpid(child, &status, 0) != child) return false;
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT) return false;
    return said.find(reason) != std::string::npos;
}

void nothing() {}
using Nothing = GroupTask<void (*)()>;

Pool<1> this_pool;
Pool<1> other_pool;

template <class Function>
void in_pool(Function function) {
    fork_join(this_pool, nothing, function);  // the second one has the whole deque
}

void fork_in_interrupt() {
    in_pool([] {
        const weft::host::Interrupt interrupt;
        fork_join(nothing, nothing);
    });
}

void run_group_in_interrupt() {
    in_pool([] {
        Nothing task(nothing);
        TaskGroup group;
        const weft::host::Interrupt interrupt;
        group.run(task);
    });
}

void use_here_in_another_pool() {
    in_pool([] {
        const Here here;
        fork_join(
            other_pool, [=] { fork_join(here, nothing, nothing); }, nothing);
    });
}

void use_group_in_another_pool() {
    in_pool([] {
        Nothing task(nothing);
        TaskGroup group;
        fork_join(
            other_pool, [&] { group.run(task); }, nothing);
    });
}

void end_task_before_wait() {
    in_pool([] {
        TaskGroup group;
        Nothing task(nothing);
        group.run(task);
    });
}

void run_task_twice() {
    in_pool([] {
        Nothing task(nothing);
        TaskGroup group;
        group.run(task);
        group.run(task);
    });
}

void join_groups_out_of_order() {
    in_pool([] {
        Nothing one(nothing);
        Nothing other(nothing);
        TaskGroup first;
        TaskGroup second;
        first.run(one);
        second.run(other);
        first.wait();
    });
}

#endif

// ---- A pool whose insides a test can reach. None of its cores but 0 exist.

constexpr uint32_t victims = 7;

class OpenPool : public Scheduler {
    static constexpr uint32_t ring = 2;

public:
    OpenPool() : Scheduler(workers_, forks_, victims + 1) {
        for (uint32_t core = 1; core <= victims; ++core) weft::host::hide_core(core);
    }
    ~OpenPool() {
        shutdown();
        CHECK_EQ(join(), Status::ok);
        weft::host::clear_faults();
    }

    ForkDeque& deque(uint32_t core) { return forks_[core]; }

    // Calls function() as if on the core of that deque.
    template <class Function>
    void as(uint32_t core, Function function) {
        ForkDeque* const before = forks_[core].enter(*this);
        function();
        ForkDeque::leave(before);
    }

private:
    Ring::Slot slots_[victims + 1][ring] = {};
    weft::detail::Worker workers_[victims + 1] = {
        {0, slots_[0], ring}, {1, slots_[1], ring}, {2, slots_[2], ring}, {3, slots_[3], ring},
        {4, slots_[4], ring}, {5, slots_[5], ring}, {6, slots_[6], ring}, {7, slots_[7], ring}};
    ForkDeque forks_[victims + 1];
};

}  // namespace

void B7_misuse_panics() {
#if WEFT_CHECKS
    CHECK(
        panics(fork_in_interrupt, "fork-join in an interrupt handler; submit_from_isr() a task that forks"));
    CHECK(panics(run_group_in_interrupt, "fork-join in an interrupt handler"));
    CHECK(panics(use_here_in_another_pool, "a Here or TaskGroup of another core or task"));
    CHECK(panics(use_group_in_another_pool, "a Here or TaskGroup of another core or task"));
    CHECK(panics(end_task_before_wait,
                 "a GroupTask ends before its group's wait(); declare it before the group"));
    CHECK(panics(run_task_twice, "a GroupTask is run() again before its group's wait()"));
    if (WEFT_FORK_DEPTH >= 2)
        CHECK(panics(join_groups_out_of_order, "what was forked last must be joined first"));
#else
    tap::skip("not on this board: checks");
#endif
}

namespace {

struct Child : Frame {
    Child() : Frame(&Child::call) {}
    // For its next turn.
    Frame* again() {
        run.store(&Child::call, relaxed);
        return this;
    }
    static void call(Frame& self, ForkDeque*) { ++static_cast<Child&>(self).runs; }
    uint32_t runs = 0;
    ForkDeque::Slot* slot = nullptr;
};

}  // namespace

// Random forks, steals and joins, children and siblings, far beyond the deque: whatever thieves have taken, the oldest
// child that they have not is on offer in the end, as deep as it is; and each child has one taker.
void B2_deque_full_of_stolen_children_begins_anew() {
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
        uint32_t stolen = 0;  // the oldest so many that were kept are
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
                open.as(1, [&] { one.child.slot = deque.push(sibling ? ForkDeque::sibling(frame) : frame); });
                const bool kept = one.child.slot != nullptr;
                CHECK(kept || !all_stolen || !deque.hungry());
                if (kept) {
                    ++count;
                } else if (!sibling) {
                    deque.end_skip();
                }
            } else if (draw < 72) {
                if (!deque.offers(0)) {
                    CHECK_EQ(open.poll(1), 0);
                    CHECK(deque.hungry());
                    continue;
                }
                Forked& oldest = forked[stolen];
                CHECK(deque.offers(oldest.depth) && !deque.offers(oldest.depth + 1));
                CHECK_EQ(open.poll(1), 1);
                CHECK_EQ(oldest.child.runs, 1);
                oldest.stolen = true;
                if (++stolen > longest) longest = stolen;
            } else if (count != 0) {
                Forked& newest = forked[--count];
                bool mine = false;
                open.as(1, [&] { mine = deque.pop(newest.child.slot) || deque.join(newest.child.slot); });
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

namespace {

// fork_join() down its first callables; at the bottom: then().
template <class Then>
void go_down(Here here, uint32_t levels, Then& then) {
    if (levels == 0) return then(here);
    fork_join(
        here, [&](Here next) { go_down(next, levels - 1, then); }, [] {});
}

}  // namespace

// Where the deque is full and nobody is hungry the owner goes on, and its children are not kept. Later one is: when
// thieves have begun all that is in the deque. It is as deep as it stands.
void B2_depths_count_what_found_no_room() {
    constexpr uint32_t without_room = 20;
    OpenPool open;
    ForkDeque& deque = open.deque(1);
    uint32_t offered = 0;
    open.as(1, [&] {
        auto bottom = [&](Here) {
            for (uint32_t i = 0; i != WEFT_FORK_DEPTH; ++i) {
                deque.ask();
                CHECK(deque.offers(0) || deque.offer());  // as by offer_from_isr()
                CHECK_EQ(open.poll(1), 1);
            }
            fork_join(
                [&] {
                    CHECK(deque.offers(0));
                    while (deque.offers(offered + 1)) ++offered;
                },
                [] {});
        };
        for (uint32_t round = 0; round < 3; ++round) {
            offered = 0;
            go_down(Here(), WEFT_FORK_DEPTH + without_room, bottom);
            CHECK_EQ(offered, WEFT_FORK_DEPTH + without_room);
        }
    });
}

// One thief, and always a child on offer in each of the other deques. A round of victims begins behind the last one
// that something was taken from: the same in each run.
void B8_steals_spread() {
    constexpr uint32_t steals = 8000;
    OpenPool open;
    Child children[victims + 1];
    const auto fork_on = [&](uint32_t core) {
        open.as(core, [&] { children[core].slot = open.deque(core).push(children[core].again()); });
        CHECK(open.deque(core).offers(0));
    };
    const auto join_on = [&](uint32_t core) {
        bool taken_back = false;
        open.as(core, [&] {
            ForkDeque& deque = open.deque(core);
            taken_back = deque.pop(children[core].slot) || deque.join(children[core].slot);
        });
        return taken_back;
    };
    for (uint32_t core = 1; core <= victims; ++core) fork_on(core);
    for (uint32_t i = 0; i < steals; ++i) {
        CHECK_EQ(open.poll(1), 1);
        for (uint32_t core = 1; core <= victims; ++core) {
            if (open.deque(core).offers(0)) continue;
            CHECK(!join_on(core));
            fork_on(core);
        }
    }
    for (uint32_t core = 1; core <= victims; ++core) CHECK(join_on(core));
    CHECK_EQ(open.total().stolen, steals);

    constexpr double one_in_1000 = 22.46;  // chi-square of 6 degrees of freedom
    double chi_square = 0;
    for (uint32_t core = 1; core <= victims; ++core) {
        constexpr double expected = static_cast<double>(steals) / victims;
        const double off = children[core].runs - expected;
        chi_square += off * off / expected;
    }
    CHECK(chi_square < one_in_1000);
}

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
        tap::wait_for([&] { return one.live_cores() != 0; }, "run()");
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

namespace {

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

}  // namespace

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

}  // namespace unit
