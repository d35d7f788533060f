// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: who may join, and what the joiner does. In most of them the joiner is a core that the pool does not
// have: a worker of another pool.
#include "harness.hpp"

namespace firmware {
namespace {

using OnePool = weft::Pool<1, ring>;
Room<OnePool> one_room;  // its only core is core 0

// Runs `callable` on core 1, as a task of a pool of its own, while core 0 does what it likes.
template <class Callable>
class OnCore1 {
public:
    explicit OnCore1(Callable callable) : driver_(new_pool()), task_(Call{callable, over_}) {
        CHECK_EQ(driver_.submit_on(1, task_), Status::ok);
    }
    ~OnCore1() {
        await([this] { return over_.load(acquire) != 0; }, "a task of core 1");
        end(driver_);
    }
    OnCore1(const OnCore1&) = delete;
    OnCore1& operator=(const OnCore1&) = delete;

private:
    struct Call {
        void operator()() {
            callable();
            over.store(1, release);
        }
        Callable callable;
        Atomic<uint32_t>& over;
    };
    Pool& driver_;
    Atomic<uint32_t> over_{};
    Job<Call> task_;
};

bool lacks_core_1() {
    const bool lacks = cores < 2 || !is_present(1);
    if (lacks) tap::skip("not on this board: a second core");
    return lacks;
}

// What any core may run, the joiner runs, though it is no core of the pool.
void Z7_foreign_joiner_runs_what_is_left() {
    if (lacks_core_1()) return;
    OnePool& pool = one_room.build();
    forget_runs();
    submit_counted_batch(pool, 2 * ring);
    CHECK_EQ(pool.poll(1).tasks, 1);  // the rest is in the ring of core 0 and in the injector now
    pool.shutdown();
    const OnCore1 joiner([&] { CHECK_EQ(pool.join(), Status::ok); });
    await([] { return counted_runs.load(acquire) == 2 * ring; }, "tasks that a foreign core finds in join()");
    uint32_t by_joiner = 0;
    for (uint32_t i = 0; i < 2 * ring; ++i) by_joiner += counted[i].core.load(relaxed) == 1 ? 1 : 0;
    CHECK_EQ(by_joiner, 2 * ring - 1);
}

// What is pinned to a core of the pool must not run on the joiner: it comes back.
void E2_foreign_joiner_hands_back_pinned() {
    if (lacks_core_1()) return;
    for (const Shutdown mode : modes) {
        OnePool& pool = one_room.build();
        forget_runs();
        CHECK_EQ(pool.submit_on(0, counted[0]), Status::ok);
        CHECK_EQ(pool.submit_on(0, counted[1]), Status::ok);
        CHECK_EQ(pool.submit(counted[2]), Status::ok);
        pool.shutdown(mode);
        Batch left;
        {
            const OnCore1 joiner([&] { CHECK_EQ(pool.join(left), Status::ok); });
        }
        CHECK_EQ(left.size(), mode == Shutdown::drain ? 2 : 3);
        CHECK_EQ(counted[2].runs.load(relaxed), mode == Shutdown::drain ? 1 : 0);
        uint32_t pinned = 0;
        while (Task* const task = left.pop()) pinned += task != &counted[2] ? 1 : 0;
        CHECK_EQ(pinned, 2);
        CHECK_EQ(counted[0].runs.load(relaxed) + counted[1].runs.load(relaxed), 0);
    }
    OnePool& pool = one_room.build();
    CHECK_EQ(pool.submit_on(0, counted[0]), Status::ok);
    pool.shutdown();
    const OnCore1 joiner([&] {
        CHECK_EQ(pool.join(), Status::left_over);  // it is told even where it wants none of them
        CHECK_EQ(pool.join(), Status::ok);
    });
}

// Two cores join. Nobody shuts the pool down before one of them has been refused, so the other one waits.
void Z7_one_joiner_at_a_time() {
    if (lacks_core_1()) return;
    for (uint32_t round = 0; round < rounds(50); ++round) {
        OnePool& pool = one_room.build();
        forget_runs();
        submit_counted(pool, 3);
        Atomic<uint32_t> joined{};
        Atomic<uint32_t> refused{};
        const auto join_or_close = [&] {
            const Status status = pool.join();
            if (status == Status::ok) {
                joined.fetch_add(1, release);
            } else {
                CHECK_EQ(status, Status::wrong_context);
                refused.fetch_add(1, relaxed);
                pool.shutdown();
            }
        };
        const OnCore1 rival(join_or_close);
        for (uint32_t i = 0; i < round % 8 * 20; ++i) Port::relax();
        {
            const Guard guard("one of two joiners to be refused");
            join_or_close();
        }
        await([&] { return joined.load(acquire) == 1; }, "the other joiner");
        CHECK_EQ(refused.load(relaxed), 1);
        check_runs(3, 1);
        CHECK_EQ(join(pool), Status::ok);  // from now on every join() says so at once
        CHECK_EQ(join(pool), Status::ok);
    }
}

void V11_join_counts_what_it_runs() {
    Scheduler& pool = one_room.build();
    forget_runs();
    submit_counted_batch(pool, 2 * ring);
    CHECK_EQ(pool.poll(3).tasks, 3);
    pool.shutdown();
    CHECK_EQ(pool.total().executed, 3);
    CHECK_EQ(join(pool), Status::ok);
    check_runs(2 * ring, 1);
    CHECK_EQ(pool.stats(0).executed, 2 * ring);
    CHECK_EQ(pool.total().executed, 2 * ring);
}

constexpr tap::Test tests[] = {
    TEST(Z7_foreign_joiner_runs_what_is_left),
    TEST(Z7_one_joiner_at_a_time),
    TEST(E2_foreign_joiner_hands_back_pinned),
    TEST(V11_join_counts_what_it_runs),
};

}  // namespace

extern const tap::Tests join_tests{tests};

}  // namespace firmware
