// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of the level that preempts: with one core that polls, what comes when is exact. The interrupt is a signal
// to the calling thread, which has come when the call that makes it pending returns.
#include <weft/config.hpp>

#if WEFT_PREEMPTION

#include <signal.h>

#include <functional>

#include "harness.hpp"
#include "weft_image.hpp"

namespace unit {
namespace {

using weft::Port;
using weft::Urgency;

constexpr Urgency at_once{WEFT_URGENCY_LEVELS - 1};
constexpr Urgency next_below{WEFT_URGENCY_LEVELS - 2};  // with two levels that is the normal one
using Callable = Job<std::function<void()>>;

// While it lives, the interrupt is masked on this thread.
class Masked {
public:
    Masked() { set(SIG_BLOCK); }
    ~Masked() { set(SIG_UNBLOCK); }
    Masked(const Masked&) = delete;
    Masked& operator=(const Masked&) = delete;

private:
    static void set(int how) {
        sigset_t signals;
        sigemptyset(&signals);
        sigaddset(&signals, SIGURG);
        pthread_sigmask(how, &signals, nullptr);
    }
};

// Runs `body` as a task that preempts a task of a pool with one core.
void on_top(weft::Scheduler& pool, const std::function<void()>& body) {
    bool ran = false;
    Callable top([&] { body(), ran = true; });
    Callable below([&] {
        CHECK_EQ(pool.submit(top, at_once), Status::ok);
        CHECK(ran);
    });
    CHECK_EQ(pool.submit(below), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    CHECK(ran);
}

void N17_begins_on_top_of_a_task() {
    Pool<1> pool;
    Count top;
    on_top(pool, [&] { CHECK(!Port::in_isr()); });
    Callable below([&] {
        CHECK_EQ(pool.submit(top, at_once), Status::ok);
        CHECK_EQ(top.runs, 1);
        CHECK_EQ(pool.submit_from_isr(top, at_once), Status::ok);
        CHECK_EQ(top.runs, 2);
        Batch batch;
        CHECK_EQ(batch.push(top), Status::ok);
        CHECK_EQ(pool.submit(batch, at_once), Status::ok);
        CHECK_EQ(top.runs, 3);
    });
    CHECK_EQ(pool.submit(below), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 1);
    CHECK_EQ(pool.total().executed, 2);
    CHECK_EQ(pool.total().preempting, 4);
    CHECK_EQ(pool.submit(top, at_once),
             Status::ok);  // nobody works here: it waits, and is no task of the poll
    CHECK_EQ(top.runs, 3);
    CHECK_EQ(pool.poll(9).tasks, 0);
    CHECK_EQ(top.runs, 4);
}

// Handlers are not interrupted, and neither is who has masked the interrupt: it stays pending.
void N17_a_masked_interrupt_stays_pending() {
    Pool<1> pool;
    Count top;
    Callable below([&] {
        {
            weft::host::Interrupt handler;
            CHECK_EQ(pool.submit_from_isr(top, at_once), Status::ok);
            CHECK_EQ(top.runs, 0);
        }
        CHECK_EQ(top.runs, 1);
        {
            const Masked masked;
            CHECK_EQ(pool.submit(top, at_once), Status::ok);
            CHECK_EQ(top.runs, 1);
        }
        CHECK_EQ(top.runs, 2);
    });
    CHECK_EQ(pool.submit(below), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    CHECK_EQ(top.runs, 2);
}

// It runs to completion: what it submits to its own level comes behind it, and before the task below goes on.
void N17_runs_to_completion() {
    Pool<1> pool;
    std::vector<char> order;
    order.reserve(16);  // on top of a task nobody allocates
    Callable second([&] { order.push_back('2'); });
    Callable again([&] {
        order.push_back('a');
        if (order.size() < 4) CHECK_EQ(pool.submit(again, at_once), Status::ok);
        order.push_back('e');
    });
    Callable below([&] {
        order.push_back('b');
        CHECK_EQ(pool.submit(again, at_once), Status::ok);
        order.push_back('b');
    });
    CHECK_EQ(pool.submit(below), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    CHECK(order == std::vector<char>({'b', 'a', 'e', 'a', 'e', 'b'}));
    order.clear();
    on_top(pool, [&] {
        CHECK_EQ(pool.submit(second, at_once), Status::ok);
        order.push_back('1');
    });
    CHECK(order == std::vector<char>({'1', '2'}));
}

void N17_what_it_may_call() {
    Pool<1> pool;
    weft::Strand strand{pool};
    Count normal, from_isr, urgent, batched, in_strand, behind_gate, on_event;
    weft::Gate gate{pool, behind_gate, 1};
    weft::Event event{pool};
    on_top(pool, [&] {
        CHECK_EQ(pool.submit(normal), Status::ok);
        CHECK_EQ(pool.submit_from_isr(from_isr), Status::ok);
        CHECK_EQ(pool.submit(urgent, next_below), Status::ok);
        Batch batch;
        CHECK_EQ(batch.push(batched), Status::ok);
        CHECK_EQ(pool.submit(batch), Status::ok);
        CHECK_EQ(strand.submit(in_strand), Status::ok);
        CHECK_EQ(gate.arrive(), Status::ok);
        CHECK_EQ(event.wait(on_event), Status::ok);
        CHECK_EQ(event.set(), Status::ok);
        for (const Count* task : {&normal, &from_isr, &urgent, &batched, &in_strand, &behind_gate, &on_event})
            CHECK_EQ(task->runs, 0);
    });
    CHECK_EQ(pool.poll(99).tasks, 7);
    for (const Count* task : {&normal, &from_isr, &urgent, &batched, &in_strand, &behind_gate, &on_event})
        CHECK_EQ(task->runs, 1);
    // What follows strand, gate and event is submitted as ever.
    on_top(pool, [&] { pool.shutdown(); });
    CHECK_EQ(pool.submit(normal), Status::closed);
}

#if WEFT_TIMERS
void N17_timers() {
    Pool<1> pool;
    Count top, normal;
    weft::Timer preempting{pool, top, at_once}, usual{pool, normal};
    on_top(pool, [&] {
        CHECK_EQ(usual.start_after(0), Status::ok);
        CHECK(usual.cancel() == weft::CancelResult::cancelled);
        CHECK_EQ(usual.start_after(0), Status::ok);
        CHECK_EQ(preempting.start_after(0), Status::ok);
    });
    CHECK_EQ(pool.poll(9).tasks, 1);
    CHECK_EQ(normal.runs, 1);
    CHECK_EQ(top.runs, 1);
}
#endif

void N17_forks_run_serially() {
    Pool<1> pool;
    uint32_t sum = 0;
    on_top(pool, [&] {
        weft::fork_join([&] { sum += 1; }, [&] { sum += 10; }, [&] { sum += 100; });
        CHECK_EQ(sum, 111);
        weft::parallel_for(0, 10, 1, [&](int i) { sum += static_cast<uint32_t>(i); });
        CHECK_EQ(sum, 156);
        weft::fork_join(
            pool, [&] { sum += 1; }, [&] { sum += 1; });
        weft::parallel_for(pool, 0, 2, 1, [&](int) { sum += 1; });
        CHECK_EQ(sum, 160);
        weft::TaskGroup group;
        auto add = [&] { sum += 40; };
        weft::GroupTask<decltype(add)> child(add);
        group.run(child);
        group.wait();
    });
    CHECK_EQ(sum, 200);
    // Between a fork and its join it does not touch the children of the task below.
    Callable inner([&] { weft::fork_join([&] { sum += 1; }, [&] { sum += 1; }); });
    Callable outer([&] {
        weft::fork_join([&] { CHECK_EQ(pool.submit(inner, at_once), Status::ok); },
                        [&] { CHECK_EQ(sum, 202); });
    });
    CHECK_EQ(pool.submit(outer), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    CHECK_EQ(sum, 202);
}

// Checked in every build: on top of what it waits for it would wait for ever.
void N17_what_would_wait_is_refused() {
    Pool<1> pool, other;
    Count task;
    for (weft::Scheduler* each :
         {static_cast<weft::Scheduler*>(&pool), static_cast<weft::Scheduler*>(&other)}) {
        on_top(pool, [&] {
            CHECK_EQ(each->run(), Status::wrong_context);
            CHECK_EQ(each->poll(1).status, Status::wrong_context);
            Batch left;
            CHECK_EQ(each->join(left), Status::wrong_context);
            CHECK_EQ(each->submit_on(0, task), Status::wrong_context);
#if WEFT_REST
            CHECK_EQ(each->wait_idle(), Status::wrong_context);
#endif
            weft::Completion completion{*each};
            CHECK_EQ(completion.wait(), Status::wrong_context);
        });
    }
    CHECK_EQ(pool.submit_on(0, task), Status::ok);
    CHECK_EQ(pool.poll(9).tasks, 1);
}

// On top of a task of another pool, and of a poll within that.
void N17_reaches_through_other_pools() {
    Pool<1> outer, inner;
    Count top, normal;
    Callable in_inner([&] {
        CHECK_EQ(outer.submit(top, at_once), Status::ok);
        CHECK_EQ(top.runs, 1);
        CHECK_EQ(inner.submit(top, at_once), Status::ok);
        CHECK_EQ(top.runs, 2);
        CHECK_EQ(inner.submit(normal), Status::ok);  // it is the task of its pool again
    });
    Callable in_outer([&] {
        CHECK_EQ(inner.submit(in_inner), Status::ok);
        CHECK_EQ(inner.poll(9).tasks, 2);
        CHECK_EQ(inner.submit(top, at_once), Status::ok);  // nobody works there now
        CHECK_EQ(top.runs, 2);
        CHECK_EQ(inner.poll(9).tasks, 0);
        CHECK_EQ(top.runs, 3);
    });
    CHECK_EQ(outer.submit(in_outer), Status::ok);
    CHECK_EQ(outer.poll(9).tasks, 1);
    CHECK_EQ(outer.total().preempting, 1);
    CHECK_EQ(inner.total().preempting, 2);
    CHECK_EQ(inner.total().submitted, 2);
}

// It goes before the turns of others, and takes none from them.
void N17_knows_no_turns() {
    Pool<1> pool;
    Count urgent[3 * WEFT_FAIR_INTERVAL], normal;
    Count top;
    for (Count& task : urgent) CHECK_EQ(pool.submit(task, next_below), Status::ok);
    CHECK_EQ(pool.submit(normal), Status::ok);
    for (uint32_t done = 0; done != 2 * WEFT_FAIR_INTERVAL; ++done) {
        CHECK_EQ(pool.submit(top, at_once), Status::ok);
        CHECK_EQ(pool.poll(1).tasks, 1);
        CHECK_EQ(top.runs, done + 1);
    }
    if (WEFT_URGENCY_LEVELS > 2) CHECK_EQ(normal.runs, 1);
    CHECK_EQ(pool.poll(999).tasks, WEFT_FAIR_INTERVAL + 1);
}

void N17_what_has_not_run_comes_back() {
    for (const auto mode : {weft::Shutdown::drain, weft::Shutdown::abandon}) {
        Pool<1> pool;
        Count top[2], late;
        for (Count& task : top) CHECK_EQ(pool.submit(task, at_once), Status::ok);
        pool.shutdown(mode);
        CHECK_EQ(pool.submit(late, at_once), Status::closed);
        CHECK_EQ(pool.submit_from_isr(late, at_once), Status::closed);
        Batch left;
        CHECK_EQ(pool.join(left), Status::ok);
        const uint32_t back = left.size();
        CHECK_EQ(back, mode == weft::Shutdown::drain ? 0 : 2);
        CHECK_EQ(top[0].runs + top[1].runs + back, 2);
        while (left.pop() != nullptr) {
        }
    }
}

const tap::Test tests[] = {
    TEST(N17_begins_on_top_of_a_task),
    TEST(N17_a_masked_interrupt_stays_pending),
    TEST(N17_runs_to_completion),
    TEST(N17_what_it_may_call),
#if WEFT_TIMERS
    TEST(N17_timers),
#endif
    TEST(N17_forks_run_serially),
    TEST(N17_what_would_wait_is_refused),
    TEST(N17_reaches_through_other_pools),
    TEST(N17_knows_no_turns),
    TEST(N17_what_has_not_run_comes_back),
};

}  // namespace

extern const tap::Tests preempt_tests{tests};

}  // namespace unit

#endif  // WEFT_PREEMPTION
