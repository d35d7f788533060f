// SPDX-License-Identifier: MIT OR Apache-2.0
// Firmware tests: long tasks, on a limited number of cores.
#include "harness.hpp"

#if WEFT_BLOCKING

namespace firmware {
namespace {

// ---- Long tasks that know how many of them run.

Atomic<uint32_t> running{};
Atomic<uint32_t> most_running{};
Atomic<uint32_t> ended{};

struct Long : Task {
    constexpr Long() : Task(&Long::run) {}
    static void run(Task&) {
        const uint32_t now = running.fetch_add(1, relaxed) + 1;
        uint32_t most = most_running.load(relaxed);
        while (most < now && !most_running.compare_exchange(most, now, relaxed, relaxed)) continue;
        for (uint32_t i = 0; i != 50; ++i) Port::relax();
        running.fetch_sub(1, relaxed);
        ended.fetch_add(1, release);
    }
};
constexpr uint32_t many = 3 * cores;
Long longs[many];

void forget_longs() {
    Atomic<uint32_t>* const words[] = {&running, &most_running, &ended};
    for (Atomic<uint32_t>* word : words) word->store(0, relaxed);
}

bool has_no_other_core() {
    if (present() == 1) tap::skip("not on this board: core 0, which tests, is the only one");
    return present() == 1;
}
bool has_no_two_others() {
    if (present() < 3) tap::skip("not on this board: it needs two cores besides core 0");
    return present() < 3;
}

// At most so many at a time, whatever the limit; all of them run, over and over.
void P8_no_more_than_the_limit() {
    if (has_no_other_core()) return;
    Pool& pool = new_pool();
    forget_longs();
    uint32_t sum = 0;
    for (uint32_t round = 0; round != rounds(200); ++round) {
        const uint32_t limit = 1 + round % cores;
        CHECK_EQ(pool.limit_blocking(limit), Status::ok);
        most_running.store(0, relaxed);
        for (Long& one : longs) CHECK_EQ(pool.submit_blocking(one), Status::ok);
        sum += many;
        await([sum] { return ended.load(acquire) == sum; }, "long tasks");
        CHECK(most_running.load(relaxed) <= limit);
        await([&pool] { return pool.blocking_cores() == 0; }, "the count to go back");
    }
    end(pool);
}

// A long task that stays keeps one core; short ones run beside it, from a task, from outside and from a handler.
Pool* of_handler;
Counted from_handler;
Atomic<uint32_t> handed{};
void submit_in_interrupt() {
    if (handed.load(relaxed) != 0) return;
    handed.store(1, relaxed);
    CHECK_EQ(of_handler->submit_from_isr(from_handler), Status::ok);
}
void P8_others_never_wait() {
    if (has_no_two_others()) return;
    Pool& pool = new_pool();
    static Blocker blocker;
    CHECK_EQ(pool.submit_blocking(blocker), Status::ok);
    blocker.await_entered();
    forget_runs();
    submit_counted(pool, 2 * ring);
    await([] { return counted_runs.load(acquire) == 2 * ring; }, "short tasks beside a long one");
    of_handler = &pool;
    handed.store(0, relaxed);
    forget_runs();
    board::start_timer(100, submit_in_interrupt);
    await([] { return counted_runs.load(acquire) == 1; }, "a short task of a handler beside a long one");
    board::stop_timer();
    // A second long one waits for the first.
    forget_longs();
    CHECK_EQ(pool.submit_blocking(longs[0]), Status::ok);
    forget_runs();
    submit_counted(pool, ring);
    await([] { return counted_runs.load(acquire) == ring; }, "short tasks, with a second long one queued");
    CHECK_EQ(ended.load(acquire), 0);
    CHECK_EQ(pool.blocking_cores(), 1);
    blocker.let_go();
    await([] { return ended.load(acquire) == 1; }, "the next long task, when the first has ended");
    end(pool);
}

// A long task begins on a core whose ring is never empty, and no other one's is: what lies in the first one goes on all
// the same.
void P8_nothing_waits_behind_a_long_one() {
    if (has_no_two_others()) return;
    Pool& pool = new_pool();
    static Chained chains[cores][2];
    static Blocker blocker;
    for (uint32_t core = 1; core != cores; ++core) {
        if (!is_present(core)) continue;
        for (Chained& one : chains[core]) {
            one.pool = &pool;
            CHECK_EQ(pool.submit_on(core, one), Status::ok);
        }
        await([core] { return chains[core][1].links.load(relaxed) != 0; }, "a chain to begin");
    }
    CHECK_EQ(pool.submit_blocking(blocker), Status::ok);
    blocker.await_entered();
    for (uint32_t core = 1; core != cores; ++core) {
        for (Chained& one : chains[core]) {
            const uint32_t before = one.links.load(relaxed);
            if (before == 0) continue;
            await([&one, before] { return one.links.load(relaxed) != before || one.is_over(); },
                  "each chain");
            CHECK(!one.is_over());
        }
    }
    for (auto& chain : chains) {
        for (Chained& one : chain) one.stop.store(1, relaxed);
    }
    blocker.let_go();
    end(pool);
}

// Nor behind one that helps in a join, over and over: that is no task of its core's loop.
void P8_nothing_waits_behind_a_join() {
    if (present() < 4) return tap::skip("not on this board: it needs three cores besides core 0");
    Pool& pool = new_pool();
    static Chained chains[cores];
    static Pool* its_pool;
    static Atomic<uint32_t> begun, over;
    its_pool = &pool;
    begun.store(0, relaxed);
    over.store(0, relaxed);
    forget_runs();
    static Calls comes([] {});
    CHECK_EQ(pool.submit_on(2, comes), Status::ok);
    for (uint32_t core = 3; core != cores; ++core) {
        chains[core].pool = &pool;
        chains[core].relaxes = 200;
        CHECK_EQ(pool.submit_on(core, chains[core]), Status::ok);
        await([core] { return chains[core].links.load(relaxed) != 0; }, "a chain to begin");
    }
    static Calls joins([] {
        weft::fork_join(
            [] {
                await([] { return begun.load(acquire) != 0; }, "core 2 to take the child");
                submit_counted(*its_pool, ring / 2);
            },
            [] {
                begun.store(1, release);
                while (over.load(relaxed) == 0)
                    weft::parallel_for(0u, 16u, 1, [](uint32_t) { Port::relax(); });
            });
    });
    CHECK_EQ(pool.submit_on(1, joins), Status::ok);
    await([] { return counted_runs.load(acquire) == ring / 2 || chains[3].is_over(); },
          "what lies behind a join");
    CHECK_EQ(counted_runs.load(acquire), ring / 2);
    over.store(1, relaxed);
    for (Chained& one : chains) one.stop.store(1, relaxed);
    end(pool);
}

// The limit is raised while one runs: the next one begins beside it. Lowered: none before fewer run.
void P8_the_limit_changes() {
    if (has_no_two_others()) return;
    Pool& pool = new_pool();
    static Blocker first;
    static Blocker second;
    forget_longs();
    CHECK_EQ(pool.limit_blocking(0), Status::out_of_range);
    CHECK_EQ(pool.submit_blocking(first), Status::ok);
    first.await_entered();
    CHECK_EQ(pool.submit_blocking(second), Status::ok);
    CHECK_EQ(second.entered.load(acquire), 0);
    CHECK_EQ(pool.limit_blocking(2), Status::ok);
    second.await_entered();
    CHECK_EQ(pool.blocking_cores(), 2);
    CHECK_EQ(pool.limit_blocking(1), Status::ok);
    CHECK_EQ(pool.submit_blocking(longs[0]), Status::ok);
    first.let_go();
    await([&pool] { return pool.blocking_cores() == 1; }, "one of two to end");
    pass_time(1);
    CHECK_EQ(ended.load(acquire), 0);
    second.let_go();
    await([] { return ended.load(acquire) == 1; }, "the one that waited");
    CHECK_EQ(pool.limit_blocking(UINT32_MAX), Status::ok);
    end(pool);
}

// From an interrupt of each core, beside ordinary tasks.
Long of_core[cores];
Atomic<uint32_t> accepted{};
Atomic<uint32_t> left_of_core[cores];
void long_in_interrupt() {
    const uint32_t core = weft::this_core();
    const uint32_t left = left_of_core[core].load(relaxed);
    if (left == 0 || left % 2 != ended.load(acquire) % 2) return;
    left_of_core[core].store(left - 1, relaxed);
    if (of_handler->submit_blocking_from_isr(of_core[core]) == Status::ok) accepted.fetch_add(1, relaxed);
}
void P8_from_interrupts() {
    if (has_no_other_core()) return;
    Pool& pool = new_pool();
    start_workers(pool);
    forget_longs();
    accepted.store(0, relaxed);
    of_handler = &pool;
    for (uint32_t core = 0; core != cores; ++core) left_of_core[core].store(core == 0 ? 6 : 0, relaxed);
    board::start_timer(200, long_in_interrupt);
    await([] { return left_of_core[0].load(relaxed) == 0; }, "long tasks of a handler");
    board::stop_timer();
    await([] { return ended.load(acquire) == accepted.load(relaxed); }, "what handlers have submitted");
    CHECK(most_running.load(relaxed) <= 1);
    end(pool);
}

// Not in a poll; by the joiner in the end.
void P8_not_in_a_poll() {
    Pool& pool = new_pool();
    forget_longs();
    static Counted here;
    CHECK_EQ(pool.submit_on(0, here), Status::ok);
    while (pool.poll(1).tasks != 0) continue;
    static Atomic<uint32_t> where;
    where.store(UINT32_MAX, relaxed);
    static Job job([] { where.store(weft::this_core(), release); });
    CHECK_EQ(pool.submit_blocking(job), Status::ok);
    for (uint32_t i = 0; i != 20; ++i) {
        static_cast<void>(pool.poll(1));
        CHECK(where.load(acquire) != 0);
    }
    if (present() > 1) {
        await([] { return where.load(acquire) != UINT32_MAX; }, "a core that was started for it");
        CHECK(where.load(acquire) != 0);
    }
    end(pool);
    CHECK(where.load(acquire) != UINT32_MAX);
}

// The end: drained, the limit is kept; abandoned, what has not begun is handed back.
void P8_at_the_end() {
    if (has_no_other_core()) return;
    for (Shutdown mode : modes) {
        Pool& pool = new_pool();
        static Blocker blocker;
        forget_longs();
        CHECK_EQ(pool.submit_blocking(blocker), Status::ok);
        blocker.await_entered();
        for (Long& one : longs) CHECK_EQ(pool.submit_blocking(one), Status::ok);
        CHECK(!pool.is_closing());
        pool.shutdown(mode);
        CHECK(pool.is_closing());
        CHECK_EQ(pool.submit_blocking(longs[0]), Status::closed);
        CHECK_EQ(pool.submit_blocking_from_isr(longs[0]), Status::closed);
        blocker.let_go();
        Batch left_over;
        CHECK_EQ(join(pool, &left_over), Status::ok);
        uint32_t back = 0;
        while (left_over.pop() != nullptr) ++back;
        CHECK_EQ(back, mode == Shutdown::drain ? 0 : many);
        CHECK_EQ(ended.load(acquire), mode == Shutdown::drain ? many : 0);
        CHECK(most_running.load(relaxed) <= 1);
    }
}

// One that does not end by itself asks whether the pool does.
void P8_asks_for_the_end() {
    if (has_no_other_core()) return;
    Pool& pool = new_pool();
    static Pool* in_task;
    static Atomic<uint32_t> begun;
    in_task = &pool;
    begun.store(0, relaxed);
    static Job job([] {
        begun.store(1, release);
        while (!in_task->is_closing()) Port::relax();
    });
    CHECK_EQ(pool.submit_blocking(job), Status::ok);
    await([] { return begun.load(acquire) == 1; }, "a long task");
    end(pool);
}

#if WEFT_ELASTIC
// A core that is retired in a long task leaves when that ends. By its keep-alive the last one without such a task does
// not leave, and when that has ended, it does.
void P8_beside_cores_that_leave() {
    if (has_no_two_others()) return;
    Pool& pool = new_pool();
    static Blocker blocker;
    CHECK_EQ(pool.keep_alive(0), Status::ok);
    start_workers(pool);
    CHECK_EQ(pool.submit_blocking(blocker), Status::ok);
    blocker.await_entered();
    await([&pool] { return pool.live_cores() == 2; }, "all to leave but the long task's core and one");
    of_handler = &pool;
    handed.store(0, relaxed);
    forget_runs();
    board::start_timer(100, submit_in_interrupt);
    await([] { return counted_runs.load(acquire) == 1; }, "a short task of a handler beside a long one");
    board::stop_timer();
    blocker.let_go();
    await([&pool] { return pool.live_cores() == 1; }, "all to leave but one");
    end(pool);
}
#endif

#if WEFT_REST
// A pool with one queued is not idle.
void P8_no_rest_while_one_is_queued() {
    if (has_no_other_core()) return;
    Pool& pool = new_pool();
    forget_longs();
    for (Long& one : longs) CHECK_EQ(pool.submit_blocking(one), Status::ok);
    CHECK_EQ(pool.wait_idle(), Status::ok);
    CHECK_EQ(ended.load(acquire), many);
    end(pool);
}
#endif

#if WEFT_CHECKS
Atomic<uint32_t> answers{};
void limit_in_interrupt() {
    const bool refused = of_handler->limit_blocking(1) == Status::wrong_context &&
                         of_handler->submit_blocking(longs[0]) == Status::wrong_context;
    answers.store(refused ? 1 : 2, release);
}
void P8_misuse() {
    Pool& pool = new_pool();
    of_handler = &pool;
    answers.store(0, relaxed);
    board::start_timer(100, limit_in_interrupt);
    await([] { return answers.load(acquire) != 0; }, "a handler");
    board::stop_timer();
    CHECK_EQ(answers.load(acquire), 1);
    if (present() > 1) {
        static Blocker blocker;
        CHECK_EQ(pool.submit_blocking(blocker), Status::ok);
        blocker.await_entered();
        CHECK_EQ(pool.submit_blocking(longs[0]), Status::ok);
        CHECK_EQ(pool.submit_blocking(longs[0]), Status::already_queued);
        CHECK_EQ(pool.submit(longs[0]), Status::already_queued);
        blocker.let_go();
    }
    end(pool);
}
#endif

constexpr tap::Test tests[] = {
    TEST(P8_no_more_than_the_limit),
    TEST(P8_others_never_wait),
    TEST(P8_nothing_waits_behind_a_long_one),
    TEST(P8_nothing_waits_behind_a_join),
    TEST(P8_the_limit_changes),
    TEST(P8_from_interrupts),
    TEST(P8_not_in_a_poll),
    TEST(P8_at_the_end),
    TEST(P8_asks_for_the_end),
#if WEFT_ELASTIC
    TEST(P8_beside_cores_that_leave),
#endif
#if WEFT_REST
    TEST(P8_no_rest_while_one_is_queued),
#endif
#if WEFT_CHECKS
    TEST(P8_misuse),
#endif
};

}  // namespace

extern const tap::Tests blocking_tests{tests};

}  // namespace firmware

#endif  // WEFT_BLOCKING
