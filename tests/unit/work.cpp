// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tests of Work and Completion: what they answer, whose they are then, and what a wait runs meanwhile.
#include <thread>

#include "harness.hpp"
#include "weft_host_faults.hpp"

namespace unit {
namespace {

using weft::CancelResult;
using weft::Completion;
using weft::Gate;
using weft::Shutdown;
using weft::Strand;
using weft::Work;

void poll_all(weft::Scheduler& pool) {
    while (pool.poll(9).tasks != 0) {
    }
}

// ---- N4: cancel

void N4_cancelled_work_is_not_done() {
    Pool<1> pool;
    int runs = 0;
    Work work{pool, [&] { ++runs; }};
    CHECK_EQ(pool.submit(work), Status::ok);
    CHECK(work.cancel() == CancelResult::cancelled);
    CHECK(work.cancel() == CancelResult::cancelled);  // again: the same answer
    CHECK(work.is_cancelled());
    CHECK(!work.is_done());  // the queue has it
    CHECK_EQ(pool.poll(1).tasks, 1);
    CHECK(work.is_done());
    CHECK(work.is_cancelled());
    CHECK(work.cancel() == CancelResult::cancelled);
    CHECK_EQ(runs, 0);
}

void N4_cancel_comes_too_late() {
    Pool<1> pool;
    weft::Waitable* self = nullptr;
    CancelResult within = CancelResult::cancelled;
    Status reset = Status::ok;
    Work work{pool, [&] { within = self->cancel(), reset = self->reset(); }};
    self = &work;
    CHECK_EQ(pool.submit(work), Status::ok);
    poll_all(pool);
    CHECK(within == CancelResult::too_late);
    CHECK_EQ(reset, Status::not_expected);
    CHECK(work.cancel() == CancelResult::too_late);
    CHECK(!work.is_cancelled());
    CHECK(work.is_done());
}

// Also while it passes without the work: the core that has its turn still touches it.
void N4_no_reset_in_a_cancelled_turn() {
    weft::detail::Round round;
    CHECK(round.cancel() == CancelResult::cancelled);
    bool first = false;
    CHECK(!round.begin(first));
    CHECK(first);
    CHECK(!round.reset());
    round.end(false);
    CHECK(round.is_done() && round.is_cancelled());
    CHECK(round.reset());
    CHECK(!round.is_done() && !round.is_cancelled());
}

// Before the submit, by whom it is not queued; and after its turn.
void N4_reset_begins_a_round() {
    Pool<1> pool;
    int runs = 0;
    Work work{pool, [&] { ++runs; }};
    CHECK(work.cancel() == CancelResult::cancelled);
    CHECK_EQ(work.reset(), Status::ok);
    CHECK(!work.is_cancelled());
    CHECK_EQ(pool.submit(work), Status::ok);
    poll_all(pool);
    CHECK_EQ(runs, 1);
    CHECK_EQ(work.reset(), Status::ok);
    CHECK(!work.is_done());
    CHECK(work.cancel() == CancelResult::cancelled);
    CHECK_EQ(pool.submit(work), Status::ok);
    poll_all(pool);
    CHECK_EQ(runs, 1);
    CHECK_EQ(work.reset(), Status::ok);
    CHECK(!work.is_cancelled());
    CHECK_EQ(pool.submit(work), Status::ok);
    poll_all(pool);
    CHECK_EQ(runs, 2);
}

// However it is queued.
void N4_cancel_wherever_it_is_queued() {
    Pool<1> pool;
    Strand strand{pool};
    int runs = 0;
    auto count = [&] { ++runs; };
    Work plain{pool, count}, pinned{pool, count}, batched{pool, count}, in_strand{pool, count};
    Work from_isr{pool, count}, behind{pool, count};
    Gate gate{pool, behind, 1};
    Batch batch;
    CHECK_EQ(batch.push(batched), Status::ok);
    CHECK_EQ(pool.submit(plain), Status::ok);
    CHECK_EQ(pool.submit_on(0, pinned), Status::ok);
    CHECK_EQ(pool.submit(batch), Status::ok);
    CHECK_EQ(strand.submit(in_strand), Status::ok);
    CHECK_EQ(pool.submit_from_isr(from_isr), Status::ok);
    CHECK_EQ(gate.arrive(), Status::ok);
    weft::Waitable* const all[] = {&plain, &pinned, &batched, &in_strand, &from_isr, &behind};
    for (weft::Waitable* one : all) CHECK(one->cancel() == CancelResult::cancelled);
    poll_all(pool);
    CHECK_EQ(runs, 0);
    for (weft::Waitable* one : all) CHECK(one->is_done());
}

// A cancelled one is handed back as any other task, and may be used elsewhere.
void N4_cancelled_and_abandoned() {
    Pool<1> pool, other;
    int runs = 0;
    Work work{pool, [&] { ++runs; }};
    CHECK_EQ(pool.submit(work), Status::ok);
    CHECK(work.cancel() == CancelResult::cancelled);
    pool.shutdown(Shutdown::abandon);
    Batch left;
    CHECK_EQ(pool.join(left), Status::ok);
    CHECK_EQ(left.size(), 1);
    CHECK(!work.is_done());
    CHECK_EQ(work.reset(), Status::ok);
    CHECK_EQ(other.submit(left), Status::ok);
    poll_all(other);
    CHECK_EQ(runs, 1);
    CHECK(work.is_done());
}

// Of many cancels against one turn exactly one side wins, each time.
void N4_cancel_races_with_the_turn() {
    Pool<2> pool;
    std::vector<int> runs(2000, 0);
    for (int& one : runs) {
        Work work{pool, [&one] { ++one; }};
        CHECK_EQ(pool.submit(work), Status::ok);
        if (work.cancel() == CancelResult::cancelled) {
            CHECK_EQ(work.wait(), Status::ok);
            CHECK_EQ(one, 0);
        } else {
            CHECK_EQ(work.wait(), Status::ok);
            CHECK_EQ(one, 1);
        }
    }
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

// ---- N5: wait

// Outside, with no other core: the caller works.
void N5_wait_outside_works() {
    Pool<1> pool;
    int runs = 0;
    Work work{pool, [&] { ++runs; }};
    CHECK_EQ(pool.submit(work), Status::ok);
    CHECK_EQ(work.wait(), Status::ok);
    CHECK_EQ(runs, 1);
    CHECK_EQ(work.wait(), Status::ok);  // again: it is done
    CHECK_EQ(pool.live_cores(), 0);
}

// In a task, with no other core: what is waited for is behind others, which wait, too.
void N5_wait_in_a_task_runs_others() {
    Pool<1> pool;
    std::vector<int> order;
    Work last{pool, [&] { order.push_back(1); }};
    Work middle{pool, [&] {
                    CHECK_EQ(last.wait(), Status::ok);
                    order.push_back(2);
                }};
    Job first([&] {
        CHECK_EQ(pool.submit(middle), Status::ok);
        CHECK_EQ(pool.submit(last), Status::ok);
        CHECK_EQ(middle.wait(), Status::ok);
        order.push_back(3);
    });
    CHECK_EQ(pool.submit(first), Status::ok);
    CHECK_EQ(pool.poll(1).tasks, 1);
    CHECK(order == (std::vector<int>{1, 2, 3}));
    CHECK_EQ(pool.total().executed, 3);
}

void N5_wait_for_a_strand_and_for_a_gate() {
    Pool<2> pool;
    Strand strand{pool};
    Count tasks[5];
    Completion strand_is_empty{pool}, all_have_arrived{pool};
    Gate gate{pool, all_have_arrived, 3};
    auto arrives = [&] { CHECK_EQ(gate.arrive(), Status::ok); };
    Job<decltype(arrives)> arrivals[] = {Job(arrives), Job(arrives), Job(arrives)};
    for (Count& task : tasks) CHECK_EQ(strand.submit(task), Status::ok);
    CHECK_EQ(strand.submit(strand_is_empty), Status::ok);
    for (Task& task : arrivals) CHECK_EQ(pool.submit(task), Status::ok);
    CHECK_EQ(strand_is_empty.wait(), Status::ok);
    for (Count& task : tasks) CHECK_EQ(task.runs, 1);
    CHECK_EQ(all_have_arrived.wait(), Status::ok);
    pool.shutdown();
    CHECK_EQ(pool.join(), Status::ok);
}

// It lives on the stack of who waits: nothing touches it when the wait has returned.
void N5_rounds_on_a_stack() {
    Pool<2> pool;
    uint32_t sum = 0;
    Job all([&] {
        for (uint32_t round = 0; round != 2000; ++round) {
            Work part{pool, [&] { sum += round; }};
            CHECK_EQ(pool.submit(part), Status::ok);
            CHECK_EQ(part.wait(), Status::ok);
            CHECK_EQ(part.reset(), Status::ok);
            CHECK_EQ(pool.submit(part), Status::ok);
            CHECK_EQ(part.wait(), Status::ok);
        }
        pool.shutdown();
    });
    CHECK_EQ(pool.submit(all), Status::ok);
    CHECK_EQ(pool.run(), Status::ok);
    CHECK_EQ(pool.join(), Status::ok);
    CHECK_EQ(sum, 2000 * 1999);
}

// The pool is abandoned by what the waiting core runs meanwhile: the wait ends, and join() has the task.
void N5_wait_ends_when_the_pool_is_abandoned() {
    Pool<1> pool;
    Work never{pool, [] {}};
    Status waited = Status::ok;
    Job ends([&] { pool.shutdown(Shutdown::abandon); });
    Job waits([&] {
        if (!WEFT_NEWEST_FIRST) CHECK_EQ(pool.submit(ends), Status::ok);
        CHECK_EQ(pool.submit(never), Status::ok);
        if (WEFT_NEWEST_FIRST) CHECK_EQ(pool.submit(ends), Status::ok);
        waited = never.wait();
    });
    CHECK_EQ(pool.submit(waits), Status::ok);
    CHECK_EQ(pool.run(), Status::ok);
    CHECK_EQ(waited, Status::closed);
    CHECK(!never.is_done());
    Batch left;
    CHECK_EQ(pool.join(left), Status::ok);
    CHECK_EQ(left.size(), 1);
    while (left.pop() != nullptr) {
    }
    CHECK_EQ(never.wait(), Status::closed);  // the pool is sealed
}

// Abandoned while it runs on another core: the wait goes on until it has ended.
void N5_wait_goes_on_while_it_runs() {
    Pool<2> pool;
    Atomic<uint32_t> returned{0};
    bool has_run = false;
    Work part{pool, [&] {
                  pool.shutdown(Shutdown::abandon);
                  for (int i = 0; i != 100000 && returned.load(relaxed) == 0; ++i) weft::Port::relax();
                  has_run = returned.load(relaxed) == 0;
              }};
    Status waited = Status::closed;
    Job waits([&] {
        CHECK_EQ(pool.submit_on(1, part), Status::ok);
        waited = part.wait();
        returned.store(1, relaxed);
    });
    CHECK_EQ(pool.submit(waits), Status::ok);
    CHECK_EQ(pool.run(), Status::ok);
    CHECK_EQ(pool.join(), Status::ok);
    CHECK_EQ(waited, Status::ok);
    CHECK(has_run);
}

// What nobody will queue any more does not keep a pool from ending.
void N5_wait_ends_when_the_others_have_left() {
    Pool<2> pool;
    Completion never{pool};
    Status waited = Status::ok;
    Job waits([&] { waited = never.wait(); });
    CHECK_EQ(pool.submit(waits), Status::ok);
    pool.shutdown();
    CHECK_EQ(pool.run(), Status::ok);
    CHECK_EQ(pool.join(), Status::ok);
    CHECK_EQ(waited, Status::closed);
}

// During a drain, a wait is served as before.
void N5_wait_during_a_drain() {
    Pool<1> pool;
    Work last{pool, [] {}};
    Status waited = Status::closed;
    Job waits([&] {
        CHECK_EQ(pool.submit(last), Status::ok);
        pool.shutdown();
        waited = last.wait();
    });
    CHECK_EQ(pool.submit(waits), Status::ok);
    CHECK_EQ(pool.run(), Status::ok);
    CHECK_EQ(waited, Status::ok);
    CHECK_EQ(pool.join(), Status::ok);
}

void N5_one_core_waits_at_a_time() {
    Pool<1> pool;
    Completion end{pool};
    Status second = Status::ok;
    Job waits_too([&] {
        second = end.wait();
        CHECK_EQ(pool.submit(end), Status::ok);
    });
    Status first = Status::closed;
    Job waits([&] {
        CHECK_EQ(pool.submit(waits_too), Status::ok);
        first = end.wait();
    });
    CHECK_EQ(pool.submit(waits), Status::ok);
    poll_all(pool);
    CHECK_EQ(second, Status::wrong_context);
    CHECK_EQ(first, Status::ok);
}

#if WEFT_FORK_DEPTH
// Between a fork and its join a core has frames open, below which nothing else may wait.
void N5_no_wait_between_fork_and_join() {
    Pool<1> pool;
    Work work{pool, [] {}};
    Status left = Status::ok, right = Status::closed;
    CHECK_EQ(pool.submit(work), Status::ok);
    weft::fork_join(
        pool, [&] { left = work.wait(); }, [] {});
    CHECK_EQ(left, Status::wrong_context);
    weft::fork_join(
        pool, [] {}, [&] { right = work.wait(); });  // nothing is open any more, as nobody stole it
    CHECK_EQ(right, Status::ok);
}

// The core of a pool is foreign to another one that has fewer.
void N5_foreign_core_waits() {
    Pool<1> small;
    Pool<2> both;
    Status waited = Status::closed, in_the_other = Status::ok;
    int runs = 0;
    Work work{small, [&] { ++runs; }};
    std::thread foreign([&] {
        CHECK_EQ(small.submit(work), Status::ok);
        waited = work.wait();
        small.shutdown();
    });
    CHECK_EQ(small.run(), Status::ok);
    foreign.join();
    CHECK_EQ(small.join(), Status::ok);
    CHECK_EQ(waited, Status::ok);
    CHECK_EQ(runs, 1);
    Job in_a_task([&] { in_the_other = work.reset() == Status::ok ? work.wait() : Status::ok; });
    CHECK_EQ(both.submit_on(1, in_a_task), Status::ok);
    both.shutdown();
    CHECK_EQ(both.join(), Status::ok);
    CHECK_EQ(in_the_other, Status::wrong_context);
}

#endif

// A task that waits for another one, while a foreign core waits for that task: nobody stands in anybody's way.
void N5_foreign_core_waits_for_who_waits() {
    for (int round = 0; round != 100; ++round) {
        Pool<1> pool;
        Atomic<uint32_t> begun{0}, asked{0};
        Work child{pool, [] {}};
        Work parent{pool, [&] {
                        begun.store(1, release);
                        CHECK_EQ(child.wait(), Status::ok);
                    }};
        std::thread foreign([&] {
            CHECK_EQ(pool.submit(parent), Status::ok);
            tap::wait_for([&] { return begun.load(acquire) != 0; }, "the parent");
            asked.store(1, release);
            CHECK_EQ(parent.wait(), Status::ok);
            pool.shutdown();
        });
        std::thread other([&] {
            tap::wait_for([&] { return asked.load(acquire) != 0; }, "the foreign core");
            CHECK_EQ(pool.submit(child), Status::ok);
        });
        CHECK_EQ(pool.run(), Status::ok);
        foreign.join();
        other.join();
        CHECK_EQ(pool.join(), Status::ok);
    }
}

// Two foreign cores: the wait of one ends before that of the other, whoever began first.
void N5_foreign_cores_wait_for_themselves() {
    Pool<1> pool;
    Completion first{pool}, second{pool};
    Atomic<uint32_t> waits{0};
    std::thread one([&] {
        waits.fetch_add(1, release);
        CHECK_EQ(first.wait(), Status::ok);
        CHECK_EQ(pool.submit(second), Status::ok);
    });
    std::thread two([&] {
        waits.fetch_add(1, release);
        CHECK_EQ(second.wait(), Status::ok);
        pool.shutdown();
    });
    std::thread three([&] {
        tap::wait_for([&] { return waits.load(acquire) == 2; }, "both");
        CHECK_EQ(pool.submit(first), Status::ok);
    });
    CHECK_EQ(pool.run(), Status::ok);
    one.join();
    two.join();
    three.join();
    CHECK_EQ(pool.join(), Status::ok);
}

// No core comes: the wait ends with the pool.
void N5_foreign_core_of_a_pool_without_cores() {
    weft::host::hide_core(0);
    Pool<1> pool;
    Completion end{pool};
    Status waited = Status::ok;
    Atomic<uint32_t> begun{0};
    std::thread foreign([&] {
        begun.store(1, release);
        waited = end.wait();
    });
    tap::wait_for([&] { return begun.load(acquire) != 0; }, "the foreign core");
    pool.shutdown();
    foreign.join();
    CHECK_EQ(waited, Status::closed);
    CHECK_EQ(pool.join(), Status::ok);
    weft::host::clear_faults();
}

// On each of two cores a task waits for what nobody will queue any more: each is not kept by the other.
void N5_waits_end_when_all_wait() {
    Pool<2> pool;
    Completion never{pool}, never_too{pool};
    Status waited[2] = {Status::ok, Status::ok};
    Atomic<uint32_t> waits{0};
    Job first([&] {
        waits.fetch_add(1, release);
        waited[0] = never.wait();
    });
    Job second([&] {
        tap::wait_for([&] { return waits.load(acquire) != 0; }, "the first one");
        pool.shutdown();
        waited[1] = never_too.wait();
    });
    CHECK_EQ(pool.submit_on(0, first), Status::ok);
    CHECK_EQ(pool.submit_on(1, second), Status::ok);
    CHECK_EQ(pool.run(), Status::ok);
    CHECK_EQ(pool.join(), Status::ok);
    CHECK_EQ(waited[0], Status::closed);
    CHECK_EQ(waited[1], Status::closed);
}

// What is waited for is pinned to a core that never comes: its start is given up at its deadline, and then the wait.
void N5_wait_for_a_core_that_never_comes() {
    weft::host::hold_starts(1);
    Pool<2> pool;
    Work work{pool, [] {}};
    Status waited = Status::ok;
    Job waits([&] {
        CHECK_EQ(pool.submit_on(1, work), Status::ok);
        CHECK(work.cancel() == CancelResult::cancelled);
        pool.shutdown();
        waited = work.wait();
    });
    CHECK_EQ(pool.submit_on(0, waits), Status::ok);
    CHECK_EQ(pool.run(), Status::ok);
    CHECK_EQ(waited, Status::closed);
    CHECK(work.is_cancelled());  // the wait has taken out itself alone
    Batch left;
    CHECK_EQ(pool.join(left), Status::ok);
    CHECK_EQ(left.size(), 1);
    CHECK_EQ(left.pop(), &work);
    weft::host::clear_faults();
}

#if WEFT_TIMERS
// A pause in a task, in which the core sleeps.
void N5_wait_for_a_time() {
    Pool<1> pool;
    Completion time{pool};
    weft::Timer timer{pool, time};
    uint32_t passed = 0;
    Job pause([&] {
        const uint32_t before = weft::Port::now();
        CHECK_EQ(timer.start_after(weft::milliseconds(2)), Status::ok);
        CHECK_EQ(time.wait(), Status::ok);
        passed = weft::Port::now() - before;
        static_cast<void>(timer.cancel());
        pool.shutdown();
    });
    CHECK_EQ(pool.submit(pause), Status::ok);
    CHECK_EQ(pool.run(), Status::ok);
    CHECK_EQ(pool.join(), Status::ok);
    CHECK(passed >= weft::milliseconds(2));
}
#endif

constexpr tap::Test tests[] = {
    TEST(N4_cancelled_work_is_not_done),
    TEST(N4_cancel_comes_too_late),
    TEST(N4_no_reset_in_a_cancelled_turn),
    TEST(N4_reset_begins_a_round),
    TEST(N4_cancel_wherever_it_is_queued),
    TEST(N4_cancelled_and_abandoned),
    TEST(N4_cancel_races_with_the_turn),
    TEST(N5_wait_outside_works),
    TEST(N5_wait_in_a_task_runs_others),
    TEST(N5_wait_for_a_strand_and_for_a_gate),
    TEST(N5_rounds_on_a_stack),
    TEST(N5_wait_ends_when_the_pool_is_abandoned),
    TEST(N5_wait_goes_on_while_it_runs),
    TEST(N5_wait_ends_when_the_others_have_left),
    TEST(N5_wait_during_a_drain),
    TEST(N5_one_core_waits_at_a_time),
#if WEFT_FORK_DEPTH
    TEST(N5_no_wait_between_fork_and_join),
    TEST(N5_foreign_core_waits),
#endif
    TEST(N5_foreign_core_waits_for_who_waits),
    TEST(N5_foreign_cores_wait_for_themselves),
    TEST(N5_foreign_core_of_a_pool_without_cores),
    TEST(N5_waits_end_when_all_wait),
    TEST(N5_wait_for_a_core_that_never_comes),
#if WEFT_TIMERS
    TEST(N5_wait_for_a_time),
#endif
};

}  // namespace

extern const tap::Tests work_tests{tests};

}  // namespace unit
