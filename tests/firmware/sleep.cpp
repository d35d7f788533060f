// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests of on_sleep() (WEFT_SLEEP_HOOKS=1).
#include "harness.hpp"

#if WEFT_SLEEP_HOOKS

namespace firmware {
namespace {

constexpr uint32_t no_core = UINT32_MAX;

// Each core writes its own entries, and reads them itself; others when all has ended.
struct Account {
    uint32_t begun = 0;
    uint32_t ended = 0;
    uint32_t begun_at = 0;
    uint32_t slept = 0;
    uint32_t longest = 0;
    uint32_t wrong = 0;
};
Account accounts[cores];
Pool* hooked;
Atomic<uint32_t> to_submit;  // by the next core that sleeps
Status inside[3];            // of poll(), run() and wait_idle() within

void begin_sleep(uint32_t core, uint32_t last, void* argument) {
    Account& own = static_cast<Account*>(argument)[core];
    if (core != Port::core_id() || own.begun != own.ended || last != own.slept) ++own.wrong;
    ++own.begun;
    own.begun_at = Port::now();
    if (to_submit.load(relaxed) == 0 || to_submit.exchange(0, acq_rel) == 0) return;
    inside[0] = hooked->poll(1).status;
    inside[1] = hooked->run();
    inside[2] = hooked->wait_idle();
    if (hooked->submit(counted[1]) != Status::ok) ++own.wrong;
}

void end_sleep(uint32_t core, uint32_t slept, void* argument) {
    Account& own = static_cast<Account*>(argument)[core];
    if (core != Port::core_id() || own.begun != own.ended + 1) ++own.wrong;
    if (slept > Port::now() - own.begun_at) ++own.wrong;
    own.slept = slept;
    if (slept > own.longest) own.longest = slept;
    ++own.ended;
}

Pool& new_hooked_pool() {
    Pool& pool = new_pool();
    hooked = &pool;
    for (Account& one : accounts) one = Account();
    to_submit.store(0, relaxed);
    forget_runs();
    CHECK_EQ(pool.on_sleep(begin_sleep, end_sleep, accounts), Status::ok);
    return pool;
}

void check_accounts() {
    for (const Account& one : accounts) {
        CHECK_EQ(one.begun, one.ended);
        CHECK_EQ(one.wrong, 0u);
    }
}

// Many sleeps of many lengths; each has its begin and its end, on its own core.
void N18_hooks_come_in_pairs() {
    if (present() < 2) return tap::skip(one_core);
    Pool& pool = new_hooked_pool();
    start_workers(pool);
    await_rest(pool);
    for (uint32_t i = 0; i < rounds(200); ++i) {
        const uint32_t before = counted[0].runs.load(acquire);
        CHECK_EQ(pool.submit(counted[0]), Status::ok);
        await([&] { return counted[0].runs.load(acquire) != before; }, "a task while others sleep");
    }
    await_rest(pool);
    pass_time(10);
    end(pool);
    check_accounts();
    uint32_t sleeps = 0, longest = 0;
    for (const Account& one : accounts) {
        sleeps += one.begun;
        if (one.longest > longest) longest = one.longest;
    }
    CHECK(sleeps != 0);
    CHECK(longest != 0);  // while this core let time pass, the others slept
}

// What a function submits runs; what needs a worker that is awake is refused there.
void N18_hooks_may_submit() {
    if (present() < 2) return tap::skip(one_core);
    Pool& pool = new_hooked_pool();
    start_workers(pool);
    await_rest(pool);
    to_submit.store(1, release);
    CHECK_EQ(pool.submit(counted[0]), Status::ok);  // a core wakes, and sleeps again
    await([] { return counted[1].runs.load(acquire) != 0; }, "what a core submits before its sleep");
    end(pool);
    check_accounts();
    for (const Status status : inside) CHECK_EQ(status, Status::wrong_context);
    check_runs(2, 1);
}

// A join that waits for its child sleeps, too.
void N18_hooks_of_a_join() {
    if (present() < 3) return tap::skip("not on this board: a third core");
    Pool& pool = new_hooked_pool();
    start_workers(pool);
    await_rest(pool);
    uint32_t joiner = no_core;
    uint32_t sleeps = 0;
    for (uint32_t tries = 0; tries < 1000 && sleeps == 0; ++tries) {
        Atomic<uint32_t> over{};
        Job job([&] {
            joiner = Port::core_id();
            const uint32_t before = accounts[joiner].begun;
            Atomic<uint32_t> begun{};
            weft::fork_join(
                [&] {
                    for (uint32_t left = 100000; left != 0 && begun.load(acquire) == 0; --left) Port::relax();
                },
                [&] {
                    begun.store(1, release);
                    pass_time(10);  // the join looks around for a while, and then sleeps
                });
            sleeps = accounts[joiner].begun - before;
            over.store(1, release);
        });
        CHECK_EQ(pool.submit(job), Status::ok);
        await([&] { return over.load(acquire) != 0; }, "a join");
        await_rest(pool);
    }
    CHECK(sleeps != 0);
    end(pool);
    check_accounts();
}

void N18_hooks_are_set_before() {
    Pool& pool = new_pool();
    CHECK_EQ(pool.on_sleep(nullptr, nullptr, nullptr), Status::ok);
    Atomic<uint32_t> over{};
    Status within = Status::ok;
    Job sets([&] {
        within = pool.on_sleep(begin_sleep, end_sleep, accounts);
        over.store(1, release);
    });
    CHECK_EQ(pool.submit(sets), Status::ok);
    if (present() < 2) static_cast<void>(pool.poll(1));
    await([&] { return over.load(acquire) != 0; }, "a task that sets the functions");
    CHECK_EQ(within, Status::wrong_context);
    end(pool);
}

constexpr tap::Test tests[] = {
    TEST(N18_hooks_come_in_pairs),
    TEST(N18_hooks_may_submit),
    TEST(N18_hooks_of_a_join),
    TEST(N18_hooks_are_set_before),
};

}  // namespace

extern const tap::Tests sleep_tests{tests};

}  // namespace firmware

#endif
